#include "figures/jacobian_picture.hpp"

#include <linkwork/core/concat.hpp>

#include <cstddef>

namespace linkwork::apps {

MatrixPicture picture_of(const JacobianStructure& jacobian, const std::string& model) {
  MatrixPicture picture{.title = concat(model, ": Jacobian, ", jacobian.nonzeros(), " nonzeros, ",
                                        jacobian.groups.count, " groups of columns"),
                        .rows = jacobian.rows(),
                        .columns = jacobian.pattern.columns};
  for (int row = 0; row < jacobian.rows(); ++row)
    for (const int column : jacobian.pattern.rows[static_cast<std::size_t>(row)])
      picture.entries.push_back({row, column, jacobian.groups.group_of_column[static_cast<std::size_t>(column)]});
  return picture;
}

}  // namespace linkwork::apps
