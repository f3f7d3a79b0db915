#include <linkwork/solvers/reductions/branch_watch.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/integrators/singular_position.hpp>

#include <algorithm>

namespace linkwork {

namespace {

// n_four_bar, in all reductions: motions that pass take steps above a hundredth of the longest one with accelerations
// that don't grow; those that leave come to steps of 1e-6 and accelerations of 1e4 times the usual ones and more.
constexpr double short_step = 1e-3;          // of the longest one
constexpr double unusual_acceleration = 30;  // times the largest of steps that are not short
constexpr double least_change = 1e-2;        // of the velocity in the longest step
constexpr double lost_rank = 1e-4;           // smallest singular value of the rows over the largest

constexpr const char* remedy =
    "; integrate without a reduction, which passes such positions where the motion is smooth, or keep the mechanism "
    "away from it.";

}  // namespace

void BranchWatch::begin(const EquationsOfMotion& equations, int rank) {
  rank_ = rank;
  sizes_ = velocity_sizes(equations);
  longest_step_ = 0;
  largest_usual_ = 0;
}

Outcome BranchWatch::look(EquationsOfMotion& equations, const State& end, double h) {
  longest_step_ = std::max(longest_step_, h);
  const double size = end.a.cwiseQuotient(sizes_).norm(), speed = end.v.cwiseQuotient(sizes_).norm();
  // What would change the velocity by a share of itself within a long step counts as usual, so that noise does.
  largest_usual_ = std::max(largest_usual_, least_change * speed / longest_step_);
  if (h > short_step * longest_step_) {
    largest_usual_ = std::max(largest_usual_, size);
    return {};
  }
  if (!(size > unusual_acceleration * largest_usual_) || !is_near_singular_position(equations, rank_, lost_rank))
    return {};
  return Outcome::failure(
      concat("the motion leaves its smooth path at a singular position, t = ", end.t, " s: rows of ",
             listed(dependent_elements(equations, rank_ - 1)), " depend on each other there, and accelerations are ",
             size / largest_usual_, " times the largest ones before", remedy),
      Failure::singular);
}

std::string BranchWatch::why_near_singular(EquationsOfMotion& equations, const State& state) const {
  return why_near_singular_position(equations, state, rank_, remedy);
}

}  // namespace linkwork
