#pragma once

// What differences say of the structure of the stabilised equations, beside what these claim.

#include <linkwork/core/at.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/stabilised_equations.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace linkwork::test {

/// Points of the stabilised equations near the start of a run, off all constraints.
class RandomPoints {
 public:
  RandomPoints(StabilisedEquations& system, const State& start, double reach)
      : at_(system.layout()), y_start_(Eigen::VectorXd::Zero(at_.size)), t_start_(start.t), reach_(reach) {
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
    move(out.y, at_.lambda, at_.size, 1);
    move(out.y_rate, 0, at_.differential(), 1);
    return out;
  }

 private:
  StabilisedLayout at_;
  Eigen::VectorXd y_start_;
  double t_start_, reach_;
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> number_{-1, 1};
};

/// The largest central differences of F by y and y' that show at some random points, in units of the size of the part
/// of the equations that a row belongs to. Points where F can't be evaluated (teeth that don't mesh) are left out.
class SeenStructure {
 public:
  SeenStructure(StabilisedEquations& system, const State& start, int points, double reach = 0.1)
      : system_(system), largest_(Eigen::MatrixXd::Zero(system.size(), system.size())) {
    RandomPoints random(system, start, reach);
    for (int tries = 0; points_ < points && tries < 10 * points; ++tries) {
      try {
        add(random.next());
        ++points_;
      } catch (const RecoverableFailure&) {
      }
    }
    EXPECT_EQ(points_, points);
  }
  double operator()(int row, int column) const { return largest_(row, column); }

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
    const StabilisedLayout& at = system_.layout();
    const int parts[] = {at.p, at.v, at.r, at.w, at.s, at.lambda, at.eta, at.size};
    for (std::size_t k = 0; k + 1 < std::size(parts); ++k) {
      const int first = parts[k], count = parts[k + 1] - first;
      if (count == 0) continue;
      const double size = std::max(sizes.segment(first, count).maxCoeff(), 1e-300);
      largest_.middleRows(first, count) =
          largest_.middleRows(first, count).cwiseMax(differences.middleRows(first, count) / size);
    }
  }

  StabilisedEquations& system_;
  Eigen::MatrixXd largest_;
  int points_ = 0;
};

}  // namespace linkwork::test
