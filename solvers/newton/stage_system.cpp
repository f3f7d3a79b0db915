#include <linkwork/solvers/newton/stage_system.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

Outcome vanished_pivot(const MotionResidual& equations, int unknown) {
  return Outcome::failure(concat("the iteration matrix is singular: nothing determines ",
                                 equations.unknown_name(unknown), ", or it depends on others"),
                          Failure::singular);
}

Outcome algebraic_defect(const MotionResidual& equations, AlgebraicDefect defect, const MotionResidual::Rows& leading,
                         const std::vector<int>& rows) {
  const auto name = [&](int row) { return equations.equation_name(row); };
  if (defect == AlgebraicDefect::none) return {};
  if (defect == AlgebraicDefect::rank)
    return Outcome::failure(concat("equations depend on others: ", listed(rows, name),
                                   "; the mechanism is at a singular position, or its constraints are redundant"),
                            Failure::singular);
  std::vector<int> block;
  for (int row = leading.first; row < leading.last(); ++row) block.push_back(row);
  const bool is_contact = equations.contact().count > 0 && leading.first == equations.contact().first;
  return Outcome::failure(concat(is_contact ? "c_s is singular, so that 0 = c does not determine s: "
                                            : "d_w is singular, so that 0 = d does not determine w: ",
                                 listed(block, name)),
                          Failure::singular);
}

}  // namespace linkwork
