#include <linkwork/solvers/newton/stage_system.hpp>

#include <linkwork/core/concat.hpp>

#include <vector>

namespace linkwork {

Outcome algebraic_defect(const StrangenessFreeEquations& equations, const AlgebraicBlock& block,
                         AlgebraicBlock::Defect defect, const StrangenessFreeEquations::Rows& leading,
                         const StrangenessFreeEquations::Rows& others) {
  if (defect == AlgebraicBlock::Defect::none) return {};
  std::vector<std::string> names;
  if (defect == AlgebraicBlock::Defect::leading_block) {
    for (int i = leading.first; i < leading.last(); ++i) names.push_back(equations.equation_name(i));
    const bool is_contact = leading.first == equations.contact().first;
    return Outcome::failure(concat(is_contact ? "the contact equations 0 = c do not determine s: c_s is singular ("
                                              : "the auxiliary equations 0 = d do not determine w: d_w is singular (",
                                   listed(names), ")"));
  }
  for (const int row : block.dependent_rows()) names.push_back(equations.equation_name(others.first + row));
  return Outcome::failure(concat("equations depend on each other: ", listed(names)));
}

}  // namespace linkwork
