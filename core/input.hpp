#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkwork {

/// Value of a prescribed quantity with its first two time derivatives.
struct InputValue {
  double value = 0, rate = 0, acceleration = 0;
};

class Input;

/// What is added to inputs: constants at one time. At another time they have moved on like a motion whose value, rate
/// and acceleration they are, so that differences in time agree with them.
class InputOffsets {
 public:
  double time = 0;  ///< at which the constants hold [s]

  /// In place of an earlier offset of the same input; one of zeros takes it away.
  void set(const Input& input, const InputValue& offset);
  bool empty() const { return offsets_.empty(); }
  /// Adds the offset of an input, if it has one.
  void add_to(const Input& input, double at, InputValue& value) const;

 private:
  struct Offset {
    const void* input;
    InputValue constants;
  };
  std::vector<Offset> offsets_;
};

/// A time [s] as elements get it: a number, which also knows the offsets of inputs that hold in the equations that ask.
/// Pass it on to an Input as it is, or a bit earlier or later (t + dt).
class Instant {
 public:
  Instant(double time) : time_(time) {}  // NOLINT: a time without offsets is an instant
  Instant(double time, const InputOffsets* offsets) : time_(time), offsets_(offsets) {}
  operator double() const { return time_; }  // NOLINT: it is a number to all but inputs
  const InputOffsets* offsets() const { return offsets_; }

  template <class Number>
  requires std::is_arithmetic_v<Number>
  friend Instant operator+(Instant a, Number dt) { return {a.time_ + static_cast<double>(dt), a.offsets_}; }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  friend Instant operator-(Instant a, Number dt) { return {a.time_ - static_cast<double>(dt), a.offsets_}; }

 private:
  double time_;
  const InputOffsets* offsets_ = nullptr;
};

/// A prescribed motion u(t): gives u, u' and u'' at a time [s]. Made from any function that does; copies are the same
/// input, so that one that several elements share counts once (EquationsOfMotion::inputs).
class Input {
 public:
  /// No function: elements refuse it.
  Input() = default;
  /// @param function  of the time, or of the instant where it asks further inputs
  /// @param name      in reports; without one it has the name of its element
  template <class Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, Input> &&
           std::is_invocable_r_v<InputValue, Function&, const Instant&>)
      Input(Function function, std::string name = "") {  // NOLINT: a function is an input
    if constexpr (requires { function == nullptr; })
      if (function == nullptr) return;
    own_ = std::make_shared<const Own>(Own{std::move(function), std::move(name)});
  }

  explicit operator bool() const { return own_ != nullptr; }
  /// With the offset that the instant knows of. Must not be called on an input without a function.
  InputValue operator()(const Instant& at) const {
    InputValue out = own_->function(at);
    if (at.offsets()) at.offsets()->add_to(*this, at, out);
    return out;
  }
  /// "" where none was given.
  const std::string& name() const { return own_->name; }
  /// Whether they are one input.
  friend bool operator==(const Input& a, const Input& b) { return a.own_ == b.own_; }

 private:
  friend class InputOffsets;
  struct Own {
    std::function<InputValue(const Instant&)> function;
    std::string name;
  };
  std::shared_ptr<const Own> own_;
};

}  // namespace linkwork
