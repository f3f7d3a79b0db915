#pragma once

// Reactions: what joints without rows have, and what redundant rows leave open.

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/tree_recursions.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <array>
#include <vector>

namespace linkwork {

template <class Space>
void GraphEquations<Space>::need_joint_wrenches() {
  if (!layout_.recursions || reactions_known_) return;
  update_joint_tree(RowKind::velocity);
  update_joint_tree_forces();
  layout_.recursions->find_joint_wrenches(last_a_, multipliers());
  reactions_known_ = true;
}

template <class Space>
Wrench<Space> GraphEquations<Space>::reaction_without_rows(int constraint) {
  need_joint_wrenches();
  return coordinates_->reaction(constraint);
}

template <class Space>
double GraphEquations<Space>::multiplier_without_rows(int constraint, int row) {
  const Constraint<Space>& joint = *graph_.data->constraints[detail::at(constraint)].constraint;
  std::array<FrameMotion<Space>, 2> frames;
  for (std::size_t k = 0; k < 2; ++k) graph_.place(graph_.frame_slot(joint.frames()[k]), frames[k].pose);
  std::vector<double> memory(detail::at(joint.memory_size()), 0.0), rates(detail::at(joint.rows()));
  std::vector<double> blocks(detail::at(2 * joint.rows() * n), 0.0);
  const Motion<Space> motion(graph_.now, frames.data(), nullptr, memory.data(), nullptr);
  joint.remember(motion, true, memory.data());
  ConstraintRows<Space> rows(joint.rows(), blocks.data(), rates.data());
  joint.velocity_rows(motion, rows);
  const Wrench<Space> wrench = reaction_without_rows(constraint);
  Components<Space> right;
  right << -wrench.torque, -wrench.force;
  return solve_least_squares(rows.block(1).transpose(), right)[row];
}

template <class Space>
Wrench<Space> GraphEquations<Space>::reaction_of(int constraint) {
  const int index = slot_of_constraint_[detail::at(constraint)];
  if (index < 0) return reaction_without_rows(constraint);
  const ConstraintSlot& slot = graph_.constraints[detail::at(index)];
  return reaction(slot, rows_of_last_frame(slot));
}

template <class Space>
Eigen::VectorXd GraphEquations<Space>::reactions(double length) {
  Eigen::VectorXd out(n * static_cast<Eigen::Index>(slot_of_constraint_.size()));
  for (int i = 0; i < static_cast<int>(slot_of_constraint_.size()); ++i) {
    const Wrench<Space> wrench = reaction_of(i);
    out.template segment<n>(n * i) << wrench.torque / length, wrench.force;
  }
  return out;
}

/// A tree has no redundant rows, so that nobody decomposes those of a long chain.
template <class Space>
bool GraphEquations<Space>::may_have_redundant_rows() const {
  constexpr int most_rows = 600;  // whose decomposition takes less than half a second
  const int rows = dimensions().constraints();
  return rows > 0 && rows <= most_rows && rows != rank_of_reactions_ && !forces_read_multipliers() &&
         std::any_of(graph_.topology.elements.begin(), graph_.topology.elements.end(),
                     [](const Topology::Element& element) { return element.role != Topology::Role::tree; });
}

/// Reactions are affine functions of the multipliers: differences along the dependencies of rows are exact.
template <class Space>
void GraphEquations<Space>::choose_least_reactions(const Eigen::VectorXd& a) {
  if (!may_have_redundant_rows()) return;
  const double length = characteristic_length();
  const Eigen::VectorXd scales = row_scales(*this);
  const Redundancy found = find_redundancy(G().dense(), scales, length, rank_of_reactions_);
  rank_of_reactions_ = found.rank;
  const Eigen::Index open = found.combinations.cols();
  if (open == 0) return;
  const Eigen::VectorXd given = multipliers(), least = reactions(length);
  const auto react = [&](const Eigen::VectorXd& lambda) {
    set_multipliers(lambda);
    accelerate_bodies(a);
    return reactions(length);
  };
  Eigen::MatrixXd directions = found.combinations, changes(least.size(), open);
  for (Eigen::Index j = 0; j < open; ++j) {
    directions.col(j) *= least.norm() / directions.col(j).cwiseQuotient(scales).norm();  // as large as what is open
    changes.col(j) = react(given + directions.col(j)) - least;
  }
  react(given - directions * OrthogonalFactors(changes).solve(least));
}

}  // namespace linkwork
