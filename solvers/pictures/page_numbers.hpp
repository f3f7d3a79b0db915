#pragma once

#include <algorithm>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Internal: numbers as they stand in a page.

namespace linkwork {

/// RFC 4648.
inline std::string base64(std::string bytes) {
  using namespace boost::archive::iterators;
  using Letters = base64_from_binary<transform_width<const char*, 6, 8>>;
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  bytes.append(padding, '\0');
  std::string out(Letters(bytes.data()), Letters(bytes.data() + bytes.size()));
  std::fill(out.end() - static_cast<std::ptrdiff_t>(padding), out.end(), '=');
  return out;
}
/// Of numbers as they lie in memory on every machine that browsers run on.
template <class Number>
std::string base64(const std::vector<Number>& numbers) {
  return base64(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)));
}

/// Shares between -1 and 1 as whole numbers of three bytes, the least significant one first: as fine as single
/// precision is near 1, and four letters each.
class PageShares {
 public:
  static constexpr std::int32_t largest = 8388607;  ///< stands for 1; the number below -largest says that there is none

  void add(double share) {
    const std::int32_t whole =
        std::isfinite(share) ? static_cast<std::int32_t>(std::lround(share * largest)) : -largest - 1;
    for (const int shift : {0, 8, 16}) bytes_ += static_cast<char>((whole >> shift) & 0xff);
  }
  std::string text() const { return base64(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace linkwork
