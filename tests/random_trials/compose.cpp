#include "compose.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/air_spring.hpp>
#include <linkwork/forces/anti_roll_bar.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/series_spring_damper.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/constant_velocity.hpp>
#include <linkwork/joints/constraints/disc_on_plane.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/constraints/plane_curve_contact.hpp>
#include <linkwork/joints/constraints/rack_and_pinion.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/cylindrical.hpp>
#include <linkwork/joints/driven_path.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/free.hpp>
#include <linkwork/joints/free_by_angles.hpp>
#include <linkwork/joints/plane_joint.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/point_on_plane.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/screw.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>

#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

namespace linkwork::test {

namespace {

using JointKind = Description::JointKind;
using ConstraintKind = Description::ConstraintKind;
using ForceKind = Description::ForceKind;

/// Adds the described elements to a model.
template <class Space>
class Composer {
 public:
  Composer(const Description& mechanism, const Composition& how)
      : d_(mechanism), unit_(how.unit), order_(how.order), model_("mechanism " + std::to_string(mechanism.seed)) {}

  Model<Space> compose(bool report) {
    model_.set_gravity(vector(unit_ * d_.gravity));
    in_order(d_.bodies, [&](const auto& body) { add_body(body); });
    in_order(d_.joints, [&](const auto& joint) { add_joint(joint); });
    in_order(d_.constraints, [&](const auto& constraint) { add_constraint(constraint); });
    in_order(d_.forces, [&](const auto& force) { add_force(force); });
    if (report) add_observables();
    return std::move(model_);
  }

 private:
  static constexpr bool planar = Space::dimension == 2;

  template <class Items, class Add>
  void in_order(const Items& items, const Add& add) {
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(order_);
    for (std::size_t left = order_ > 0 ? order.size() : 0; left > 1; --left)
      std::swap(order[left - 1], order[random() % left]);
    for (const std::size_t i : order) add(items[i]);
  }

  static Vector<Space> vector(const Eigen::Vector3d& v) { return v.head<Space::dimension>(); }
  static Angular<Space> angular(const Eigen::Vector3d& w) {
    if constexpr (planar)
      return w.z();
    else
      return w;
  }
  template <class Turned>
  static Orientation<Space> orientation(const Turned& of) {
    if constexpr (planar)
      return of.angle;
    else
      return of.orientation;
  }
  BodyRef<Space> body(int index) const {
    return index < 0 ? model_.ground() : model_.body(d_.bodies[static_cast<std::size_t>(index)].name);
  }
  Frame<Space> frame(const Description::Frame& f) const {
    return body(f.body).at(vector(unit_ * f.offset), orientation(f));
  }
  static Input input(const Description::Drive& drive, double unit) {
    return Input([drive, unit](double t) {
      return InputValue{unit * (drive.value + t * (drive.rate + t * drive.acceleration / 2)),
                        unit * (drive.rate + t * drive.acceleration), unit * drive.acceleration};
    });
  }

  void add_body(const Description::Body& b) {
    BodyRef<Space> added;
    switch (b.kind) {
      case Description::BodyKind::rigid: {
        const double inertia_unit = unit_ * unit_;
        if constexpr (planar)
          added = model_.add_body(
              b.name, MassProperties::planar(b.mass, inertia_unit * b.inertia(2, 2), vector(unit_ * b.center)));
        else
          added = model_.add_body(b.name, MassProperties::given(b.mass, unit_ * b.center, inertia_unit * b.inertia));
        break;
      }
      case Description::BodyKind::rotor_carrier:
        if constexpr (!planar)
          added = model_.template add_body<RotorCarrier>(
              b.name, MassProperties::given(b.mass, unit_ * b.center, unit_ * unit_ * b.inertia),
              unit_ * unit_ * b.momentum);
        break;
      case Description::BodyKind::point_mass:
      case Description::BodyKind::massless_node:
        if (b.kind == Description::BodyKind::point_mass)
          added = model_.template add_body<PointMass>(b.name, b.mass);
        else
          added = model_.template add_body<MasslessNode>(b.name);
        added.place(vector(unit_ * b.position)).move(vector(unit_ * b.velocity));
        return;
      case Description::BodyKind::massless_frame:
        added = model_.template add_body<MasslessFrame>(b.name);
        break;
    }
    added.place(vector(unit_ * b.position), orientation(b));
    added.move(vector(unit_ * b.velocity), angular(b.angular_velocity));
  }

  template <template <class> class J, class... Arguments>
  void join(const Description::Joint& j, Arguments&&... arguments) {
    model_.template add_joint<J>(j.name, frame(j.father), frame(j.son), std::forward<Arguments>(arguments)...);
  }
  template <class J, class... Arguments>
  void join_in_space(const Description::Joint& j, Arguments&&... arguments) {
    if constexpr (!planar)
      model_.template add_joint<J>(j.name, frame(j.father), frame(j.son), std::forward<Arguments>(arguments)...);
  }
  void add_joint(const Description::Joint& j) {
    const Axis axis(j.axis);
    switch (j.kind) {
      case JointKind::fixed:
        return join<Fixed>(j);
      case JointKind::revolute:
        if constexpr (planar)
          return join<Revolute>(j);
        else
          return join<Revolute>(j, axis);
      case JointKind::prismatic:
        return join<Prismatic>(j, axis);
      case JointKind::cylindrical:
        return join_in_space<Cylindrical>(j, axis);
      case JointKind::screw:
        return join_in_space<Screw>(j, axis, unit_ * j.pitch);
      case JointKind::spherical:
        return join_in_space<Spherical>(j);
      case JointKind::universal:
        return join_in_space<Universal>(j, axis, Axis(j.second));
      case JointKind::constant_velocity:
        return join_in_space<ConstantVelocity>(j, axis);
      case JointKind::free:
        return join<Free>(j);
      case JointKind::free_by_angles:
        return join_in_space<FreeByAngles>(j, CardanAxes(Axis::x(), Axis::y(), Axis::z()));
      case JointKind::free_translation:
        return join<FreeTranslation>(j);
      case JointKind::plane:
        return join_in_space<PlaneJoint>(j, axis);
      case JointKind::point_on_line:
        return join<PointOnLine>(j, axis);
      case JointKind::point_on_plane:
        return join_in_space<PointOnPlane>(j, axis);
      case JointKind::driven_revolute:
        if constexpr (planar)
          return join<DrivenRevolute>(j, input(j.drive, 1));
        else
          return join<DrivenRevolute>(j, axis, input(j.drive, 1));
      case JointKind::driven_prismatic:
        return join<DrivenPrismatic>(j, axis, input(j.drive, unit_));
      case JointKind::driven_path:
        return join_in_space<DrivenPath>(j, path(j.second.x(), j.second.y()), input(j.drive, 1));
    }
  }

  Path path(double a, double b) const {
    return track_path([a, b, unit = unit_](double s) {
      return SpaceCurvePoint{.position = unit * Eigen::Vector3d(s, a * s * s, b * s * s * s),
                             .first = unit * Eigen::Vector3d(1, 2 * a * s, 3 * b * s * s),
                             .second = unit * Eigen::Vector3d(0, 2 * a, 6 * b * s),
                             .third = unit * Eigen::Vector3d(0, 0, 6 * b)};
    });
  }

  double unit_of_coordinate(int joint) const {
    return d_.joints[static_cast<std::size_t>(joint)].kind == JointKind::prismatic ? unit_ : 1;
  }
  JointRef<Space> joint(int index) const { return model_.joint(d_.joints[static_cast<std::size_t>(index)].name); }
  void add_constraint(const Description::Constraint& c) {
    switch (c.kind) {
      case ConstraintKind::rod:
        model_.template add_constraint<Rod>(c.name, frame(c.first), frame(c.second), unit_ * c.drive.value);
        return;
      case ConstraintKind::driven_rod:
        model_.template add_constraint<Rod>(c.name, frame(c.first), frame(c.second), input(c.drive, unit_));
        return;
      case ConstraintKind::gear:
        model_.template add_constraint<Gear>(
            c.name, joint(c.first_joint), joint(c.second_joint),
            c.ratio * unit_of_coordinate(c.second_joint) / unit_of_coordinate(c.first_joint));
        return;
      case ConstraintKind::rack_and_pinion:
        model_.template add_constraint<RackAndPinion>(c.name, frame(c.first), frame(c.second), unit_ * c.ratio,
                                                      Axis(c.axis));
        return;
      case ConstraintKind::knife_edge:
        model_.template add_constraint<KnifeEdge>(c.name, frame(c.first), Axis(c.axis));
        return;
      case ConstraintKind::driven_speed:
        model_.template add_constraint<DrivenSpeed>(c.name, frame(c.first), Axis(c.axis), input(c.drive, unit_));
        return;
      case ConstraintKind::disc_on_plane:
        return constrain_in_space<DiscOnPlane>(c, unit_ * c.ratio, Axis(c.axis));
      case ConstraintKind::rolling_disc:
        return constrain_in_space<RollingDisc>(c, unit_ * c.ratio, Axis(c.axis));
      case ConstraintKind::point_on_circle:
        if constexpr (planar)
          model_.template add_constraint<PointOnPlaneCurve>(c.name, frame(c.first), PlaneCurve::circle(unit_ * c.ratio),
                                                            frame(c.second), c.start[0]);
        return;
      case ConstraintKind::touching_circles:
      case ConstraintKind::circle_on_line:
        return constrain_curves<PlaneCurveContact>(c);
      case ConstraintKind::rolling_circles:
      case ConstraintKind::circle_rolling_on_line:
        return constrain_curves<PlaneCurveRolling>(c);
    }
  }
  template <class C, class... Arguments>
  void constrain_in_space(const Description::Constraint& c, Arguments&&... arguments) {
    if constexpr (!planar)
      model_.template add_constraint<C>(c.name, frame(c.first), frame(c.second), std::forward<Arguments>(arguments)...);
  }
  template <class C>
  void constrain_curves(const Description::Constraint& c) {
    const bool on_line = c.kind == ConstraintKind::circle_on_line || c.kind == ConstraintKind::circle_rolling_on_line;
    if constexpr (planar)
      model_.template add_constraint<C>(c.name, frame(c.first),
                                        on_line ? PlaneCurve::line() : PlaneCurve::circle(unit_ * c.ratio),
                                        frame(c.second), PlaneCurve::circle(unit_ * std::abs(c.height)),
                                        Eigen::Vector2d(on_line ? unit_ * c.start[0] : c.start[0], c.start[1]));
  }

  Eigen::Matrix<double, Space::n, Space::n> in_unit(const Eigen::Matrix<double, 6, 6>& A) const {
    Eigen::Matrix<double, 6, 1> lengths;
    lengths << unit_, unit_, unit_, 1, 1, 1;
    const Eigen::Matrix<double, 6, 6> scaled = lengths.asDiagonal() * A * lengths.asDiagonal();
    if constexpr (planar)
      return scaled(std::vector{2, 3, 4}, std::vector{2, 3, 4});
    else
      return scaled;
  }
  void add_force(const Description::Force& f) {
    switch (f.kind) {
      case ForceKind::spring_damper:
        model_.template add_force<SpringDamper>(
            f.name, frame(f.first), frame(f.second),
            {.stiffness = f.stiffness, .damping = f.damping, .free_length = unit_ * f.free});
        return;
      case ForceKind::torsion_spring_damper: {
        const typename TorsionSpringDamper<Space>::Options options{
            .stiffness = unit_ * unit_ * f.stiffness, .damping = unit_ * unit_ * f.damping, .free_angle = f.free};
        if constexpr (planar)
          model_.template add_force<TorsionSpringDamper>(f.name, frame(f.first), frame(f.second), options);
        else
          model_.template add_force<TorsionSpringDamper>(f.name, frame(f.first), frame(f.second), Axis(f.axis),
                                                         options);
        return;
      }
      case ForceKind::bushing: {
        typename Bushing<Space>::Options options;
        options.stiffness = in_unit(f.stiffness_matrix);
        options.damping = in_unit(f.damping_matrix);
        model_.template add_force<Bushing>(f.name, frame(f.first), frame(f.second), options);
        return;
      }
      case ForceKind::force:
        model_.template add_force<AppliedForce>(f.name, frame(f.first), vector(unit_ * f.value));
        return;
      case ForceKind::force_on_body:
        model_.template add_force<AppliedForce>(f.name, frame(f.first), vector(unit_ * f.value), AppliedAxes::frame);
        return;
      case ForceKind::torque:
        model_.template add_force<AppliedTorque>(f.name, frame(f.first), angular(unit_ * unit_ * f.value));
        return;
      case ForceKind::driven_force:
        model_.template add_force<AppliedForce>(f.name, frame(f.first), input(f.drive, unit_), vector(f.axis));
        return;
      case ForceKind::drag:
        model_.template add_force<AppliedForce>(f.name, frame(f.first), [c = f.damping](const Motion<Space>& m) {
          return Vector<Space>(-c * m.frame(0).velocity.linear);
        });
        return;
      case ForceKind::air_spring:
        model_.template add_force<AirSpring>(f.name, frame(f.first), frame(f.second),
                                             {.force = unit_ * f.stiffness,
                                              .length = unit_ * f.free,
                                              .gas_height = unit_ * f.damping,
                                              .area = unit_ * unit_ * air_area,
                                              .exponent = air_exponent,
                                              .ambient = air_pressure / unit_});
        return;
      case ForceKind::series_spring_damper: {
        typename SeriesSpringDamper<Space>::Options options;
        options.stiffness = f.stiffness;
        options.damping = f.damping;
        options.free_length = unit_ * f.free;
        options.initial = unit_ * f.state;
        options.typical_rate = unit_;
        model_.template add_force<SeriesSpringDamper>(f.name, frame(f.first), frame(f.second), options);
        return;
      }
      case ForceKind::actuator_force:
      case ForceKind::actuator_torque:
        return add_actuator(f, f.kind == ForceKind::actuator_torque);
      case ForceKind::anti_roll_bar:
        if constexpr (!planar)
          model_.template add_force<AntiRollBar>(
              f.name, frame(f.third), frame(f.first), frame(f.second),
              AntiRollBar::Options{.stiffness = f.stiffness, .damping = f.damping, .up = Axis(f.axis)});
        return;
    }
  }

  void add_actuator(const Description::Force& f, bool is_torque) {
    using Actuators = Actuator<Space>;
    const double effort_unit = is_torque ? unit_ * unit_ : unit_;
    typename Actuators::Options options;
    options.command = [effort = effort_unit * f.stiffness](const Motion<Space>&) { return effort; };
    options.time_constant = f.damping;
    options.initial = effort_unit * f.state;
    options.effort = is_torque ? Actuators::Effort::torque : Actuators::Effort::force;
    if (!planar || !is_torque) options.axis = vector(f.axis);
    model_.template add_force<Actuator>(f.name, frame(f.first), frame(f.second), options);
  }

  // Reports.
  using Reader = std::function<double(const Snapshot<Space>&)>;
  void report(const std::string& name, Reader read) { model_.add_observable(name, "", std::move(read)); }
  template <class Read>
  void report_twist(const std::string& name, const Read& read) {  // read gives an angular and a linear part
    for (int i = 0; i < Space::angular; ++i)
      report(name + " angular " + std::to_string(i), [read, i](const Snapshot<Space>& s) {
        if constexpr (planar)
          return read(s).first;
        else
          return read(s).first[i];
      });
    for (int i = 0; i < Space::dimension; ++i)
      report(name + " linear " + std::to_string(i), [read, i](const Snapshot<Space>& s) { return read(s).second[i]; });
  }
  void add_observables() {
    for (const Description::Body& b : d_.bodies) {
      const Frame<Space> origin = model_.body(b.name).origin();
      report_twist(b.name + ": acceleration", [origin](const Snapshot<Space>& s) {
        const Twist<Space> a = s.acceleration(origin);
        return std::pair(a.angular, a.linear);
      });
      for (int i = 0; i < Space::dimension * Space::dimension; ++i)
        report(b.name + ": attitude " + std::to_string(i),
               [origin, i](const Snapshot<Space>& s) { return s.pose(origin).rotation.data()[i]; });
      for (int i = 0; i < Space::dimension; ++i)
        report(b.name + ": position " + std::to_string(i),
               [origin, i](const Snapshot<Space>& s) { return s.pose(origin).position[i]; });
    }
    for (const Description::Joint& j : d_.joints) {
      const JointRef<Space> joint = model_.joint(j.name);
      report_twist(j.name + ": reaction", [joint](const Snapshot<Space>& s) {
        const Wrench<Space> reaction = s.reaction(joint);
        return std::pair(reaction.torque, reaction.force);
      });
    }
  }

  const Description& d_;
  double unit_;
  unsigned order_;
  Model<Space> model_;
};

/// Writes the described elements as a program.
class Printer {
 public:
  explicit Printer(const Description& mechanism) : d_(mechanism) {
    out_.precision(std::numeric_limits<double>::max_digits10);
  }

  std::string program() {
    out_ << "// Random mechanism, seed " << d_.seed << "\n#include <linkwork/linkwork.hpp>\n\n#include <iostream>\n\n"
         << "using namespace linkwork;\nusing Eigen::Quaterniond;\n\nint main() {\n  "
         << (d_.planar ? "Planar" : "Spatial") << "Model model;\n  model.set_gravity(" << vector(d_.gravity) << ");\n";
    for (std::size_t i = 0; i < d_.bodies.size(); ++i) print_body(d_.bodies[i], i);
    for (std::size_t i = 0; i < d_.joints.size(); ++i) print_joint(d_.joints[i], i);
    for (const Description::Constraint& constraint : d_.constraints) print_constraint(constraint);
    for (const Description::Force& force : d_.forces) print_force(force);
    out_ << "  Simulation simulation(model, {.formulation = Formulation::absolute});\n  simulation.run(0, 0.1);\n"
         << "  std::cout << simulation.summary();\n}\n";
    return out_.str();
  }

 private:
  template <class... Parts>
  std::string text(const Parts&... parts) const {
    std::ostringstream out;
    out.precision(std::numeric_limits<double>::max_digits10);
    (out << ... << parts);
    return out.str();
  }
  std::string vector(const Eigen::Vector3d& v) const {
    return d_.planar ? text("Eigen::Vector2d(", v.x(), ", ", v.y(), ")")
                     : text("Eigen::Vector3d(", v.x(), ", ", v.y(), ", ", v.z(), ")");
  }
  std::string axis(const Eigen::Vector3d& v) const {
    return text("Axis(Eigen::Vector3d(", v.x(), ", ", v.y(), ", ", v.z(), "))");
  }
  std::string angular(const Eigen::Vector3d& w) const { return d_.planar ? text(w.z()) : vector(w); }
  template <class Turned>
  std::string orientation(const Turned& of) const {
    const Eigen::Quaterniond& q = of.orientation;
    return d_.planar ? text(of.angle) : text("Quaterniond(", q.w(), ", ", q.x(), ", ", q.y(), ", ", q.z(), ")");
  }
  std::string frame(const Description::Frame& f) const {
    const std::string body = f.body < 0 ? "model.ground()" : text("b", f.body);
    const bool is_plain = f.offset.isZero(0) && f.orientation.isApprox(Eigen::Quaterniond::Identity(), 0);
    return is_plain ? body + ".origin()" : text(body, ".at(", vector(f.offset), ", ", orientation(f), ")");
  }
  std::string drive(const Description::Drive& u) const {
    return text("[](double t) { return InputValue{", u.value, " + ", u.rate, " * t + ", u.acceleration / 2,
                " * t * t, ", u.rate, " + ", u.acceleration, " * t, ", u.acceleration, "}; }");
  }
  template <int n>
  std::string matrix(const Eigen::Matrix<double, n, n>& A) const {
    std::string out;
    for (int i = 0; i < n * n; ++i) out += text(i > 0 ? ", " : "", A(i / n, i % n));
    return text("(Eigen::Matrix<double, ", n, ", ", n, ">() << ", out, ").finished()");
  }

  void print_body(const Description::Body& b, std::size_t i) {
    out_ << "  auto b" << i << " = model.add_body";
    if (b.kind == Description::BodyKind::massless_frame)
      out_ << "<MasslessFrame>(\"" << b.name << "\");\n";
    else if (b.kind == Description::BodyKind::massless_node)
      out_ << "<MasslessNode>(\"" << b.name << "\");\n";
    else if (b.kind == Description::BodyKind::rotor_carrier)
      out_ << "<RotorCarrier>(\"" << b.name << "\", MassProperties::given(" << b.mass << ", " << vector(b.center)
           << ", " << matrix<3>(b.inertia) << "), " << vector(b.momentum) << ");\n";
    else if (b.kind == Description::BodyKind::point_mass)
      out_ << "<PointMass>(\"" << b.name << "\", " << b.mass << ");\n";
    else if (d_.planar)
      out_ << "(\"" << b.name << "\", MassProperties::planar(" << b.mass << ", " << b.inertia(2, 2) << ", "
           << vector(b.center) << "));\n";
    else
      out_ << "(\"" << b.name << "\", MassProperties::given(" << b.mass << ", " << vector(b.center) << ", "
           << matrix<3>(b.inertia) << "));\n";
    const bool turns = Description::turns(b.kind);
    out_ << "  b" << i << ".place(" << vector(b.position) << (turns ? ", " + orientation(b) : "") << ").move("
         << vector(b.velocity) << (turns ? ", " + angular(b.angular_velocity) : "") << ");\n";
  }

  void print_joint(const Description::Joint& j, std::size_t i) {
    const auto [type, arguments] = joint_type(j);
    out_ << "  auto j" << i << " = model.add_joint<" << type << ">(\"" << j.name << "\", " << frame(j.father) << ", "
         << frame(j.son) << (arguments.empty() ? "" : ", ") << arguments << ");\n";
  }
  std::pair<std::string, std::string> joint_type(const Description::Joint& j) const {
    switch (j.kind) {
      case JointKind::fixed:
        return {"Fixed", ""};
      case JointKind::revolute:
        return {"Revolute", d_.planar ? "" : axis(j.axis)};
      case JointKind::prismatic:
        return {"Prismatic", axis(j.axis)};
      case JointKind::cylindrical:
        return {"Cylindrical", axis(j.axis)};
      case JointKind::screw:
        return {"Screw", text(axis(j.axis), ", ", j.pitch)};
      case JointKind::spherical:
        return {"Spherical", ""};
      case JointKind::universal:
        return {"Universal", text(axis(j.axis), ", ", axis(j.second))};
      case JointKind::constant_velocity:
        return {"ConstantVelocity", axis(j.axis)};
      case JointKind::free:
        return {"Free", ""};
      case JointKind::free_by_angles:
        return {"FreeByAngles", "CardanAxes(Axis::x(), Axis::y(), Axis::z())"};
      case JointKind::free_translation:
        return {"FreeTranslation", ""};
      case JointKind::plane:
        return {"PlaneJoint", axis(j.axis)};
      case JointKind::point_on_line:
        return {"PointOnLine", axis(j.axis)};
      case JointKind::point_on_plane:
        return {"PointOnPlane", axis(j.axis)};
      case JointKind::driven_revolute:
        return {"DrivenRevolute", text(d_.planar ? "" : axis(j.axis) + ", ", "Input(", drive(j.drive), ")")};
      case JointKind::driven_prismatic:
        return {"DrivenPrismatic", text(axis(j.axis), ", Input(", drive(j.drive), ")")};
      case JointKind::driven_path:
        return {"DrivenPath", text("track_path([](double s) { return SpaceCurvePoint{{s, ", j.second.x(), " * s * s, ",
                                   j.second.y(), " * s * s * s}, {1, ", 2 * j.second.x(), " * s, ", 3 * j.second.y(),
                                   " * s * s}, {0, ", 2 * j.second.x(), ", ", 6 * j.second.y(), " * s}, {0, 0, ",
                                   6 * j.second.y(), "}}; }), Input(", drive(j.drive), ")")};
    }
    return {};
  }

  void print_constraint(const Description::Constraint& c) {
    const auto add = [&](const char* type, const std::string& arguments) {
      out_ << "  model.add_constraint<" << type << ">(\"" << c.name << "\", " << arguments << ");\n";
    };
    const std::string both = text(frame(c.first), ", ", frame(c.second));
    switch (c.kind) {
      case ConstraintKind::rod:
        return add("Rod", text(both, ", ", c.drive.value));
      case ConstraintKind::driven_rod:
        return add("Rod", text(both, ", Input(", drive(c.drive), ")"));
      case ConstraintKind::gear:
        return add("Gear", text("j", c.first_joint, ", j", c.second_joint, ", ", c.ratio));
      case ConstraintKind::rack_and_pinion:
        return add("RackAndPinion", text(both, ", ", c.ratio, ", ", axis(c.axis)));
      case ConstraintKind::knife_edge:
        return add("KnifeEdge", text(frame(c.first), ", ", axis(c.axis)));
      case ConstraintKind::driven_speed:
        return add("DrivenSpeed", text(frame(c.first), ", ", axis(c.axis), ", Input(", drive(c.drive), ")"));
      case ConstraintKind::disc_on_plane:
        return add("DiscOnPlane", text(both, ", ", c.ratio, ", ", axis(c.axis)));
      case ConstraintKind::rolling_disc:
        return add("RollingDisc", text(both, ", ", c.ratio, ", ", axis(c.axis)));
      case ConstraintKind::point_on_circle:
        return add("PointOnPlaneCurve",
                   text(frame(c.first), ", PlaneCurve::circle(", c.ratio, "), ", frame(c.second), ", ", c.start[0]));
      case ConstraintKind::touching_circles:
        return add("PlaneCurveContact", curves(c, text("circle(", c.ratio, ")")));
      case ConstraintKind::rolling_circles:
        return add("PlaneCurveRolling", curves(c, text("circle(", c.ratio, ")")));
      case ConstraintKind::circle_on_line:
        return add("PlaneCurveContact", curves(c, "line()"));
      case ConstraintKind::circle_rolling_on_line:
        return add("PlaneCurveRolling", curves(c, "line()"));
    }
  }
  std::string curves(const Description::Constraint& c, const std::string& first) const {
    return text(frame(c.first), ", PlaneCurve::", first, ", ", frame(c.second), ", PlaneCurve::circle(",
                std::abs(c.height), "), Eigen::Vector2d(", c.start[0], ", ", c.start[1], ")");
  }

  void print_force(const Description::Force& f) {
    const auto add = [&](const char* type, const std::string& arguments) {
      out_ << "  model.add_force<" << type << ">(\"" << f.name << "\", " << arguments << ");\n";
    };
    const std::string both = text(frame(f.first), ", ", frame(f.second));
    switch (f.kind) {
      case ForceKind::spring_damper:
        return add("SpringDamper", text(both, ", {.stiffness = ", f.stiffness, ", .damping = ", f.damping,
                                        ", .free_length = ", f.free, "}"));
      case ForceKind::torsion_spring_damper:
        return add("TorsionSpringDamper",
                   text(both, ", ", d_.planar ? "" : axis(f.axis) + ", ", "TorsionSpringDamper<",
                        d_.planar ? "Planar" : "Spatial", ">::Options{.stiffness = ", f.stiffness,
                        ", .damping = ", f.damping, ", .free_angle = ", f.free, "}"));
      case ForceKind::bushing: {
        const std::vector<int> in_plane{2, 3, 4};
        const auto print = [&](const Eigen::Matrix<double, 6, 6>& A) {
          return d_.planar ? matrix<3>(A(in_plane, in_plane)) : matrix<6>(A);
        };
        return add("Bushing", text(both, ", {.stiffness = ", print(f.stiffness_matrix),
                                   ", .damping = ", print(f.damping_matrix), "}"));
      }
      case ForceKind::force:
        return add("AppliedForce", text(frame(f.first), ", ", vector(f.value)));
      case ForceKind::force_on_body:
        return add("AppliedForce", text(frame(f.first), ", ", vector(f.value), ", AppliedAxes::frame"));
      case ForceKind::torque:
        return add("AppliedTorque", text(frame(f.first), ", ", angular(f.value)));
      case ForceKind::driven_force:
        return add("AppliedForce", text(frame(f.first), ", Input(", drive(f.drive), "), ", vector(f.axis)));
      case ForceKind::drag: {
        const char* space = d_.planar ? "Planar" : "Spatial";
        return add("AppliedForce", text(frame(f.first), ", [](const Motion<", space, ">& m) { return Vector<", space,
                                        ">(-", f.damping, " * m.frame(0).velocity.linear); }"));
      }
      case ForceKind::air_spring:
        return add("AirSpring",
                   text(both, ", {.force = ", f.stiffness, ", .length = ", f.free, ", .gas_height = ", f.damping,
                        ", .area = ", air_area, ", .exponent = ", air_exponent, ", .ambient = ", air_pressure, "}"));
      case ForceKind::series_spring_damper:
        return add("SeriesSpringDamper", text(both, ", {.stiffness = ", f.stiffness, ", .damping = ", f.damping,
                                              ", .free_length = ", f.free, ", .initial = ", f.state, "}"));
      case ForceKind::actuator_force:
        return print_actuator(f, "force", vector(f.axis));
      case ForceKind::actuator_torque:
        return print_actuator(f, "torque", d_.planar ? "std::nullopt" : vector(f.axis));
      case ForceKind::anti_roll_bar:
        return add("AntiRollBar", text(frame(f.third), ", ", both, ", AntiRollBar::Options{.stiffness = ", f.stiffness,
                                       ", .damping = ", f.damping, ", .up = ", axis(f.axis), "}"));
    }
  }
  void print_actuator(const Description::Force& f, const char* effort, const std::string& along) {
    const std::string type = text("Actuator<", d_.planar ? "Planar" : "Spatial", ">");
    out_ << "  model.add_force<Actuator>(\"" << f.name << "\", " << frame(f.first) << ", " << frame(f.second) << ", "
         << type << "::Options{.command = [](const auto&) { return " << f.stiffness
         << "; }, .time_constant = " << f.damping << ", .initial = " << f.state << ", .effort = " << type
         << "::Effort::" << effort << ", .axis = " << along << "});\n";
  }

  const Description& d_;
  std::ostringstream out_;
};

}  // namespace

template <class Space>
Model<Space> compose(const Description& mechanism, const Composition& how) {
  return Composer<Space>(mechanism, how).compose(how.report);
}
template Model<Planar> compose<Planar>(const Description&, const Composition&);
template Model<Spatial> compose<Spatial>(const Description&, const Composition&);

std::string program_of(const Description& mechanism) { return Printer(mechanism).program(); }

}  // namespace linkwork::test
