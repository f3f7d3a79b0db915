#pragma once

// Internal: where a function on a step changes its sign.

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace linkwork {

/// Values that are kept from steps before.
inline constexpr std::size_t longest_past = 4;

/// -1, 0 or 1
inline int sign_of(double x) { return (x > 0) - (x < 0); }

/// A value of a function.
struct Sample {
  double t = 0, value = 0;
};

/// The polynomial through values at distinct points, in Newton's form: a point more costs one number more, and tells
/// how far the polynomial before was off there.
class NewtonInterpolant {
 public:
  void clear() { nodes_.clear(), coefficients_.clear(); }
  /// Returns how far off the polynomial was at the new point; the size of the value, for the first one.
  double add(double x, double value);
  /// Value, and slope through the reference.
  double evaluate(double x, double& slope) const;
  double slope(double x) const;
  int points() const { return static_cast<int>(nodes_.size()); }

 private:
  std::vector<double> nodes_, coefficients_;
};

/// Samples a function on an interval so that between neighbours it changes its sign at most once.
///
/// The function is interpolated by polynomials of growing degree on points that lie as those of Leja do (well spread,
/// denser at the ends, in no rhythm). Two predictions in a row tell the error. The search is over where the polynomial
/// keeps away from zero by several times the error; where it changes its sign, or has an end close to zero, once it is
/// known to 1e-4 of the largest value, and its extrema lie off zero by several times the error. An extremum between two
/// zeros is sampled. Where the degree of the motion is passed and doubt is left, the interval is halved, as far as to a
/// millionth; so kinks and jumps are seen too, and functions that turn faster than the motion. A function that is a
/// polynomial of the given degree is known exactly; of others, two zeros are overlooked that lie closer together than
/// the samples and show nowhere else.
///
/// Rounding: what a function changes by over 1e-9 of the interval, beside what is smooth, is noise, and values of its
/// size have no sign.
class SignSearch {
 public:
  using Function = std::function<double(double)>;
  /// Is given samples in the order of time; false ends the search. `is_noise`: the value can't be told from zero.
  using Visitor = std::function<bool(const Sample&, bool is_noise)>;

  /// Visits samples behind `left` up to `right`. Where values of steps before say that the function keeps away from
  /// zero, one sample inside is enough.
  /// @param past    ends of earlier steps, ascending, before `left`; where the function was smooth from there on
  /// @param degree  of the motion on the interval
  /// @param zero    values up to this size near `left` are zero
  void search(const Function& function, const Sample& left, const Sample& right, const std::vector<Sample>& past,
              int degree, double zero, const Visitor& visit);
  /// Values up to this size can't be told from zero, as far as is known.
  double noise() const;
  /// Largest value of the last search.
  double size() const { return size_; }

 private:
  struct Extremum {
    double x, value;
  };
  bool is_clear(const Sample& left, const Sample& right, const std::vector<Sample>& past);
  bool search_part(const Sample& left, const Sample& right, int depth, const Visitor& visit);
  void begin_part(const Sample& left, const Sample& right);
  double sample(double x);
  void find_extrema();
  bool is_resolved(double error) const;
  bool is_noise(const Sample& sample) const { return noise_ > 0 && std::abs(sample.value) <= noise(); }
  double nearest_to_zero() const;
  void sample_hidden_lobes();
  void measure_noise();
  bool pass(const Visitor& visit);
  double value_at(double t);

  const Function* function_ = nullptr;
  int degree_ = 0, values_ = 0;
  double zero_ = 0, length_ = 0, size_ = 0;
  double noise_ = 0;  // the largest that was met
  bool is_noise_measured_ = false;
  // Of the part that is looked at.
  NewtonInterpolant shape_;
  Sample from_, to_;
  std::vector<Sample> samples_;    // ascending, with both ends
  std::vector<Extremum> extrema_;  // of the polynomial, ascending, with both ends
  double inside_ = 0;              // a value that is known beforehand, at the first point inside
  bool has_inside_ = false;
};

}  // namespace linkwork
