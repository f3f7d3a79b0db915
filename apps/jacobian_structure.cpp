#include "jacobian_structure.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>

#include <cstddef>

namespace linkwork::apps {
namespace {

constexpr int largest_detected = 2000;  // unknowns; each costs an evaluation of the equations

/// The unknowns of the initial state, whose multipliers are zero.
Eigen::VectorXd initial_unknowns(const MotionLayout& at, const State& state) {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(at.size);
  at.copy_from_state(state, y);
  return y;
}

SparsityPattern detected_pattern(MotionResidual& system, const State& state) {
  const Eigen::VectorXd y = initial_unknowns(system.layout(), state);
  const Eigen::VectorXd y_rate = Eigen::VectorXd::Zero(y.size()), weights = Eigen::VectorXd::Ones(y.size());
  Eigen::VectorXd F(y.size());
  Jacobian jacobian(system, {});
  const JacobianPoint point = {state.t, y, y_rate, /*alpha*/ 1, /*step*/ 1, weights};
  try {
    system.evaluate(point.t, y, y_rate, F);
  } catch (const RecoverableFailure& failure) {
    throw ModelError(concat("The pattern of the Jacobian can't be found at the initial state: ", failure.what()));
  }
  if (const Outcome found = jacobian.difference(point, F); !found)
    throw ModelError(concat("The pattern of the Jacobian can't be found at the initial state: ", found.reason()));
  return jacobian.matrix().pattern();
}

int count_entries(const SparsityPattern& pattern) {
  std::size_t count = 0;
  for (const std::vector<int>& row : pattern.rows) count += row.size();
  return static_cast<int>(count);
}

}  // namespace

int JacobianStructure::nonzeros() const { return count_entries(pattern); }

std::string JacobianStructure::summary() const {
  const std::string more =
      with_eta_derivative > nonzeros() ? concat("; ", with_eta_derivative, " with the derivative of Z D G^T eta") : "";
  return concat("Jacobian of the stabilised index-2 form: ", rows(), " x ", pattern.columns, ", ", nonzeros(),
                " nonzeros (", source, more, "), ", groups.count, " groups of columns (at least ", groups.lower_bound,
                ")\n");
}

JacobianStructure jacobian_structure(EquationsOfMotion& equations) {
  const State state = equations.initial_state();
  equations.set(state);
  MotionResidual system(equations, {});
  const Dependencies declared = system.dependencies();
  JacobianStructure structure;
  const bool detects = !declared.complete && system.size() <= largest_detected;
  structure.source = declared.complete ? "declared" : detects ? "detected" : "partly declared";
  structure.pattern = detects ? detected_pattern(system, state) : declared.pattern;
  structure.groups = group_columns(structure.pattern);
  if (declared.complete)
    structure.with_eta_derivative =
        count_entries(MotionResidual(equations, {.eta_derivative = true}).dependencies().pattern);
  for (int i = 0; i < system.size(); ++i) {
    structure.equations.push_back(system.equation_name(i));
    structure.unknowns.push_back(system.unknown_name(i));
  }
  return structure;
}

void draw(std::ostream& out, const JacobianStructure& structure) {
  const int columns = structure.pattern.columns;
  for (int i = 0; i < structure.rows(); ++i) {
    std::string line(static_cast<std::size_t>(columns), '.');
    for (int j : structure.pattern.rows[static_cast<std::size_t>(i)]) line[static_cast<std::size_t>(j)] = '*';
    out << line << "  " << structure.equations[static_cast<std::size_t>(i)] << '\n';
  }
  std::vector<std::vector<std::string>> members(static_cast<std::size_t>(structure.groups.count));
  for (std::size_t j = 0; j < structure.unknowns.size(); ++j)
    if (const int group = structure.groups.group_of_column[j]; group >= 0)
      members[static_cast<std::size_t>(group)].push_back(structure.unknowns[j]);
  for (std::size_t group = 0; group < members.size(); ++group)
    out << "group " << group << ": " << listed(members[group]) << '\n';
}

void write_matrix_market(std::ostream& out, const JacobianStructure& structure) {
  out << "%%MatrixMarket matrix coordinate pattern general\n"
      << structure.rows() << ' ' << structure.pattern.columns << ' ' << structure.nonzeros() << '\n';
  for (int i = 0; i < structure.rows(); ++i)
    for (int j : structure.pattern.rows[static_cast<std::size_t>(i)]) out << i + 1 << ' ' << j + 1 << '\n';
}

}  // namespace linkwork::apps
