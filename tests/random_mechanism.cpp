#include "random_mechanism.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/series_spring_damper.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/constant_velocity.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/constraints/rack_and_pinion.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/cylindrical.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/free.hpp>
#include <linkwork/joints/plane_joint.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/point_on_plane.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/screw.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkwork::test {

std::ostream& operator<<(std::ostream& out, const RandomMechanism& options) {
  return out << "seed " << options.seed << ", rigid bodies " << options.rigid_bodies << ", loops " << options.loops
             << (options.massless ? ", massless" : "") << (options.points ? ", points" : "")
             << (options.driven ? ", driven" : "") << (options.all_joints ? ", all joints" : "")
             << (options.gears > 0 ? ", gears" : "") << (options.nonholonomic ? ", nonholonomic" : "")
             << (options.auxiliary ? ", auxiliary" : "") << (options.chain ? ", chain" : "");
}

namespace {

using detail::at;

/// A joint as a user's constraint with rows of its own (MEXX: any G with the right row space).
template <class Space, class J>
class MixedRows final : public Constraint<Space> {
 public:
  MixedRows(const Frame<Space>& father, const Frame<Space>& son, JointRows rows, J joint)
      : Constraint<Space>({father, son}), kind_(rows), joint_(std::move(joint)), T_(joint_.rows(), joint_.rows()) {
    // Rows of sizes 0.1, 1 and 10; diagonally dominant, hence regular.
    for (int i = 0; i < T_.rows(); ++i)
      for (int j = 0; j < T_.cols(); ++j)
        T_(i, j) = std::pow(10, i % 3 - 1) * (0.15 * std::cos(i + 2 * j) + (i == j ? 1 : 0));
  }
  std::string_view type() const override { return "mixed rows"; }
  int rows() const override { return joint_.rows(); }
  bool has_position_rows() const override { return kind_ == JointRows::changing; }

 private:
  void do_residual(const Motion<Space>& m, double* g) const override {
    joint_.residual(m, g);
    if (kind_ == JointRows::mixed) Eigen::VectorXd::Map(g, rows()) = T_ * Eigen::VectorXd::Map(g, rows()).eval();
  }
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override {
    write(m, kind_ == JointRows::changing ? 2 + std::sin(3 * m.frame(0).pose.rotation(0, 0)) : 1, out);
  }
  void do_position_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override {
    if (kind_ == JointRows::changing)
      joint_.velocity_rows(m, out);
    else
      do_rows(m, out);
  }
  void write(const Motion<Space>& m, double factor, ConstraintRows<Space>& out) const {
    joint_.velocity_rows(m, out);
    Eigen::VectorXd rate(rows());
    for (int i = 0; i < rows(); ++i) rate[i] = out.rate(i);
    rate = (factor * T_ * rate).eval();
    for (int i = 0; i < rows(); ++i) out.rate(i) = rate[i];
    for (int k = 0; k < 2; ++k) out.block(k) = (factor * T_ * out.block(k)).eval();
  }

  JointRows kind_;
  J joint_;
  Eigen::MatrixXd T_;
};

/// Draws a mechanism as a plan and then builds the model, in the order asked for. Bodies get random poses first; every
/// joint is made at one point and attitude of the ground, so that positions are consistent. Velocities are zero.
template <class Space>
class MechanismPlan {
 public:
  explicit MechanismPlan(const RandomMechanism& options) : options_(options), random_(options.seed) {
    bodies_.push_back({"", {}, Vector<Space>::Zero(), no_rotation<Space>(), -1, 0});  // the ground
    while (rigid_count_ < options_.rigid_bodies) add_branch();
    for (int i = 0; i < options_.loops; ++i) close_loop();
    for (int i = 0; i < options_.gears; ++i) i % 2 == 0 ? add_gear() : add_rack();
    if (options_.nonholonomic) add_knife_edge();
    if (options_.forces) add_forces();
    if (options_.auxiliary) add_series();
  }

  Model<Space> build() const {
    Model<Space> model(concat("random ", Space::name, " mechanism ", options_.seed));
    if (options_.forces) {
      Vector<Space> gravity = Vector<Space>::Zero();
      gravity[1] = -9.81 * options_.unit;
      model.set_gravity(turned(gravity));
    }
    for (const int i : order(bodies_.size()))
      if (i > 0) bodies_[at(i)].add(model);
    for (const auto& [name, add] : in_order(constraints_)) add(model);
    for (const auto& [name, add] : gears_) add(model);  // after the joints that they couple
    for (const auto& [name, add] : in_order(forces_)) add(model);
    return model;
  }

 private:
  using Add = std::function<void(Model<Space>&)>;
  struct PlannedBody {
    std::string name;
    Add add;
    Vector<Space> position = Vector<Space>::Zero();
    Orientation<Space> orientation;
    int father = -1;
    int freedoms = 0;  ///< of the joint to the father that no loop has used up
    bool rigid = true;
    std::string joint = {};  ///< to the father, where it has one freedom
    double unit = 1;         ///< of that joint's coordinate
  };
  static constexpr bool planar = Space::dimension == 2;

  // Numbers.

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int integer(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  bool chance(double probability) { return number(0, 1) < probability; }
  Vector<Space> vector() {
    Vector<Space> out;
    for (int i = 0; i < Space::dimension; ++i) out[i] = number(-1, 1);
    return out;
  }
  Orientation<Space> attitude() {
    if constexpr (planar)
      return number(-3, 3);
    else
      return Eigen::Quaterniond(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)).normalized();
  }

  // The whole model turned, shifted, and in other units.

  Orientation<Space> whole_turn() const {
    if constexpr (planar)
      return options_.turn;
    else
      return Eigen::Quaterniond(Eigen::AngleAxisd(options_.turn, Eigen::Vector3d::UnitZ()));
  }
  Vector<Space> turned(const Vector<Space>& direction) const { return rotation_matrix(whole_turn()) * direction; }
  Vector<Space> moved(const Vector<Space>& point) const {
    return options_.unit * (turned(point) + Vector<Space>::Constant(options_.shift));
  }
  Orientation<Space> turned(const Orientation<Space>& orientation) const requires(!planar) {
    return whole_turn() * orientation;
  }
  double turned(double angle) const requires(planar) { return whole_turn() + angle; }

  // Frames at points of the ground.

  using FrameMaker = std::function<Frame<Space>(const Model<Space>&)>;
  /// The frame of a body that is at `point` with the given attitude at the start.
  FrameMaker frame(int body, const Vector<Space>& point, const Orientation<Space>& orientation) const {
    const PlannedBody& of = bodies_[at(body)];
    if (body == 0)
      return [p = moved(point), o = turned(orientation)](const Model<Space>& model) { return model.ground().at(p, o); };
    Vector<Space> offset = point - of.position;
    Orientation<Space> relative = orientation;
    if (of.rigid) {
      offset = rotation_matrix(of.orientation).transpose() * offset;
      if constexpr (planar)
        relative = orientation - of.orientation;
      else
        relative = of.orientation.conjugate() * orientation;
    } else {
      relative = turned(orientation);  // axes of a point stay parallel to the ground
    }
    offset *= options_.unit;
    return
        [name = of.name, offset, relative](const Model<Space>& model) { return model.body(name).at(offset, relative); };
  }

  // Bodies.

  int add_body(const std::string& kind, const Vector<Space>& position, int father, bool rigid,
               std::function<BodyRef<Space>(Model<Space>&, const std::string&)> make) {
    const std::string name = concat(kind, " ", bodies_.size());
    const Orientation<Space> orientation = rigid ? attitude() : no_rotation<Space>();
    const Add add = [=, p = moved(position), o = rigid ? turned(orientation) : orientation](Model<Space>& model) {
      make(model, name).place(p, o);
    };
    bodies_.push_back({name, add, position, orientation, father, 0, rigid});
    return static_cast<int>(bodies_.size()) - 1;
  }
  int add_rigid(const Vector<Space>& position, int father) {
    const Eigen::Vector3d lengths(number(0.2, 1), number(0.2, 1), number(0.2, 1));
    const Eigen::Vector3d center(number(-0.3, 0.3), number(-0.3, 0.3), planar ? 0 : number(-0.3, 0.3));
    const MassProperties properties =
        MassProperties::box(number(0.5, 2), options_.unit * lengths).shifted(options_.unit * center);
    ++rigid_count_;
    return add_body("body", position, father, true, [properties](Model<Space>& model, const std::string& name) {
      return model.add_body(name, properties);
    });
  }
  int add_node(const Vector<Space>& position, int father) {
    return add_body("node", position, father, false, [](Model<Space>& model, const std::string& name) {
      return model.template add_body<MasslessNode>(name);
    });
  }
  int add_massless_frame(const Vector<Space>& position, int father) {
    return add_body("frame", position, father, true, [](Model<Space>& model, const std::string& name) {
      return model.template add_body<MasslessFrame>(name);
    });
  }
  int add_point(const Vector<Space>& position, int father) {
    const double mass = number(0.5, 2);
    return add_body("point", position, father, false, [mass](Model<Space>& model, const std::string& name) {
      return model.template add_body<PointMass>(name, mass);
    });
  }

  // Joints. Each returns the freedoms that it leaves.

  template <class J, class... Arguments>
  void add_joint(int father, int son, const Vector<Space>& point, Arguments... arguments) {
    const Orientation<Space> orientation = attitude();
    const std::string name = concat("joint ", constraints_.size() + 1);
    constraints_.emplace_back(name, [=, rows = options_.rows, a = frame(father, point, orientation),
                                     b = frame(son, point, orientation)](Model<Space>& model) {
      if (rows == JointRows::plain)
        model.template add_joint<J>(name, a(model), b(model), arguments...);
      else if constexpr (!std::is_same_v<J, Free<Space>>)  // which has no rows
        model.template add_constraint<MixedRows<Space, J>>(name, a(model), b(model), rows, J(arguments...));
    });
    last_joint_ = name;
    last_unit_ = std::is_same_v<J, Prismatic<Space>> ? options_.unit : 1;
  }
  int add_pin(int father, int son, const Vector<Space>& point) {
    if constexpr (planar) {
      add_joint<Revolute<Planar>>(father, son, point);
      return 1;
    } else {
      add_joint<Spherical>(father, son, point);
      return 3;
    }
  }
  void add_rod(int first, const Vector<Space>& a, int second, const Vector<Space>& b) {
    const std::string name = concat("rod ", constraints_.size() + 1);
    constraints_.emplace_back(
        name, [=, length = options_.unit * (a - b).norm(), first_end = frame(first, a, no_rotation<Space>()),
               second_end = frame(second, b, no_rotation<Space>())](Model<Space>& model) {
          model.template add_constraint<Rod>(name, first_end(model), second_end(model), length);
        });
  }
  static InputValue drive(double t) { return {0.3 * std::sin(2 * t), 0.6 * std::cos(2 * t), -1.2 * std::sin(2 * t)}; }
  Axis axis() {
    if constexpr (planar)
      return Axis({number(0.1, 1), number(-1, 1), 0});
    else
      return Axis({number(0.1, 1), number(-1, 1), number(-1, 1)});
  }
  int add_rarer_joint(int father, int son, const Vector<Space>& point) {
    const double unit = options_.unit;
    if (options_.driven && chance(0.3)) {
      add_joint<DrivenPrismatic<Space>>(father, son, point, axis(), Input([unit](double t) {
                                          const InputValue u = drive(t);
                                          return InputValue{unit * u.value, unit * u.rate, unit * u.acceleration};
                                        }));
      return 0;
    }
    if constexpr (planar) {
      switch (integer(3)) {
        case 0:
          return add_joint<PointOnLine<Planar>>(father, son, point, axis()), 2;
        case 1:
          return add_joint<FreeTranslation<Planar>>(father, son, point), 2;
        default:
          return add_joint<Free<Planar>>(father, son, point), 3;
      }
    } else {
      switch (integer(6)) {
        case 0:
          return add_joint<Screw>(father, son, point, axis(), unit * number(0.1, 0.5)), 1;
        case 1:
          return add_joint<ConstantVelocity>(father, son, point, axis()), 2;
        case 2:
          return add_joint<PointOnLine<Spatial>>(father, son, point, axis()), 4;
        case 3:
          return add_joint<PointOnPlane>(father, son, point, axis()), 5;
        case 4:
          return add_joint<FreeTranslation<Spatial>>(father, son, point), 3;
        default:
          return add_joint<Free<Spatial>>(father, son, point), 6;
      }
    }
  }
  int add_random_joint(int father, int son, const Vector<Space>& point) {
    if (options_.all_joints && chance(0.4)) return add_rarer_joint(father, son, point);
    if (options_.driven && chance(0.3)) {
      if constexpr (planar)
        add_joint<DrivenRevolute<Planar>>(father, son, point, Input(drive));
      else
        add_joint<DrivenRevolute<Spatial>>(father, son, point, axis(), Input(drive));
      return 0;
    }
    if constexpr (planar) {
      switch (integer(6)) {
        case 0:
          return add_joint<Prismatic<Planar>>(father, son, point, axis()), 1;
        case 1:
          return add_joint<Fixed<Planar>>(father, son, point), 0;
        default:
          return add_pin(father, son, point);
      }
    } else {
      switch (integer(9)) {
        case 0:
          return add_joint<Prismatic<Spatial>>(father, son, point, axis()), 1;
        case 1:
          return add_joint<Fixed<Spatial>>(father, son, point), 0;
        case 2:
          return add_joint<Universal>(father, son, point, Axis::x(), Axis::y()), 2;
        case 3:
          return add_joint<Cylindrical>(father, son, point, axis()), 2;
        case 4:
          return add_joint<PlaneJoint>(father, son, point, axis()), 3;
        case 5:
          return add_pin(father, son, point);
        default:
          return add_joint<Revolute<Spatial>>(father, son, point, axis()), 1;
      }
    }
  }
  void add_revolute(int father, int son, const Vector<Space>& point) {
    if constexpr (planar)
      add_joint<Revolute<Planar>>(father, son, point);
    else
      add_joint<Revolute<Spatial>>(father, son, point, axis());
  }

  // Branches of the tree. They grow from rigid bodies and the ground.

  int choose_father() {
    std::vector<int> candidates;
    for (int i = 0; i < static_cast<int>(bodies_.size()); ++i)
      if (i == 0 || is_massive(i)) candidates.push_back(i);
    return options_.chain ? candidates.back() : candidates[at(integer(static_cast<int>(candidates.size())))];
  }
  bool is_massive(int body) const { return body > 0 && bodies_[at(body)].name.rfind("body", 0) == 0; }
  /// Where a joint between a body and the next one lies.
  Vector<Space> joint_point(int father) { return bodies_[at(father)].position + 0.5 * vector(); }
  int add_rigid_with(int father, const std::function<int(int, int, const Vector<Space>&)>& join) {
    const Vector<Space> point = joint_point(father);
    const int son = add_rigid(point + 0.5 * vector(), father);
    const int freedoms = join(father, son, point);
    bodies_[at(son)].freedoms = freedoms;
    if (freedoms == 1) {
      bodies_[at(son)].joint = last_joint_;
      bodies_[at(son)].unit = last_unit_;
    }
    return son;
  }
  void add_branch() {
    const int father = choose_father();
    const int kind = options_.massless ? integer(8) : 7;
    if (kind == 0) {  // a node at a leaf
      const Vector<Space> point = joint_point(father);
      add_pin(father, add_node(point, father), point);
    } else if (kind == 1) {  // inside, or at a root
      const Vector<Space> point = joint_point(father);
      const int node = add_node(point, father);
      add_pin(father, node, point);
      const int son = add_rigid(point + 0.5 * vector(), node);
      bodies_[at(son)].freedoms = add_pin(node, son, point);
    } else if (kind == 2) {  // two in a row, with a rod between them
      const Vector<Space> point = joint_point(father);
      const int first = add_node(point, father);
      add_pin(father, first, point);
      const Vector<Space> end = point + 0.5 * vector();
      const int second = add_node(end, first);
      add_rod(first, point, second, end);
      bodies_[at(second)].freedoms = Space::dimension - 1;
      const int son = add_rigid(end + 0.5 * vector(), second);
      bodies_[at(son)].freedoms = add_pin(second, son, end);
    } else if (kind == 3) {  // a massless frame that turns
      const Vector<Space> point = joint_point(father);
      const int cross = add_massless_frame(point + 0.1 * vector(), father);
      add_revolute(father, cross, point);
      bodies_[at(cross)].freedoms = 1;
      add_rigid_with(cross, [this](int a, int b, const Vector<Space>& p) {
        add_revolute(a, b, p);
        return 1;
      });
    } else if (options_.points && chance(0.3)) {
      const Vector<Space> point = joint_point(father);
      const Vector<Space> end = point + 0.5 * vector();
      add_rod(father, point, add_point(end, father), end);
    } else {
      add_rigid_with(father, [this](int a, int b, const Vector<Space>& p) { return add_random_joint(a, b, p); });
    }
  }

  // Loops.

  /// Bodies whose joints to their fathers lie on the path between two bodies. Fathers come before their sons.
  std::vector<int> path(int a, int b) const {
    std::vector<int> out;
    while (a != b) {
      int& later = a > b ? a : b;
      out.push_back(later);
      later = bodies_[at(later)].father;
    }
    return out;
  }
  /// Two bodies that a loop can tie: bodies with mass, or the ground.
  bool draw_pair(int& a, int& b) {
    a = integer(static_cast<int>(bodies_.size()));
    b = integer(static_cast<int>(bodies_.size()));
    return a != b && (a == 0 || is_massive(a)) && (b == 0 || is_massive(b));
  }
  /// Uses freedoms of the path up, if there are enough.
  bool take_freedoms(int rows, int a, int b) {
    int available = 0;
    for (const int body : path(a, b)) available += bodies_[at(body)].freedoms;
    if (available < rows + 2) return false;
    int used = rows;
    for (const int body : path(a, b)) {
      const int share = std::min(used, bodies_[at(body)].freedoms);
      bodies_[at(body)].freedoms -= share;
      used -= share;
    }
    return true;
  }
  void close_loop() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      int a = 0, b = 0;
      if (!draw_pair(a, b)) continue;
      const int rows = chance(0.5) ? 1 : Space::dimension;
      if (!take_freedoms(rows, a, b)) continue;
      const Vector<Space> point = joint_point(a);
      if (rows == 1)
        add_rod(a, point, b, joint_point(b));
      else
        add_pin(a, b, point);
      return;
    }
  }
  void add_rack() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      int a = 0, b = 0;
      if (!draw_pair(a, b) || !take_freedoms(1, a, b)) continue;
      const std::string name = concat("rack ", constraints_.size() + 1);
      const double radius = options_.unit * number(0.1, 0.5);
      constraints_.emplace_back(name, [=, rack = frame(a, joint_point(a), attitude()),
                                       pinion = frame(b, joint_point(b), attitude())](Model<Space>& model) {
        model.template add_constraint<RackAndPinion>(name, rack(model), pinion(model), radius);
      });
      return;
    }
  }
  /// Between joints whose freedom no loop has used up.
  void add_gear() {
    std::vector<int> free;
    for (int i = 1; i < static_cast<int>(bodies_.size()); ++i)
      if (!bodies_[at(i)].joint.empty() && bodies_[at(i)].freedoms == 1) free.push_back(i);
    if (options_.rows != JointRows::plain || free.size() < 2) return;
    const int first = free[at(integer(static_cast<int>(free.size()) - 1))];
    bodies_[at(free.back())].freedoms = 0;
    const std::string name = concat("gear ", constraints_.size() + 1);
    gears_.emplace_back(name, [=, ratio = number(0.3, 2) * bodies_[at(free.back())].unit / bodies_[at(first)].unit,
                               a = bodies_[at(first)].joint, b = bodies_[at(free.back())].joint](Model<Space>& model) {
      model.template add_constraint<Gear>(name, model.joint(a), model.joint(b), ratio);
    });
  }

  void add_knife_edge() {
    int body = static_cast<int>(bodies_.size()) - 1;
    while (body > 1 && !is_massive(body)) --body;
    const std::string name = concat("knife edge ", constraints_.size() + 1);
    constraints_.emplace_back(name, [=, edge = frame(body, joint_point(body), attitude())](Model<Space>& model) {
      model.template add_constraint<KnifeEdge>(name, edge(model));
    });
  }

  void add_forces() {
    for (int i = 0; i < 3; ++i) {
      const int a = integer(static_cast<int>(bodies_.size()));
      int b = integer(static_cast<int>(bodies_.size()) - 1);
      if (b >= a) ++b;
      const auto end = [this](int body) {
        return bodies_[at(body)].rigid ? joint_point(body) : bodies_[at(body)].position;
      };
      const std::string name = concat("spring ", i + 1);
      const typename SpringDamper<Space>::Options spring{
          .stiffness = number(5, 50), .damping = number(0.1, 1), .free_length = options_.unit * number(0.1, 0.5)};
      forces_.emplace_back(name, [=, first = frame(a, end(a), no_rotation<Space>()),
                                  second = frame(b, end(b), no_rotation<Space>())](Model<Space>& model) {
        model.template add_force<SpringDamper>(name, first(model), second(model), spring);
      });
    }
    const int last = static_cast<int>(bodies_.size()) - 1;
    forces_.emplace_back(
        "pull", [direction = Vector<Space>(options_.unit * turned(vector())),
                 where = frame(last, bodies_[at(last)].position, no_rotation<Space>())](Model<Space>& model) {
          model.template add_force<AppliedForce>("pull", where(model), [direction](const Motion<Space>& m) {
            return Vector<Space>(std::cos(m.time()) * direction);
          });
        });
  }

  /// Between the ground and the last body.
  void add_series() {
    const int last = static_cast<int>(bodies_.size()) - 1;
    const typename SeriesSpringDamper<Space>::Options element{
        .stiffness = 50, .initial = 0.1, .law = [](double rate) { return 20 * std::sinh(rate); }};
    forces_.emplace_back("series", [element, where = frame(last, bodies_[at(last)].position, no_rotation<Space>()),
                                    up = Vector<Space>(options_.unit * 2 * vector())](Model<Space>& model) {
      model.template add_force<SeriesSpringDamper>("series", model.ground().at(up), where(model), element);
    });
  }

  // Order.

  std::vector<int> order(std::size_t count) const {
    std::vector<int> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<int>(i);
    if (options_.order > 0) std::shuffle(out.begin(), out.end(), std::mt19937(options_.order));
    return out;
  }
  using Named = std::vector<std::pair<std::string, Add>>;
  Named in_order(const Named& elements) const {
    Named out;
    for (const int i : order(elements.size())) out.push_back(elements[at(i)]);
    return out;
  }

  RandomMechanism options_;
  std::mt19937 random_;
  std::vector<PlannedBody> bodies_;
  Named constraints_, gears_, forces_;
  std::string last_joint_;
  double last_unit_ = 1;  ///< of its coordinate
  int rigid_count_ = 0;
};

}  // namespace

template <class Space>
Model<Space> random_mechanism(const RandomMechanism& options) {
  return MechanismPlan<Space>(options).build();
}
template Model<Planar> random_mechanism<Planar>(const RandomMechanism&);
template Model<Spatial> random_mechanism<Spatial>(const RandomMechanism&);

std::vector<RandomMechanism> mechanisms_of_all_joints(unsigned count) {
  std::vector<RandomMechanism> out;
  for (unsigned seed = 1; seed <= count; ++seed)
    out.push_back({.seed = seed, .rigid_bodies = 8, .loops = 1, .driven = true, .all_joints = true, .gears = 2});
  return out;
}

std::vector<RandomMechanism> random_mechanisms(unsigned count) {
  std::vector<RandomMechanism> out;
  for (unsigned seed = 1; seed <= count; ++seed) {
    out.push_back({.seed = seed});
    out.push_back({.seed = seed, .rigid_bodies = 8, .loops = 2});
    out.push_back({.seed = seed, .rigid_bodies = 5, .massless = true, .points = true});
    out.push_back({.seed = seed, .rigid_bodies = 7, .loops = 2, .massless = true, .driven = true});
    out.push_back({.seed = seed, .rigid_bodies = 6, .loops = 1, .driven = true, .nonholonomic = true, .chain = true});
  }
  return out;
}

}  // namespace linkwork::test
