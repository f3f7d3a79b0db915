#pragma once

#include <linkwork/core/block_matrix.hpp>

#include <algorithm>

namespace linkwork {

/// Three rows, two of them dependent but for `apart`; no column is small as a whole.
inline BlockMatrix nearly_dependent(double apart) {
  BlockMatrix G(3, 3);
  const int block = G.add_block(0, 0, 3, 3);
  const double values[] = {1, 1, 0, 1, 1 + apart, 0, 0, 0, 1};
  std::copy(std::begin(values), std::end(values), G.values(block));
  return G;
}

}  // namespace linkwork
