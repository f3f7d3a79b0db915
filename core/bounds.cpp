#include <linkwork/core/bounds.hpp>

#include <linkwork/core/concat.hpp>

#include <stdexcept>

namespace linkwork::detail {

void refuse_place(const char* element, const char* what, int place, int count) {
  throw std::out_of_range(concat(element, " writes to its ", what, " ", place, "; it has ", count,
                                 ", counted from 0. Declare as many as are written."));
}

}  // namespace linkwork::detail
