#include <linkwork/solvers/formulations/body_metric.hpp>

#include <linkwork/core/pose.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

#include <Eigen/Cholesky>
#include <cmath>

namespace linkwork {

namespace {

constexpr double of_mean_mass = 1e-10;

/// An attitude as numbers whose differences measure turns: the angle in the plane, twice a quaternion in space.
Eigen::VectorXd attitude(const Pose<Planar>& pose) { return Eigen::VectorXd::Constant(1, pose.angle); }
Eigen::VectorXd attitude(const Pose<Spatial>& pose) {
  const Eigen::Quaterniond q(pose.rotation);
  return 2 * Eigen::Vector4d(q.w(), q.x(), q.y(), q.z());
}
/// The same attitude as numbers near others.
Eigen::VectorXd near(const Eigen::VectorXd& others, const Eigen::VectorXd& attitude) {
  return attitude.size() == 4 && others.dot(attitude) < 0 ? Eigen::VectorXd(-attitude) : attitude;
}
/// Rate of the numbers at an angular velocity, ground axes.
Eigen::VectorXd attitude_rate(const Eigen::VectorXd&, double omega) { return Eigen::VectorXd::Constant(1, omega); }
Eigen::VectorXd attitude_rate(const Eigen::VectorXd& numbers, const Eigen::Vector3d& omega) {
  const Eigen::Quaterniond q(numbers[0], numbers[1], numbers[2], numbers[3]);
  const Eigen::Quaterniond rate = Eigen::Quaterniond(0, 0.5 * omega.x(), 0.5 * omega.y(), 0.5 * omega.z()) * q;
  return Eigen::Vector4d(rate.w(), rate.x(), rate.y(), rate.z());
}

template <class Space>
class OfGraph final : public BodyMetric {
 public:
  explicit OfGraph(GraphEquations<Space>& equations)
      : equations_(equations), length_(equations.characteristic_length()) {
    for (int i = 0; i < count(); ++i) mass_ += body(i).mass();
    if (mass_ == 0) mass_ = 1;
    own_mass_ = of_mean_mass * mass_ / count();
    for (int i = 0; i < count(); ++i) {
      poses_ += dimension + (body(i).rotates() ? attitude_size : 0);
      twists_ += dimension + (body(i).rotates() ? angular : 0);
    }
  }

  Place placed() const override {
    Place out = empty_place();
    for_each_body([&](int i, Eigen::Index at_pose, Eigen::Index at_twist) {
      const BodyEntry<Space>& entry = equations_.body_entry(i);
      Pose<Space> pose = entry.pose;
      pose.rotation = rotation_matrix(entry.orientation);
      if constexpr (dimension == 2) pose.angle = entry.orientation;
      const Vector<Space> arm = pose.rotation * entry.body->center_of_mass();
      pose.position += arm;
      const Angular<Space>& omega = entry.velocity.angular;
      write(i, pose, out.poses, at_pose);
      write(i, Twist<Space>{omega, entry.velocity.linear + cross(omega, arm)}, out.twists, at_twist);
    });
    return out;
  }

  Place here() override {
    equations_.need_body_motions();
    Place out = empty_place();
    for_each_body([&](int i, Eigen::Index at_pose, Eigen::Index at_twist) {
      write(i, equations_.body_pose(i), out.poses, at_pose);
      write(i, equations_.body_twist(i), out.twists, at_twist);
    });
    return out;
  }

  Eigen::VectorXd position_change(const Place& from) override {
    Eigen::VectorXd out = here().poses;
    for_each_body([&](int i, Eigen::Index pose, Eigen::Index) {
      out.segment<dimension>(pose) -= from.poses.segment<dimension>(pose);
      if (!body(i).rotates()) return;
      const Eigen::VectorXd there = from.poses.segment<attitude_size>(pose + dimension);
      out.segment<attitude_size>(pose + dimension) =
          length_ * (near(there, out.segment<attitude_size>(pose + dimension)) - there);
    });
    return out;
  }

  Eigen::MatrixXd position_derivative(const Place& from) override {
    const Eigen::VectorXd poses = here().poses;
    const Eigen::MatrixXd twists = twist_derivative();
    Eigen::MatrixXd out(poses_, twists.cols());
    for_each_body([&](int i, Eigen::Index pose, Eigen::Index twist) {
      out.middleRows<dimension>(pose) = twists.middleRows<dimension>(twist);
      if (!body(i).rotates()) return;
      const Eigen::VectorXd numbers =
          near(from.poses.segment<attitude_size>(pose + dimension), poses.segment<attitude_size>(pose + dimension));
      for (Eigen::Index k = 0; k < twists.cols(); ++k) {
        Angular<Space> omega;
        detail::load(&twists(twist + dimension, k), omega);
        out.col(k).template segment<attitude_size>(pose + dimension) = length_ * attitude_rate(numbers, omega);
      }
    });
    return out;
  }

  Eigen::VectorXd velocity_change(const Place& from) override {
    Eigen::MatrixXd out = here().twists - from.twists;
    weigh(out);
    return out;
  }

  Eigen::MatrixXd velocity_derivative() override {
    Eigen::MatrixXd out = twist_derivative();
    weigh(out);
    return out;
  }

 private:
  static constexpr int dimension = Space::dimension, angular = Space::angular;
  static constexpr int attitude_size = dimension == 2 ? 1 : 4;

  int count() const { return equations_.body_count(); }
  const Body<Space>& body(int i) const { return *equations_.body_entry(i).body; }

  /// visit(body, first number of its pose, first number of its twist)
  template <class Visit>
  void for_each_body(Visit&& visit) const {
    Eigen::Index pose = 0, twist = 0;
    for (int i = 0; i < count(); ++i) {
      visit(i, pose, twist);
      pose += dimension + (body(i).rotates() ? attitude_size : 0);
      twist += dimension + (body(i).rotates() ? angular : 0);
    }
  }

  Place empty_place() const { return {Eigen::VectorXd(poses_), Eigen::VectorXd(twists_)}; }
  void write(int i, const Pose<Space>& pose, Eigen::VectorXd& out, Eigen::Index at) const {
    out.segment<dimension>(at) = pose.position;
    if (body(i).rotates()) out.segment<attitude_size>(at + dimension) = attitude(pose);
  }
  void write(int i, const Twist<Space>& twist, Eigen::VectorXd& out, Eigen::Index at) const {
    out.segment<dimension>(at) = twist.linear;
    if (body(i).rotates()) out.segment<angular>(at + dimension) << twist.angular;
  }

  /// By columns of v: twists are affine functions of v, and what drives do drops out of differences.
  Eigen::MatrixXd twist_derivative() {
    const Eigen::VectorXd v = equations_.velocity();
    const auto twists_at = [&](const Eigen::VectorXd& velocity) {
      equations_.set_velocity(velocity);
      return here().twists;
    };
    const Eigen::VectorXd at_rest = twists_at(Eigen::VectorXd::Zero(v.size()));
    Eigen::MatrixXd out(twists_, v.size());
    for (Eigen::Index k = 0; k < v.size(); ++k) out.col(k) = twists_at(Eigen::VectorXd::Unit(v.size(), k)) - at_rest;
    equations_.set_velocity(v);
    return out;
  }

  /// Squares of twists become twice the kinetic energy over all mass, attitudes being those of the equations.
  void weigh(Eigen::MatrixXd& twists) const {
    for_each_body([&](int i, Eigen::Index, Eigen::Index twist) {
      twists.middleRows<dimension>(twist) *= std::sqrt((body(i).mass() + own_mass_) / mass_);
      if (!body(i).rotates()) return;
      using Inertia = Eigen::Matrix<double, angular, angular>;
      Inertia inertia = body(i).inertia() / mass_;
      inertia.diagonal().array() += own_mass_ / mass_ * length_ * length_;
      Inertia root = inertia.llt().matrixU();
      if constexpr (dimension == 3) root *= equations_.body_pose(i).rotation.transpose();
      twists.middleRows<angular>(twist + dimension) = root * twists.middleRows<angular>(twist + dimension);
    });
  }

  GraphEquations<Space>& equations_;
  double length_, mass_ = 0, own_mass_ = 0;
  Eigen::Index poses_ = 0, twists_ = 0;
};

}  // namespace

std::unique_ptr<BodyMetric> make_body_metric(EquationsOfMotion& equations) {
  if (auto* planar = dynamic_cast<GraphEquations<Planar>*>(&equations))
    return std::make_unique<OfGraph<Planar>>(*planar);
  if (auto* spatial = dynamic_cast<GraphEquations<Spatial>*>(&equations))
    return std::make_unique<OfGraph<Spatial>>(*spatial);
  return nullptr;
}

}  // namespace linkwork
