#pragma once

// What differences say of the structure of the stabilised equations, beside what these claim.

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace linkwork::test {

/// Points of the stabilised equations near the start of a run, off all constraints.
class RandomPoints {
 public:
  /// @param reach  of positions and contact points about the start; everything else is of size one
  /// @param eta    whether eta is, too, or zero
  RandomPoints(const MotionResidual& system, const State& start, double reach, bool eta)
      : at_(system.layout()), y_start_(Eigen::VectorXd::Zero(at_.size)), t_start_(start.t), reach_(reach), eta_(eta) {
    at_.copy_from_state(start, y_start_);
  }
  struct Point {
    double t;
    Eigen::VectorXd y, y_rate;
  };
  Point next() {
    Point out{t_start_ + 0.5 + 0.4 * number_(generator_), y_start_, Eigen::VectorXd::Zero(at_.size)};
    const auto move = [&](Eigen::VectorXd& x, int first, int last, double by) {
      for (int i = first; i < last; ++i) x[i] += by * number_(generator_);
    };
    move(out.y, at_.p, at_.v, reach_);
    move(out.y, at_.v, at_.s, 1);
    move(out.y, at_.s, at_.lambda, reach_);
    move(out.y, at_.lambda, at_.eta, 1);
    if (eta_) move(out.y, at_.eta, at_.size, 1);
    move(out.y_rate, 0, at_.differential(), 1);
    return out;
  }

 private:
  MotionLayout at_;
  Eigen::VectorXd y_start_;
  double t_start_, reach_;
  bool eta_;
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> number_{-1, 1};
};

/// The largest central differences of F by y and y' that show at some random points, in units of the size of the part
/// of the equations that a row belongs to. Points where F can't be evaluated (teeth that don't mesh) are left out.
class SeenStructure {
 public:
  static constexpr double rounding = 1e-12;  // of F itself, which is the sum of larger terms

  SeenStructure(MotionResidual& system, RandomPoints points, int count)
      : system_(system), largest_(Eigen::MatrixXd::Zero(system.size(), system.size())) {
    int taken = 0;
    for (int tries = 0; taken < count && tries < 10 * count; ++tries) {
      try {
        add(points.next());
        ++taken;
      } catch (const RecoverableFailure&) {
      }
    }
    EXPECT_EQ(taken, count);
  }
  bool has(int row, int column) const { return largest_(row, column) > rounding; }

 private:
  void add(RandomPoints::Point point) {
    const int n = system_.size();
    Eigen::VectorXd up(n), down(n);
    Eigen::MatrixXd differences = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd sizes = Eigen::VectorXd::Zero(n);
    const auto shift = [&](Eigen::VectorXd& x, int j) {
      const double before = x[j], step = 1e-3 * std::max(1.0, std::abs(before));
      x[j] = before + step;
      system_.evaluate(point.t, point.y, point.y_rate, up);
      x[j] = before - step;
      system_.evaluate(point.t, point.y, point.y_rate, down);
      x[j] = before;
      differences.col(j) = differences.col(j).cwiseMax((up - down).cwiseAbs());
      sizes = sizes.cwiseMax(up.cwiseAbs()).cwiseMax(down.cwiseAbs());
    };
    for (int j = 0; j < n; ++j) shift(point.y, j);
    for (int j = 0; j < system_.layout().differential(); ++j) shift(point.y_rate, j);
    const MotionLayout& at = system_.layout();
    const int parts[] = {at.p, at.v, at.r, at.w, at.s, at.lambda, at.eta, at.size};
    for (std::size_t k = 0; k + 1 < std::size(parts); ++k) {
      const int first = parts[k], count = parts[k + 1] - first;
      if (count == 0) continue;
      const double size = std::max(sizes.segment(first, count).maxCoeff(), 1e-300);
      largest_.middleRows(first, count) =
          largest_.middleRows(first, count).cwiseMax(differences.middleRows(first, count) / size);
    }
  }

  MotionResidual& system_;
  Eigen::MatrixXd largest_;
};

struct Entry {
  int row = 0, column = 0;
};

/// What shows and is not claimed.
inline std::vector<Entry> unclaimed(const SparsityPattern& claims, const SeenStructure& seen) {
  std::vector<Entry> out;
  for (int i = 0; i < claims.columns; ++i)
    for (int j = 0; j < claims.columns; ++j)
      if (seen.has(i, j) &&
          !std::binary_search(claims.rows[detail::at(i)].begin(), claims.rows[detail::at(i)].end(), j))
        out.push_back({i, j});
  return out;
}

/// What is claimed and does not show anywhere.
inline std::vector<Entry> unseen(const SparsityPattern& claims, const SeenStructure& seen) {
  std::vector<Entry> out;
  for (int i = 0; i < claims.columns; ++i)
    for (const int j : claims.rows[detail::at(i)])
      if (!seen.has(i, j)) out.push_back({i, j});
  return out;
}

inline std::size_t count_entries(const SparsityPattern& pattern) {
  std::size_t count = 0;
  for (const std::vector<int>& row : pattern.rows) count += row.size();
  return count;
}

inline std::string described(const MotionResidual& system, const std::vector<Entry>& entries) {
  return listed(entries, [&](const Entry& entry) {
    return concat(system.equation_name(entry.row), " by ", system.unknown_name(entry.column));
  });
}

/// Differences by groups beside those by single columns, as differences of F in units of its largest value; 0: the same
/// to the last bit.
inline double groups_beside_columns(MotionResidual& system, RandomPoints points, int count) {
  double worst = 0;
  const int n = system.size();
  const Eigen::VectorXd weights = Eigen::VectorXd::Constant(n, 1e-4);
  constexpr double alpha = 100, step = 0.01;
  Eigen::VectorXd F(n);
  const auto jacobian_at = [&](const RandomPoints::Point& point, Differences differences, bool known_entries) {
    JacobianOptions options;
    options.differences = differences;
    options.known_entries = known_entries;
    Jacobian jacobian(system, options);
    const Outcome done = jacobian.difference({point.t, point.y, point.y_rate, alpha, step, weights}, F);
    EXPECT_TRUE(done) << done.reason();
    return jacobian.matrix().dense();
  };
  for (int taken = 0, tries = 0; taken < count && tries < 10 * count; ++tries) {
    const RandomPoints::Point point = points.next();
    try {
      system.evaluate(point.t, point.y, point.y_rate, F);
    } catch (const RecoverableFailure&) {
      continue;
    }
    ++taken;
    const Eigen::ArrayXd increments = std::sqrt(std::numeric_limits<double>::epsilon()) *
                                      point.y.array().abs().max(step * point.y_rate.array().abs()).max(1e-4);
    for (const bool known_entries : {true, false}) {
      const Eigen::MatrixXd difference = jacobian_at(point, Differences::grouped, known_entries) -
                                         jacobian_at(point, Differences::dense, known_entries);
      worst = std::max(worst,
                       (difference * increments.matrix().asDiagonal()).cwiseAbs().maxCoeff() / F.cwiseAbs().maxCoeff());
    }
  }
  return worst;
}

}  // namespace linkwork::test
