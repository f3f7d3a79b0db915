#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace linkwork {

namespace detail {
[[noreturn]] void refuse_size(Eigen::Index height, Eigen::Index width, int rows, int columns);
}

/// A vector or a matrix that braces must give all numbers of. Eigen's own fixed sizes take two integers in braces for a
/// number of rows and columns, and leave their numbers as they find them; here {0, -10} is no vector of three numbers,
/// and {} is none of any size. In all else it is the Eigen type that it derives from: expressions make one and are made
/// of it.
///
/// The type of what users hand over: arguments of functions, and members of structures that are filled by hand.
template <int rows, int columns = 1>
class Exact : public Eigen::Matrix<double, rows, columns> {
  using Base = Eigen::Matrix<double, rows, columns>;

  static constexpr bool fits(int size, int wanted) { return size == wanted || size == Eigen::Dynamic; }
  template <class Other>
  static constexpr bool has_shape() {
    constexpr int height = Other::RowsAtCompileTime, width = Other::ColsAtCompileTime;
    return (fits(height, rows) && fits(width, columns)) || (columns == 1 && height == 1 && fits(width, rows));
  }
  template <class Other>
  static const Other& checked(const Other& other) {
    if constexpr (Other::RowsAtCompileTime == Eigen::Dynamic || Other::ColsAtCompileTime == Eigen::Dynamic)
      if (other.size() != rows * columns) detail::refuse_size(other.rows(), other.cols(), rows, columns);
    return other;
  }

 public:
  /// A vector, number by number: {1, 2, 3}.
  template <std::convertible_to<double>... Numbers>
  requires(columns == 1 && sizeof...(Numbers) == rows) Exact(const Numbers&... numbers) {  // NOLINT: braces make one
    Eigen::Index i = 0;
    ((this->coeffRef(i++) = static_cast<double>(numbers)), ...);
  }
  /// A matrix, row by row: {{1, 0}, {0, 1}}.
  template <std::size_t... widths>
  requires(columns > 1 && sizeof...(widths) == rows && ((widths == columns) && ...))
      Exact(const double (&... numbers)[widths]) {  // NOLINT: braces make one
    Eigen::Index i = 0;
    ((this->row(i++) = Eigen::Map<const Eigen::RowVector<double, columns>>(numbers)), ...);
  }
  /// Any expression of the same size.
  /// @throws ModelError if its size is known at run time only and differs
  template <class Other>
  requires(has_shape<Other>()) Exact(const Eigen::EigenBase<Other>& other)  // NOLINT: expressions are values
      : Base(checked(other.derived())) {}

  template <class Other>
  requires(has_shape<Other>()) Exact& operator=(const Eigen::EigenBase<Other>& other) {
    Base::operator=(checked(other.derived()));
    return *this;
  }
  /// Of an angle and an axis, of a quaternion.
  template <class Other>
  requires(rows == columns) Exact& operator=(const Eigen::RotationBase<Other, columns>& other) {
    Base::operator=(other);
    return *this;
  }
};

/// A quaternion that braces must give all four numbers of: {w, x, y, z}.
class ExactQuaternion : public Eigen::Quaterniond {
 public:
  ExactQuaternion(double w, double x, double y, double z) : Eigen::Quaterniond(w, x, y, z) {}
  template <class Other>
  ExactQuaternion(const Eigen::QuaternionBase<Other>& other)  // NOLINT: a quaternion is one
      : Eigen::Quaterniond(other) {}
};

}  // namespace linkwork
