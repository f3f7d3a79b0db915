#pragma once

// How the conformance kit evaluates, differentiates, compares and reports. Not public.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/conformance.hpp>
#include <linkwork/core/differences.hpp>
#include <linkwork/core/errors.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace linkwork::conformance {

inline constexpr double first_order_bound = 1e-9, second_order_bound = 1e-8;
inline constexpr double rounding = std::numeric_limits<double>::epsilon();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A derivative by differences, and how far it may be off entry by entry.
struct Derivative {
  Eigen::VectorXd value, uncertainty;
};

/// Derivative at zero of a function of one number that returns a vector. `uncertainty` is what changes between steps h
/// and 2 h, and rounding.
template <class Function>
Derivative derivative(double step, Function&& function) {
  const auto difference = [&](double h) -> Eigen::VectorXd { return function(h) - function(-h); };
  const Eigen::VectorXd one = difference(step), two = difference(2 * step), three = difference(3 * step),
                        four = difference(4 * step), six = difference(6 * step);
  const double *w = detail::difference_weights,
               size = std::max(1.0, function(step).size() > 0 ? function(step).cwiseAbs().maxCoeff() : 0.0);
  Derivative out;
  out.value = (w[0] * one + w[1] * two + w[2] * three) / step;
  const Eigen::VectorXd coarse = (w[0] * two + w[1] * four + w[2] * six) / (2 * step);
  out.uncertainty = (coarse - out.value).cwiseAbs().array() + 16 * rounding * (1 + size) / step;
  return out;
}

/// Thrown where a value was found that nothing more can be told from; it is in the findings by then.
struct Unusable {};

/// An array whose ends are guarded.
class GuardedArray {
 public:
  GuardedArray(int count, double fill) : count_(count), values_(static_cast<std::size_t>(count + 2 * margin), guard) {
    std::fill_n(data(), count, fill);
  }
  double* data() { return values_.data() + margin; }
  bool intact() const {
    const auto kept = [](double value) { return value == guard; };
    return std::all_of(values_.begin(), values_.begin() + margin, kept) &&
           std::all_of(values_.end() - margin, values_.end(), kept);
  }
  Eigen::VectorXd values() const { return Eigen::Map<const Eigen::VectorXd>(values_.data() + margin, count_); }

 private:
  static constexpr int margin = 8;
  static constexpr double guard = -5.06e203;  // no element computes this
  int count_;
  std::vector<double> values_;
};

/// What a comparison is about: "<function>: <quantity> <entry> is <actual>, expected <expected> (<reason>)".
struct Claim {
  const char* function;
  std::string quantity;
  std::string reason;
};

/// Collects what does not hold; of each claim the worst sample is kept.
class Findings {
 public:
  Findings(std::string_view element, const ConformanceOptions& options);

  /// @param times  of the samples
  void set_times(std::vector<double> times) { times_ = std::move(times); }
  /// Runs a stage, which belongs to a function, at every sample. A sample where it throws RecoverableFailure is left
  /// out; if all are, that is a failure of the function, as is any other exception.
  void at_every_sample(const char* function, const std::function<void(std::size_t sample)>& stage);
  /// Runs it once, for what is no matter of a point.
  void once(const char* function, const std::function<void()>& stage);

  /// Compares entry by entry: |actual - expected| <= bound (1 + |expected|) + uncertainty.
  void compare(const Claim& claim, const Eigen::VectorXd& actual, const Eigen::VectorXd& expected, double bound,
               const Eigen::VectorXd& uncertainty);
  void compare(const Claim& claim, const Eigen::VectorXd& actual, const Derivative& expected, double bound) {
    compare(claim, actual, expected.value, bound, expected.uncertainty);
  }
  void compare(const Claim& claim, const Eigen::VectorXd& actual, const Eigen::VectorXd& expected, double bound) {
    compare(claim, actual, expected, bound, Eigen::VectorXd::Zero(actual.size()));
  }
  /// The sizes of a failure are for choosing the worst sample.
  void fail(const char* function, const std::string& claim, const std::string& message, double size = 1);
  /// Numbers that were compared elsewhere.
  void count(Eigen::Index compared) { comparisons_ += static_cast<int>(compared); }
  bool failed(const char* function) const;
  bool any() const { return !entries_.empty(); }

  ConformanceReport report() const;

 private:
  struct Entry {
    std::string function, claim, message;
    double size = 0;
    int sample = -1;             ///< of the worst
    std::set<int> samples = {};  ///< all
  };

  std::string element_;
  ConformanceOptions options_;
  std::vector<double> times_;
  std::vector<Entry> entries_;
  int sample_ = -1, comparisons_ = 0, not_judged_ = 0;
};

}  // namespace linkwork::conformance
