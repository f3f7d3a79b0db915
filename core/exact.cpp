#include <linkwork/core/exact.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

namespace linkwork::detail {

void refuse_size(Eigen::Index height, Eigen::Index width, int rows, int columns) {
  throw ModelError(concat("a vector or matrix of size ", height, " x ", width, " was given where one of ", rows, " x ",
                          columns, " is expected; give that many numbers."));
}

}  // namespace linkwork::detail
