#pragma once

#include <linkwork/core/handles.hpp>

#include <Eigen/Core>
#include <concepts>
#include <type_traits>

/// Why an element can't be made of the arguments it was given: one line of the compiler in place of pages.
namespace linkwork::detail {

template <class T>
inline constexpr bool never = false;

template <class T>
struct IsBody : std::false_type {};
template <class Space>
struct IsBody<BodyRef<Space>> : std::true_type {};
template <class T>
inline constexpr bool is_body = IsBody<std::remove_cvref_t<T>>::value;

template <class Derived>
void take_vector(const Eigen::MatrixBase<Derived>&);
template <class T>
inline constexpr bool is_vector = requires(const std::remove_cvref_t<T>& x) {
  take_vector(x);
};

/// The argument, an axis where it is a vector.
template <class T>
using AxisForVector = std::conditional_t<is_vector<T>, Axis, T>;

/// Whether an element can be made of these arguments; what else is said to the compiler's reader.
template <class Element, class... Arguments>
consteval bool can_be_made() {
  constexpr bool fits = std::is_constructible_v<Element, Arguments...>;
  constexpr bool is_abstract = std::is_abstract_v<Element>;
  constexpr bool has_bodies = (is_body<Arguments> || ...);
  constexpr bool has_vector =
      !fits && (is_vector<Arguments> || ...) && std::is_constructible_v<Element, AxisForVector<Arguments>...>;
  constexpr bool lacks_axis = !fits && std::is_constructible_v<Element, Arguments..., Axis>;
  constexpr bool is_known = is_abstract || has_bodies || has_vector || lacks_axis;
  static_assert(fits || !is_abstract,
                "Linkwork: this class does not override all pure functions of its base; see the header of the base.");
  static_assert(fits || is_abstract || !has_bodies,
                "Linkwork: a body stands where a frame is expected; give body.at(offset) or body.origin().");
  static_assert(fits || is_abstract || has_bodies || !has_vector,
                "Linkwork: a vector stands where an Axis is expected; give Axis(vector), or Axis::x(), y() or z().");
  static_assert(fits || is_abstract || has_bodies || has_vector || !lacks_axis,
                "Linkwork: an Axis is missing behind the arguments; give Axis::z(), say.");
  static_assert(fits || is_known,
                "Linkwork: no constructor of this element takes these arguments; see its header for those that do.");
  return fits;
}

/// A frame, or a body that was given in place of one. Functions that take it exist for their message only.
template <class Space>
struct BodyOrFrame {
  BodyOrFrame(const BodyRef<Space>&);  // NOLINT: conversions are what it is for
  BodyOrFrame(const Frame<Space>&);    // NOLINT
};

template <class Space, class Never>
consteval void refuse_body() {
  static_assert(never<Never>,
                "Linkwork: a body stands where a frame is expected; give body.at(offset) or body.origin().");
}

}  // namespace linkwork::detail
