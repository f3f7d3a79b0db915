#include <linkwork/forces/bushing.hpp>

#include <linkwork/core/dense_factors.hpp>

namespace linkwork {

namespace {

constexpr const char* bushing_type = "bushing";

template <int n>
void check_semidefinite(const char* what, const Eigen::Matrix<double, n, n>& matrix) {
  if (!matrix.allFinite())
    throw ModelError(concat(bushing_type, ": its ", what, " is not finite; give finite values."));
  const double size = matrix.cwiseAbs().maxCoeff(), skew = (matrix - matrix.transpose()).cwiseAbs().maxCoeff();
  if (skew > 1e-12 * size)
    throw ModelError(concat(bushing_type, ": its ", what, " is not symmetric (two entries differ by ", skew,
                            "); give a symmetric matrix."));
  const double least = symmetric_eigenvalues(matrix)[0];
  if (least < -1e-12 * size)
    throw ModelError(concat(bushing_type, ": its ", what, " has the eigenvalue ", least,
                            "; expected a positive semidefinite matrix."));
}

/// Deflection e of the second frame against the first, and the matrix that takes the relative angular velocity (first's
/// axes) to the rate of its rotation part.
template <class Space>
struct Deflection;
template <>
struct Deflection<Planar> {
  Components<Planar> e;
  double turn_rate(double omega) const { return omega; }
  double torque(double generalised) const { return generalised; }

  Deflection(const Pose<Planar>& first, const Pose<Planar>& second) {
    const Pose<Planar> X = relative_pose(first, second);
    e << X.angle, X.position;
  }
};
/// phi' = J omega with J = 1 - [phi]x / 2 + k [phi]x^2, k = (1 - (theta / 2) cot(theta / 2)) / theta^2, omega in the
/// first's axes.
template <>
struct Deflection<Spatial> {
  Components<Spatial> e;
  Eigen::Vector3d turn_rate(const Eigen::Vector3d& omega) const {
    const Eigen::Vector3d phi = e.head<3>(), turned = phi.cross(omega);
    return omega - 0.5 * turned + factor_ * phi.cross(turned);
  }
  /// J^T
  Eigen::Vector3d torque(const Eigen::Vector3d& generalised) const {
    const Eigen::Vector3d phi = e.head<3>(), turned = phi.cross(generalised);
    return generalised + 0.5 * turned + factor_ * phi.cross(turned);
  }

  Deflection(const Pose<Spatial>& first, const Pose<Spatial>& second) {
    const Pose<Spatial> X = relative_pose(first, second);
    e << logarithm(Pose<Spatial>{Eigen::Vector3d::Zero(), X.rotation}).head<3>(), X.position;
    const double theta = e.head<3>().norm(), half = 0.5 * theta;
    factor_ = theta < 1e-3 ? 1.0 / 12 + theta * theta / 720 : (1 - half / std::tan(half)) / (theta * theta);
  }

 private:
  double factor_;
};

/// Rotation of an angular quantity from a frame's axes to the ground's, and back.
double to_ground(const Eigen::Matrix2d&, double x) { return x; }
double from_ground(const Eigen::Matrix2d&, double x) { return x; }
Eigen::Vector3d to_ground(const Eigen::Matrix3d& R, const Eigen::Vector3d& x) { return R * x; }
Eigen::Vector3d from_ground(const Eigen::Matrix3d& R, const Eigen::Vector3d& x) { return R.transpose() * x; }

template <class Space>
Angular<Space> angular_part(const Components<Space>& x) {
  if constexpr (Space::dimension == 2)
    return x[0];
  else
    return x.template head<3>();
}

}  // namespace

template <class Space>
Bushing<Space>::Bushing(const Frame<Space>& first, const Frame<Space>& second, const Options& options)
    : ForceElement<Space>(detail::two_frames(bushing_type, first, second)), options_(options) {
  check_semidefinite("stiffness", options.stiffness);
  check_semidefinite("damping", options.damping);
  detail::check_finite(bushing_type, "preload", options.preload, "[N m, N]");
  if (options.stiffness.isZero(0) && options.damping.isZero(0) && options.preload.isZero(0))
    throw ModelError(concat(bushing_type, ": stiffness, damping and preload are all zero, so that the element does ",
                            "nothing; give one of them."));
}

template <class Space>
std::optional<ForceUse> Bushing<Space>::use() const {
  const bool damps = !options_.damping.isZero(0);
  const FrameUse end{.velocity = damps, .angular_velocity = damps};
  return ForceUse{.frames = {end, end}};
}

/// e, e' and Q.
template <class Space>
struct Bushing<Space>::Load {
  Deflection<Space> now;
  Components<Space> rate, Q;
};

template <class Space>
typename Bushing<Space>::Load Bushing<Space>::load(const Motion<Space>& m) const {
  const FrameMotion<Space>&first = m.frame(0), &second = m.frame(1);
  const Rotation<Space>& R = first.pose.rotation;
  Load out{Deflection<Space>(first.pose, second.pose), {}, {}};
  out.rate << out.now.turn_rate(from_ground(R, Angular<Space>(second.velocity.angular - first.velocity.angular))),
      R.transpose() * (second.velocity.linear - detail::velocity_at(m, 0, second.pose.position));
  out.Q = options_.preload - options_.stiffness * out.now.e - options_.damping * out.rate;
  return out;
}

template <class Space>
void Bushing<Space>::do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const {
  const Rotation<Space>& R = m.frame(0).pose.rotation;
  const Load at = load(m);
  const Vector<Space> force = R * at.Q.template tail<Space::dimension>();
  detail::add_opposite_forces<Space>(m, force, m.frame(1).pose.position, sums);
  detail::add_opposite_torques<Space>(to_ground(R, at.now.torque(angular_part<Space>(at.Q))), sums);
}

template <class Space>
std::vector<ElementReport> Bushing<Space>::reports() const {
  if constexpr (Space::dimension == 2)
    return {{"angle", "rad"}, {"displacement x", "m"}, {"displacement y", "m"}, {"torque", "N m"},
            {"force x", "N"}, {"force y", "N"},        {"power", "W"}};
  else
    return {{"turn x", "rad"},       {"turn y", "rad"},       {"turn z", "rad"},   {"displacement x", "m"},
            {"displacement y", "m"}, {"displacement z", "m"}, {"torque x", "N m"}, {"torque y", "N m"},
            {"torque z", "N m"},     {"force x", "N"},        {"force y", "N"},    {"force z", "N"},
            {"power", "W"}};
}

template <class Space>
void Bushing<Space>::do_report(const Motion<Space>& m, double* values) const {
  const Load at = load(m);
  for (const double x : at.now.e) *values++ = x;
  for (const double x : at.Q) *values++ = x;
  *values = at.Q.dot(at.rate);
}

template <class Space>
double Bushing<Space>::do_potential_energy(const Motion<Space>& m) const {
  const Components<Space> e = Deflection<Space>(m.frame(0).pose, m.frame(1).pose).e;
  return 0.5 * e.dot(options_.stiffness * e) - options_.preload.dot(e);
}

template class Bushing<Planar>;
template class Bushing<Spatial>;

}  // namespace linkwork
