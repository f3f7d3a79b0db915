#pragma once

// Internal: how long steps are that pass a singular position.

#include <algorithm>
#include <utility>

namespace linkwork {

/// Where rows lose rank at one position of a smooth motion, Newton's iteration fails for steps that end beside it and
/// succeeds for those that reach beyond, unless a stage happens to lie on it. So several lengths are tried before a
/// step that comes nearer: rounding errors grow with the inverse of the distance.
class SingularPassage {
 public:
  /// The attempts of a step begin. @param usual  how long steps were before they were cut [s]
  void begin(double usual) {
    is_under_way_ = false;
    length_ = usual;
    shortest_ = usual * least_share;
  }
  /// An attempt has failed that was to pass nothing. @param shorter  the next one [s]
  void come_nearer_by(double shorter) {
    shorter_ = shorter;
    lengths_left_ = most_lengths;
  }
  /// An attempt to pass has failed. @param longest  that may be tried next [s]
  void shorten_to(double longest) { length_ = std::min(length_, longest); }
  /// The next attempt: one to pass if there is a length to try, else the shorter one.
  double next() {
    is_under_way_ = has_length();
    if (!is_under_way_) return shorter_;
    --lengths_left_;
    return std::exchange(length_, next_share * length_);
  }
  bool has_length() const { return lengths_left_ > 0 && length_ >= shortest_ && length_ > longer * shorter_; }
  /// Whether the attempt is one to pass.
  bool is_under_way() const { return is_under_way_; }

  static constexpr double next_share = 0.7;  ///< of a length, that is tried next

 private:
  static constexpr int most_lengths = 3;           // one after another
  static constexpr double longer = 2;              // than the shorter one
  static constexpr double least_share = 1.0 / 16;  // of the usual length

  bool is_under_way_ = false;
  int lengths_left_ = 0;
  double length_ = 0, shortest_ = 0, shorter_ = 0;
};

}  // namespace linkwork
