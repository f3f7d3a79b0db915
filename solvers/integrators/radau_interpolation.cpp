#include <linkwork/solvers/integrators/radau_interpolation.hpp>

#include <linkwork/solvers/integrators/radau_coefficients.hpp>

#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr double half = 0.5;

/// The integral from 0 to theta of (x - c_1) (x - c_2) (x - c_3): what collocation leaves over, to leading order.
double node_integral(double theta) {
  const Eigen::Vector3d& c = radau_coefficients().nodes;
  const double sum = c.sum(), pairs = c[0] * c[1] + c[0] * c[2] + c[1] * c[2], product = c.prod();
  return theta * (theta * (theta * (theta / 4 - sum / 3) + pairs / 2) - product);
}

}  // namespace

// -------------------------------------------------------------------------------------------------- data

void RadauInterpolation::Data::resize(Eigen::Index rows, int at_each_end, int at_middle) {
  ends = at_each_end;
  middle = at_middle;
  columns.resize(rows, 2 * ends + middle);
}

DensePolynomial::Group RadauInterpolation::Data::group(const std::vector<int>& chosen) const {
  const Eigen::MatrixXd rows = columns(chosen, Eigen::all);
  DensePolynomial::Group group;
  group.components = chosen;
  group.left_nodes = ends;
  group.middle_nodes = middle;
  group.coefficients = hermite_coefficients(rows.leftCols(ends), rows.middleCols(ends, middle), rows.rightCols(ends));
  return group;
}

/// What each column contributes, by the polynomials of unit data.
RadauInterpolation::Shape RadauInterpolation::Data::shape(double theta) const {
  const Eigen::Index count = 2 * ends + middle;
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(count, count);
  const Eigen::MatrixXd c =
      hermite_coefficients(unit.leftCols(ends), unit.middleCols(ends, middle), unit.rightCols(ends));
  Shape shape{c.col(count - 1), Eigen::VectorXd::Zero(count)};
  for (Eigen::Index k = count - 2; k >= 0; --k) {
    const double distance = theta - (k < ends ? 0.0 : k < ends + middle ? half : 1.0);
    shape.slope = shape.slope * distance + shape.value;
    shape.value = shape.value * distance + c.col(k);
  }
  return shape;
}

// ------------------------------------------------------------------------------------------------- steps

RadauInterpolation::RadauInterpolation(EquationsOfMotion& equations, const MotionLayout& layout)
    : equations_(equations), at_(layout), inverse_(equations) {
  const Dimensions& n = equations.dimensions();
  p_.resize(n.p, 3, 0);
  v_.resize(n.v, 2, 1);
  r_.resize(n.r, 2, 1);
}

/// Z a, and the change of Z v + z along the motion. Z is linear in quaternions, for which a central difference is
/// exact.
void RadauInterpolation::find_curve(const End& end) {
  curve_ = end.y.segment(at_.a, v_.columns.rows());
  if (inverse_.is_identity()) return;
  constexpr double share = 1e-3;
  velocity_ = end.y.segment(at_.v, v_.columns.rows());
  rate_ = -end.F.head(p_.columns.rows());
  const auto moved = [&](double step) {
    point_ = end.y.head(p_.columns.rows()) + step * rate_;
    equations_.set_position(end.t + step, point_);
  };
  const auto rate_at = [&](double step, Eigen::VectorXd& rate) {
    moved(step);
    equations_.multiply_Z(velocity_, rate);
    equations_.add_position_drift(1, rate);
  };
  rate_at(share * h_, image_);
  rate_at(-share * h_, rate_after_);
  image_ = (image_ - rate_after_) / (2 * share * h_);
  moved(0);
  equations_.multiply_Z(curve_, rate_after_);
  curve_ = image_ + rate_after_;
}

void RadauInterpolation::set(const End& start, const End& end, double h, const CollocationPolynomial& collocation) {
  const Eigen::Index p = p_.columns.rows(), v = v_.columns.rows(), r = r_.columns.rows();
  h_ = h;
  int first = 0;
  for (const End* at : {&start, &end}) {
    p_.columns.col(first) = at->y.head(p);
    p_.columns.col(first + 1) = -h_ * at->F.head(p);
    find_curve(*at);
    p_.columns.col(first + 2) = h_ * h_ * curve_;
    first = p_.ends;
  }
  for (const auto& [at, column] : {std::pair{&start, 0}, std::pair{&end, 3}}) {
    v_.columns.col(column) = at->y.segment(at_.v, v);
    v_.columns.col(column + 1) = h_ * at->y.segment(at_.a, v);
    r_.columns.col(column) = at->y.segment(at_.r, r);
    r_.columns.col(column + 1) = -h_ * at->F.segment(p + v, r);
  }
  collocation.evaluate(half, middle_);
  collocation.slope(0, slope_);
  const double gain = node_integral(half) / -radau_coefficients().nodes.prod();
  r_.columns.col(2) = middle_.segment(at_.r, r) + gain * (r_.columns.col(1) - slope_.segment(at_.r, r));
  velocity_ = middle_.segment(at_.v, v) + gain * (v_.columns.col(1) - slope_.segment(at_.v, v));
  find_middle_velocity(start.t + half * h_);
  v_.columns.col(2) = velocity_;
}

/// Moves velocity_ to the one that goes with p' at the middle, but for what p' has lost to the rounding of p.
void RadauInterpolation::find_middle_velocity(double t) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  const Shape shape = p_.shape(half);
  point_ = p_.columns * shape.value;
  rate_ = p_.columns * shape.slope / h_;
  equations_.set_position(t, point_);
  equations_.multiply_Z(velocity_, image_);
  equations_.add_position_drift(1, image_);
  for (Eigen::Index i = 0; i < rate_.size(); ++i)
    if (std::abs(rate_[i] - image_[i]) <= rounding * std::abs(point_[i]) / h_) rate_[i] = image_[i];
  equations_.add_position_drift(-1, rate_);
  inverse_.apply(rate_, velocity_);
}

void RadauInterpolation::evaluate(double theta, Eigen::VectorXd& y, Eigen::VectorXd& y_rate) const {
  const auto fill = [&](const Data& data, int first) {
    if (data.columns.rows() == 0) return;
    const Shape shape = data.shape(theta);
    y.segment(first, data.columns.rows()) = data.columns * shape.value;
    y_rate.segment(first, data.columns.rows()) = data.columns * shape.slope / h_;
  };
  fill(p_, at_.p);
  fill(v_, at_.v);
  fill(r_, at_.r);
}

}  // namespace linkwork
