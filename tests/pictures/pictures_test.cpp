// Poses, scenes and pages of runs.

#include "../messages.hpp"
#include "../scratch.hpp"

#include <linkwork/linkwork.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/graph_description.hpp>
#include <linkwork/solvers/pictures/scene.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace pictures_test {

using namespace linkwork;
using linkwork::test::error_of;
using linkwork::test::Scratch;
using Json = nlohmann::json;

constexpr double length = 0.8, gravity = 9.81;

/// A rod on a revolute joint at the ground, horizontal at first.
PlanarModel planar_pendulum() {
  PlanarModel model("pendulum");
  model.set_gravity({0, -gravity});
  auto bar = model.add_body("bar", MassProperties::rod(1, length));
  bar.place({length / 2, 0});
  model.add_joint<Revolute>("bearing", model.ground().origin(), bar.at({-length / 2, 0}));
  model.add_observable("height", "m", [=](const auto& now) { return now.pose(bar.origin()).position.y(); });
  return model;
}

/// A spatial double pendulum whose second body is carried by a ball joint and turns about all axes.
SpatialModel spatial_pendulum() {
  SpatialModel model("spatial pendulum");
  model.set_gravity({0, 0, -gravity});
  auto upper = model.add_body("upper", MassProperties::rod(1, length));
  auto lower = model.add_body("lower", MassProperties::box(2, {0.3, 0.2, 0.1}));
  upper.place({length / 2, 0, 0});
  lower.place({length, 0, -0.2}).move({0, 0.2, 0}, {1, 0, 0});
  model.add_joint<Revolute>("shoulder", model.ground().origin(), upper.at({-length / 2, 0, 0}), Axis::y());
  model.add_joint<Spherical>("ball", upper.at({length / 2, 0, 0}), lower.at({0, 0, 0.2}));
  return model;
}

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

template <class Write>
Table table_of(const Write& write) {
  std::stringstream text;
  write(text);
  Table out;
  std::string line, field;
  std::getline(text, line);
  for (std::istringstream head(line); std::getline(head, field, ',');) out.columns.push_back(field);
  while (std::getline(text, line)) {
    out.rows.emplace_back();
    for (std::istringstream row(line); std::getline(row, field, ',');) out.rows.back().push_back(std::stod(field));
  }
  return out;
}

Table poses_of(const Trajectory& path, double rate) {
  return table_of([&](std::ostream& out) { write_poses(path, out, rate); });
}

template <class Space>
Trajectory run_of(const Model<Space>& model, double t_end, Formulation formulation = Formulation::absolute) {
  Simulation simulation(model,
                        {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}});
  return simulation.run(0, t_end);
}

TEST(Poses, OfAPlanarBodyLieInThePlaneAndTurnAboutZ) {
  const Trajectory path = run_of(planar_pendulum(), 0.4);
  const Table table = poses_of(path, 10);
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"t", "bar: x", "bar: y", "bar: z", "bar: qw", "bar: qx", "bar: qy", "bar: qz"}));
  ASSERT_EQ(table.rows.size(), 5u);
  for (const std::vector<double>& row : table.rows) {
    const double angle = path.at(row[0]).p[0];
    EXPECT_NEAR(row[1], length / 2 * std::cos(angle), 1e-14);
    EXPECT_NEAR(row[2], length / 2 * std::sin(angle), 1e-14);
    EXPECT_NEAR(row[4], std::cos(angle / 2), 1e-14);
    EXPECT_NEAR(row[7], std::sin(angle / 2), 1e-14);
    EXPECT_EQ(row[3], 0);
  }
}

TEST(Poses, AreTheSameInEveryFormulation) {
  const SpatialModel model = spatial_pendulum();
  const Table absolute = poses_of(run_of(model, 0.5, Formulation::absolute), 20);
  for (const Formulation formulation : {Formulation::mixed, Formulation::relative}) {
    const Table other = poses_of(run_of(model, 0.5, formulation), 20);
    ASSERT_EQ(other.columns, absolute.columns);
    ASSERT_EQ(other.rows.size(), absolute.rows.size());
    // Runs at 1e-10 differ by some hundred tolerances; another point or attitude of a body by a tenth and more.
    for (std::size_t k = 0; k < other.rows.size(); ++k)
      for (std::size_t i = 0; i < other.columns.size(); ++i)
        EXPECT_NEAR(other.rows[k][i], absolute.rows[k][i], 1e-7) << other.columns[i] << " at row " << k;
  }
}

TEST(Poses, HaveUnitQuaternionsThatGoOnSmoothly) {
  const Table table = poses_of(run_of(spatial_pendulum(), 2), 50);
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    double norm = 0, product = 0;
    for (std::size_t i = 11; i < 15; ++i) {
      norm += table.rows[k][i] * table.rows[k][i];
      product += k > 0 ? table.rows[k][i] * table.rows[k - 1][i] : 1;
    }
    EXPECT_NEAR(norm, 1, 1e-14);
    EXPECT_GT(product, 0.5);  // turns of less than 120 degrees between samples
  }
}

/// Free fall of a point, posed directly.
class Falling : public EquationsOfMotion {
 public:
  Falling() : EquationsOfMotion({.p = 1, .v = 1}) { M_.add_block(0, 0, 1, 1); }
  Energies energies() override { return {}; }

 private:
  void do_M(BlockMatrix& M) override { *M.values(0) = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = -gravity; }
  void do_gamma(Eigen::VectorXd&) override {}
};

TEST(Poses, AreRefusedWhereThereAreNone) {
  const Trajectory path = run_of(planar_pendulum(), 0.1);
  EXPECT_EQ(error_of([&] { poses_of(path, 0); }),
            "write_poses: the rate is 0 samples per second; expected a finite value above 0.");
  EXPECT_NE(error_of([&] { write_poses(path, "/nowhere/at/all.csv", 1); }).find("'/nowhere/at/all.csv'"),
            std::string::npos);
  EXPECT_NE(error_of([] { poses_of(Trajectory(), 1); }).find("the trajectory is empty"), std::string::npos);
}

TEST(Columns, AreChosenByPatterns) {
  const Trajectory path = run_of(planar_pendulum(), 0.1);
  const auto columns = [&](const std::vector<std::string>& patterns) {
    return table_of([&](std::ostream& out) { path.write_csv(out, 10, patterns); }).columns;
  };
  EXPECT_EQ(columns({"height", "bar: *"}),
            (std::vector<std::string>{"t", "height", "bar: angle", "bar: x", "bar: y", "bar: angular velocity",
                                      "bar: x velocity", "bar: y velocity"}));
  EXPECT_EQ(columns({"bar: ?", "bar: y"}), (std::vector<std::string>{"t", "bar: x", "bar: y"}));
  EXPECT_EQ(columns({}).size(), 8u);
  EXPECT_EQ(error_of([&] { columns({"hight"}); }).find("Trajectory::write_csv: no column fits 'hight'; there are: 'h"),
            0u);
  const Table whole = table_of([&](std::ostream& out) { path.write_csv(out, 10); });
  const Table one = table_of([&](std::ostream& out) { path.write_csv(out, 10, {"height"}); });
  for (std::size_t k = 0; k < one.rows.size(); ++k) EXPECT_EQ(one.rows[k][1], whole.rows[k].back());
}

// ---------------------------------------------------------------------------------------------------- scenes

template <class Space>
Scene scene_of(const Model<Space>& model, const Drawing& drawing = {}) {
  return make_scene(*make_equations(model, {}), drawing);
}

const Scene::Part& part_of(const Scene& scene, const std::string& name) {
  for (const Scene::Part& part : scene.parts)
    if (part.name == name) return part;
  throw std::runtime_error("no part " + name);
}

TEST(Scenes, DrawALinkBetweenItsJoints) {
  PlanarModel model("slider crank");
  auto crank = model.add_body("crank", MassProperties::rod(1, 0.3));
  auto rod = model.add_body("rod", MassProperties::rod(1, 0.5));
  crank.place({0, 0.15}, std::atan2(1, 0));
  rod.place({0.25, 0.3});
  model.add_joint<Revolute>("main", model.ground().origin(), crank.at({-0.15, 0}));
  model.add_joint<Revolute>("big end", crank.at({0.15, 0}), rod.at({-0.25, 0}));
  model.add_force<SpringDamper>("buffer", rod.at({0.25, 0}), model.ground().at({1, 0}), {.stiffness = 40});
  const Scene scene = scene_of(model);
  EXPECT_TRUE(scene.is_planar);
  EXPECT_EQ(scene.bodies, (std::vector<std::string>{"crank", "rod"}));
  const Scene::Part& part = part_of(scene, "crank");
  ASSERT_EQ(part.shapes.size(), 1u);
  const auto& bar = std::get<shape::Bar>(part.shapes.front().geometry);
  EXPECT_EQ(bar.from, Eigen::Vector3d(-0.15, 0, 0));
  EXPECT_EQ(bar.to, Eigen::Vector3d(0.15, 0, 0));
  EXPECT_TRUE(std::holds_alternative<shape::Cylinder>(part_of(scene, "big end").shapes.front().geometry));
  ASSERT_EQ(scene.links.size(), 1u);
  EXPECT_EQ(scene.links.front().kind, Scene::Link::Kind::spring);
  EXPECT_EQ(scene.links.front().ends.back().body, -1);
  EXPECT_EQ(scene.links.front().ends.back().point, Eigen::Vector3d(1, 0, 0));
}

/// The only shape of a free body.
Shape look_of(const MassProperties& mass) {
  SpatialModel model("free");
  auto body = model.add_body("body", mass);
  body.place({1, 0, 0});
  auto other = model.add_body("other", mass);  // so that the mechanism has a size
  other.place({-4, 0, 0});
  const Scene scene = scene_of(model);
  return part_of(scene, "body").shapes.at(0);
}

/// Half the size of a shape's box along the axes of its body.
Eigen::Vector3d reach(const Shape& shape, const Eigen::Vector3d& own) {
  return (Eigen::Quaterniond(shape.orientation).toRotationMatrix() * own).cwiseAbs();
}

TEST(Scenes, DrawAFreeBodyAsTheOneThatHasItsInertia) {
  // Square roots of moments that are right to rounding.
  constexpr double tolerance = 1e-7;
  const Shape box = look_of(MassProperties::box(3, {0.3, 0.5, 0.2}));
  const Eigen::Vector3d size = std::get<shape::Box>(box.geometry).size;
  EXPECT_LT((reach(box, size) - Eigen::Vector3d(0.3, 0.5, 0.2)).norm(), tolerance);
  EXPECT_NEAR(std::get<shape::Sphere>(look_of(MassProperties::sphere(3, 0.4)).geometry).radius, 0.4, tolerance);
  for (const Axis& axis : {Axis::x(), Axis::y(), Axis::z()})
    for (const double long_ : {0.1, 1.4}) {  // a disc and a bar
      const Shape shape = look_of(MassProperties::cylinder(3, 0.3, long_, axis));
      const auto& cylinder = std::get<shape::Cylinder>(shape.geometry);
      EXPECT_NEAR(cylinder.radius, 0.3, tolerance);
      EXPECT_NEAR(cylinder.length, long_, tolerance);
      EXPECT_LT((reach(shape, {0, 0, 1}) - axis.direction()).norm(), tolerance);
    }
  const Shape shifted = look_of(MassProperties::sphere(3, 0.4).shifted({0.1, 0.2, 0.3}));
  EXPECT_EQ(shifted.position, Eigen::Vector3d(0.1, 0.2, 0.3));
}

TEST(Scenes, DrawWhatHangsOnOnePointOnABarNotLargerThanThatAsksFor) {
  SpatialModel model("hanging");
  auto body = model.add_body("body", MassProperties::sphere(1, 3));
  body.place({0, 0, -0.5});
  model.add_joint<Spherical>("pivot", model.ground().origin(), body.at({0, 0, 0.5}));
  const Scene scene = scene_of(model);
  const Scene::Part& part = part_of(scene, "body");
  ASSERT_EQ(part.shapes.size(), 2u);
  const auto& bar = std::get<shape::Bar>(part.shapes[0].geometry);
  EXPECT_EQ(Eigen::Vector3d(bar.from - bar.to), Eigen::Vector3d(0, 0, 0.5));
  EXPECT_DOUBLE_EQ(std::get<shape::Sphere>(part.shapes[1].geometry).radius, 0.5);
  EXPECT_LT(part.shapes[1].opacity, 1);
}

TEST(Scenes, TakeWhatADrawingSays) {
  Drawing drawing;
  drawing.add("bar", {.geometry = shape::Box{{1, 2, 3}}, .position = {0, 0, 1}})
      .add("bar", {.geometry = shape::Capsule{0.1, 0.4}, .colour = Colour{1, 0, 0}})
      .add("ground", {.geometry = shape::Polyline{{{0, 0, 0}, {1, 0, 0}}}})
      .paint("bar", {0, 1, 0})
      .hide("bearing");
  const Scene scene = scene_of(planar_pendulum(), drawing);
  ASSERT_EQ(scene.parts.size(), 2u);
  const Scene::Part& bar = part_of(scene, "bar");
  ASSERT_EQ(bar.shapes.size(), 2u);
  EXPECT_EQ(std::get<shape::Box>(bar.shapes[0].geometry).size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(bar.shapes[0].colour->green, 1);
  EXPECT_EQ(bar.shapes[1].colour->red, 1);
  EXPECT_EQ(part_of(scene, "ground").body, -1);
  drawing.hide("bar").hide("ground");
  EXPECT_TRUE(scene_of(planar_pendulum(), drawing).parts.empty());
}

TEST(Scenes, RefuseWhatDoesNotFit) {
  const PlanarModel model = planar_pendulum();
  EXPECT_EQ(error_of([&] { scene_of(model, Drawing().add("bearing", {})); }),
            "Drawing: model 'pendulum' has no body 'bearing'; there are: 'bar', 'ground'.");
  EXPECT_EQ(error_of([&] { scene_of(model, Drawing().hide("baring")); }),
            "Drawing: model 'pendulum' has no element 'baring'; there are: 'bearing', 'bar', 'ground'.");
  const std::string why =
      "Drawing: a shape of 'bar' has a length that is not finite, or a triangle without a vertex; check its numbers.";
  EXPECT_EQ(error_of([&] { scene_of(model, Drawing().add("bar", {.geometry = shape::Sphere{NAN}})); }), why);
  const shape::Mesh no_vertex{{{0, 0, 0}}, {{0, 0, 1}}};
  EXPECT_EQ(error_of([&] { scene_of(model, Drawing().add("bar", {.geometry = no_vertex})); }), why);
}

using Meshes = Scratch;

TEST_F(Meshes, AreReadFromStlAndObj) {
  std::ofstream(path("a.obj")) << "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\n";
  std::ofstream(path("a.stl")) << "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2 0\n"
                                  "endloop\nendfacet\nendsolid a\n";
  std::ofstream(path("no.stl")) << "this is no mesh\n";
  std::ofstream(path("empty.stl")).flush();
  std::ofstream(path("half.obj")) << "v 0 0 0\nv 1 0 0\nf 1 2 9\n";
  const auto read = [&](const std::string& name) { return shape::mesh_from_file(path(name), 1e-3); };
  if (error_of([&] { read("a.obj"); }).find("assimp is not part of this build") != std::string::npos) GTEST_SKIP();
  const shape::Mesh obj = read("a.obj");
  EXPECT_EQ(obj.triangles.size(), 2u);
  double highest = 0;
  for (const Eigen::Vector3d& vertex : obj.vertices) highest = std::max(highest, vertex.z());
  EXPECT_FLOAT_EQ(static_cast<float>(highest), 3e-3f);
  EXPECT_EQ(read("a.stl").triangles.size(), 1u);
  for (const char* file : {"no.stl", "absent.obj", "empty.stl", "half.obj", ""})
    EXPECT_NE(error_of([&] { read(file); }).find(std::string("mesh_from_file: can't read '") + path(file)),
              std::string::npos)
        << file;
}

/// The lines of contacts of one element, in the axes of what they are fixed to.
std::vector<shape::Polyline> lines_in(const Scene& scene, const std::string& name) {
  std::vector<shape::Polyline> out;
  for (const Scene::Part& part : scene.parts)
    for (const Shape& shape : part.shapes)
      if (part.name == name && std::holds_alternative<shape::Polyline>(shape.geometry))
        out.push_back(std::get<shape::Polyline>(shape.geometry));
  return out;
}

TEST(ContactCurves, CloseWhereTheyAreCircles) {
  PlanarModel model("bead");
  auto bead = model.add_body<PointMass>("bead", 1).place({1, 0});
  model.add_constraint<PointOnPlaneCurve>("wire", model.ground().at({0.5, 0}), PlaneCurve::circle(0.5), bead.origin(),
                                          0.0);
  const std::vector<shape::Polyline> lines = lines_in(scene_of(model), "wire");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines.front().is_closed);
  for (const Eigen::Vector3d& point : lines.front().points) EXPECT_NEAR(point.norm(), 0.5, 1e-12);
  EXPECT_TRUE(lines_in(scene_of(model, Drawing().hide("wire")), "wire").empty());
}

TEST(ContactCurves, GoAsFarAsTheMechanismWhereTheyDoNotClose) {
  PlanarModel model("bead");
  auto bead = model.add_body<PointMass>("bead", 1).place({2, 0});
  model.add_constraint<PointOnPlaneCurve>("wire", model.ground().origin(), PlaneCurve::line(), bead.origin(), 2.0);
  const auto ends = [&](double reach) {
    const Scene scene = make_scene(*make_equations(model, {}), {}, reach);
    const shape::Polyline line = lines_in(scene, "wire").at(0);
    EXPECT_FALSE(line.is_closed);
    return std::make_pair(line.points.front().x(), line.points.back().x());
  };
  const double size = scene_of(model).size;
  EXPECT_NEAR(ends(0).first, 2 - size, 0.02 * size);
  EXPECT_NEAR(ends(0).second, 2 + size, 0.02 * size);
  EXPECT_NEAR(ends(50).second, 52, 1);
}

TEST(ContactCurves, OfProfilesAreTheirBoundariesOnceForAllWhoTouchThem) {
  PlanarModel model("sprocket");
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
  const ContactProfile teeth = toothed_wheel_profile(8, 0.3, 0.05);
  for (int i = 0; i < 3; ++i) {
    auto roller = model.add_body<PointMass>("roller " + std::to_string(i), 1).place({0.5, 0.1 * i});
    model.add_force<ProfileContact>("contact " + std::to_string(i), wheel.origin(), roller.origin(), teeth,
                                    ProfileContact<Planar>::Options{.stiffness = 100});
  }
  const Scene scene = scene_of(model);
  const std::vector<shape::Polyline> lines = lines_in(scene, "contact 0");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines.front().is_closed);
  double least = 1, most = 0;
  for (const Eigen::Vector3d& point : lines.front().points) {
    const double angle = std::atan2(point.y(), point.x());
    // Twelve halvings of the edge of a square.
    EXPECT_NEAR(point.norm(), 0.3 + 0.025 * (1 - std::cos(8 * angle)), 1e-5);
    least = std::min(least, point.norm());
    most = std::max(most, point.norm());
  }
  EXPECT_NEAR(least, 0.3, 1e-3);
  EXPECT_NEAR(most, 0.35, 1e-3);
  EXPECT_TRUE(lines_in(scene, "contact 1").empty());
  EXPECT_TRUE(scene.carriers.empty());
}

TEST(ContactCurves, ThatTurnAreCarriedAlong) {
  PlanarModel model("driven sprocket");
  auto roller = model.add_body<PointMass>("roller", 1).place({1.5, 0});
  const Input turning([](double t) { return InputValue{2 * t, 2, 0}; });
  model.add_force<ProfileContact>("contact", model.ground().at({1, 0}), roller.origin(),
                                  toothed_wheel_profile(8, 0.3, 0.05),
                                  ProfileContact<Planar>::Options{.stiffness = 100, .turning = turning});
  const Scene scene = scene_of(model);
  ASSERT_EQ(scene.carriers.size(), 1u);
  EXPECT_EQ(part_of(scene, "contact").body, 1);  // behind the roller
  std::vector<BodyPose> poses(1);
  add_carriers(scene, 0.3, poses);
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(poses[1].position, Eigen::Vector3d(1, 0, 0));
  EXPECT_NEAR(2 * std::acos(poses[1].attitude.w()), 0.6, 1e-12);
}

TEST(ContactCurves, OfRailsFollowTheirPaths) {
  SpatialModel model("ring on a rod");
  auto ring = model.add_body("ring", MassProperties::sphere(1, 0.1));
  ring.place({0, 0, 0.2});
  const TracedCurve rail{track_path([](double u) {
                           return SpaceCurvePoint{{std::cos(u), std::sin(u), 0},
                                                  {-std::sin(u), std::cos(u), 0},
                                                  {-std::cos(u), -std::sin(u), 0},
                                                  {std::sin(u), -std::cos(u), 0}};
                         }),
                         {0, 0, 0.1}};
  const TracedCurve wheel{turning_path(Axis::y()), {0.05, 0, 0}};
  model.add_constraint<CurveContact>("contact", model.ground().origin(), ring.origin(), CurvePair{rail, wheel, {0, 0}},
                                     0.1);
  const std::vector<shape::Polyline> lines = lines_in(scene_of(model), "contact");
  ASSERT_EQ(lines.size(), 2u);
  const shape::Polyline& on_ring = lines.back();
  EXPECT_TRUE(on_ring.is_closed);
  for (const Eigen::Vector3d& point : on_ring.points) EXPECT_NEAR(point.norm(), 0.05, 1e-12);
  for (const Eigen::Vector3d& point : lines.front().points) EXPECT_NEAR(point.head<2>().norm(), 1, 1e-9);
}

// ---------------------------------------------------------------------------------------------------- pages

class Pages : public Scratch {
 protected:
  void SetUp() override {
    if (const std::string why = error_of([] { require_page_scripts(); }); why.find("install it") != std::string::npos)
      GTEST_SKIP() << why;
  }
};

std::string page_of(const Trajectory& path, const WebPageOptions& options = {}) {
  std::ostringstream text;
  write_html(path, text, options);
  return text.str();
}

Json data_of(const std::string& page) {
  const std::string begin = "<script id=\"data\" type=\"application/json\">";
  const std::size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

/// Of base64 (RFC 4648), letter by letter: slow, and nothing of the writer's.
template <class Number>
std::vector<Number> numbers_of(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = (bits << 6) | static_cast<unsigned>(letters.find(letter));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 0xff);
  }
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(out.data()));
  return out;
}

/// x y z and (qx qy qz) / (1 + qw) by body and frame, positions from the frame's centre.
std::vector<double> poses_in(const Json& data) {
  const auto bytes = numbers_of<std::uint8_t>(data["frames"]["poses"]);
  const auto scales = numbers_of<double>(data["frames"]["scale"]);
  const std::size_t in_a_frame = bytes.size() / 3 / scales.size();
  std::vector<double> out;
  for (std::size_t k = 0; k < bytes.size() / 3; ++k) {
    const std::uint8_t* const from = &bytes[3 * k];
    const int whole = from[0] + (from[1] << 8) + (from[2] << 16) - (from[2] < 128 ? 0 : 1 << 24);
    const double share = whole == -8388608 ? NAN : whole / 8388607.0;
    out.push_back(share * (k % 6 < 3 ? scales[k / in_a_frame] : 1));
  }
  return out;
}

/// The values of a curve: single precision beside its first one.
std::vector<double> values_of(const Json& curve) {
  std::vector<double> out;
  for (const float value : numbers_of<float>(curve["values"])) out.push_back(curve["offset"].get<double>() + value);
  return out;
}

TEST_F(Pages, HoldTheRunAtTheirFrames) {
  const Trajectory path = run_of(planar_pendulum(), 0.5);
  const Json data = data_of(page_of(path, {.frames_per_second = 20, .subtitle = "a subtitle"}));
  EXPECT_EQ(data["title"], "pendulum");
  EXPECT_EQ(data["subtitle"], "a subtitle");
  EXPECT_EQ(data["early"], "");
  EXPECT_EQ(data["bodies"], Json::array({"bar"}));
  const auto t = numbers_of<double>(data["frames"]["t"]), centre = numbers_of<double>(data["frames"]["centre"]);
  const std::vector<double> poses = poses_in(data);
  ASSERT_EQ(t.size(), 11u);
  ASSERT_EQ(centre.size(), 33u);
  ASSERT_EQ(poses.size(), 66u);
  const Json& heights = data["charts"][0];
  EXPECT_EQ(heights["title"], "observables [m]");
  EXPECT_EQ(heights["curves"][0]["name"], "height");
  const auto height = values_of(heights["curves"][0]);
  ASSERT_EQ(height.size(), 11u);
  const double energy = 0;  // at rest in the height of the bearing
  const auto total = values_of(data["charts"][1]["curves"][2]);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_EQ(t[k], k + 1 == t.size() ? 0.5 : static_cast<double>(k) / 20);
    const double y = path.values("height", OutputPoints::given({t[k]})).values.front();
    // Single precision of a metre.
    EXPECT_NEAR(height[k], y, 1e-7);
    EXPECT_NEAR(centre[3 * k + 1] + poses[6 * k + 1], y, 1e-7);
    EXPECT_NEAR(poses[6 * k + 5], std::tan(path.at(t[k]).p[0] / 4), 1e-7);
    EXPECT_NEAR(total[k], energy, 1e-6);
  }
}

const Json& chart_of(const Json& data, const std::string& title) {
  for (const Json& chart : data["charts"])
    if (chart["title"] == title) return chart;
  throw std::runtime_error("no chart " + title);
}

TEST_F(Pages, ShowEveryStepThatWasTriedWithItsOrder) {
  Simulation simulation(planar_pendulum(), {.integrator = BdfOptions{.rtol = 1e-5, .atol = 1e-5}});
  const Trajectory path = simulation.run(0, 2);
  const Json data = data_of(page_of(path));
  const Json &lengths = chart_of(data, "lengths of steps [s]"), &orders = chart_of(data, "order");
  const std::vector<double> t = numbers_of<double>(lengths["t"]), accepted = values_of(lengths["curves"][0]),
                            rejected = values_of(lengths["curves"][1]), order = values_of(orders["curves"][0]);
  EXPECT_EQ(lengths["curves"][1]["name"], "rejected");
  ASSERT_EQ(t.size(), path.attempts().size());
  int refusals = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const StepAttempt& attempt = path.attempts()[k];
    EXPECT_EQ(t[k], attempt.t);
    EXPECT_FLOAT_EQ(static_cast<float>(attempt.accepted ? accepted[k] : rejected[k]), static_cast<float>(attempt.step));
    EXPECT_TRUE(std::isnan(attempt.accepted ? rejected[k] : accepted[k]));
    if (attempt.accepted) {
      EXPECT_EQ(order[k], attempt.order);
    }
    refusals += !attempt.accepted;
  }
  EXPECT_EQ(refusals, simulation.statistics().integrator.rejected_steps);
}

TEST_F(Pages, ShowResidualsOfThreeLevelsAtEndsOfSteps) {
  const PlanarModel model = planar_pendulum();
  Simulation simulation(model, {.integrator = BdfOptions{.rtol = 1e-4, .atol = 1e-4}});
  const Trajectory path = simulation.run(0, 2);
  const Json data = data_of(page_of(path));
  const Json& chart = chart_of(data, "residuals of the constraints");
  std::map<std::string, double> largest;
  for (const Json& curve : chart["curves"])
    for (const double value : values_of(curve)) largest[curve["name"]] = std::max(largest[curve["name"]], value);
  // Single precision of the run's own account; that of accelerations is rounding.
  EXPECT_FLOAT_EQ(static_cast<float>(largest.at("position [m]")),
                  static_cast<float>(simulation.constraint_residual().position_m));
  EXPECT_FLOAT_EQ(static_cast<float>(largest.at("velocity [m/s]")),
                  static_cast<float>(simulation.constraint_residual().velocity_m_per_s));
  EXPECT_LT(largest.at("acceleration [m/s^2]"), 1e-10);
  EXPECT_EQ(largest.count("position [rad]"), 0u);  // there is no such row
}

/// A bar on a bearing with a spring.
PlanarModel sprung_pendulum() {
  PlanarModel model = planar_pendulum();
  model.add_force<SpringDamper>("spring", model.ground().at({0, 1}), model.body("bar").origin(),
                                {.stiffness = 30, .free_length = 0.2});
  return model;
}

/// The force or torque of an arrow at a frame.
Eigen::Vector3d vector_at(const Json& arrow, std::size_t frame) {
  const std::vector<std::int16_t> shares = numbers_of<std::int16_t>(arrow["shares"]);
  Eigen::Vector3d out;
  for (std::size_t i = 0; i < 3; ++i)
    out[static_cast<Eigen::Index>(i)] = arrow["unit"].get<double>() * shares.at(3 * frame + i);
  return out;
}

TEST_F(Pages, HaveArrowsOfForcesAndReactions) {
  const PlanarModel model = sprung_pendulum();
  const Trajectory path = run_of(model, 0.5);
  const Json forces = data_of(page_of(path, {.frames_per_second = 20}))["forces"];
  ASSERT_EQ(forces["list"].size(), 2u);  // none on the ground
  const Json &spring = forces["list"][0], &bearing = forces["list"][1];
  EXPECT_EQ(spring["name"], "spring");
  EXPECT_EQ(spring["reaction"], false);
  EXPECT_EQ(bearing["name"], "bearing");
  EXPECT_EQ(bearing["reaction"], true);
  EXPECT_EQ(bearing["point"], Json::array({-length / 2, 0, 0}));
  for (const std::size_t k : {0u, 4u, 10u}) {
    const OutputPoints at = OutputPoints::given({static_cast<double>(k) / 20});
    const auto value = [&](const std::string& name) { return path.values(name, at).values.front(); };
    // A force of some ten newtons in parts of a 32767th.
    constexpr double tolerance = 1e-3;
    EXPECT_NEAR(vector_at(spring, k).norm(), std::abs(value("spring: force")), tolerance);
    EXPECT_NEAR(vector_at(bearing, k).x(), value("bearing: reaction force x"), tolerance);
    EXPECT_NEAR(vector_at(bearing, k).y(), value("bearing: reaction force y"), tolerance);
  }
  const auto count = [&](const WebPageOptions& options) {
    return data_of(page_of(path, options))["forces"]["list"].size();
  };
  EXPECT_EQ(count({.drawing = Drawing().hide("spring")}), 1u);
  EXPECT_EQ(count({.forces = false}), 0u);
}

TEST_F(Pages, HaveArrowsOfTheTorquesOfASpringInThePlane) {
  PlanarModel model = planar_pendulum();
  model.add_force<TorsionSpringDamper>("coil", model.ground().origin(), model.body("bar").at({-length / 2, 0}),
                                       {.stiffness = 2, .damping = 0.1, .free_angle = 0.5});
  const Trajectory path = run_of(model, 0.5);
  const Json torques = data_of(page_of(path, {.frames_per_second = 20}))["torques"];
  ASSERT_EQ(torques["list"].size(), 1u);  // a revolute joint of the plane bears none
  const Json& coil = torques["list"][0];
  EXPECT_EQ(coil["name"], "coil");
  EXPECT_EQ(coil["reaction"], false);
  EXPECT_EQ(coil["point"], Json::array({-length / 2, 0, 0}));
  for (const std::size_t k : {0u, 4u, 10u}) {
    const double torque =
        path.values("coil: torque", OutputPoints::given({static_cast<double>(k) / 20})).values.front();
    EXPECT_NEAR(vector_at(coil, k).z(), torque, 1e-3);  // of some newton metres, in parts of a 32767th
    EXPECT_EQ(vector_at(coil, k).head<2>(), Eigen::Vector2d::Zero());
  }
  const auto count = [&](const WebPageOptions& options) {
    return data_of(page_of(path, options))["torques"]["list"].size();
  };
  EXPECT_EQ(count({.drawing = Drawing().hide("coil")}), 0u);
  EXPECT_EQ(count({.forces = false}), 0u);
}

TEST_F(Pages, HaveArrowsOfSmallTorquesOfSpringsThoughNotOfReactions) {
  PlanarModel model = planar_pendulum();
  model.add_force<TorsionSpringDamper>("hair", model.ground().origin(), model.body("bar").at({-length / 2, 0}),
                                       {.stiffness = 1e-7, .free_angle = 0.5});
  const Json data = data_of(page_of(run_of(model, 0.5), {.frames_per_second = 20}));
  const Json& torques = data["torques"];
  ASSERT_EQ(torques["list"].size(), 1u);
  EXPECT_EQ(torques["list"][0]["name"], "hair");
  EXPECT_LT(torques["usual"].get<double>(), 1e-6 * data["forces"]["usual"].get<double>() * length);
}

/// A rod that swings about an axis through its end and through a weight beside it, which its bearing has to hold.
TEST_F(Pages, HaveArrowsOfTheTorquesThatJointsBearInSpace) {
  SpatialModel model("swing");
  model.set_gravity({0, 0, -gravity});
  auto rod = model.add_body("rod", MassProperties::box(2, {1, 0.1, 0.1}));
  rod.place({0.5, 0.3, 0});
  model.add_joint<Revolute>("bearing", model.ground().origin(), rod.at({-0.5, -0.3, 0}), Axis::y());
  auto bob = model.add_body("bob", MassProperties::sphere(1, 0.1));
  bob.place({1.5, 0.3, 0});
  model.add_joint<Spherical>("ball", rod.at({0.5, 0, 0}), bob.at({-0.5, 0, 0}));
  const Trajectory path = run_of(model, 0.5);
  const Json data = data_of(page_of(path, {.frames_per_second = 20}));
  EXPECT_EQ(data["forces"]["list"].size(), 2u);
  ASSERT_EQ(data["torques"]["list"].size(), 1u);  // the ball transmits none
  const Json& bearing = data["torques"]["list"][0];
  EXPECT_EQ(bearing["name"], "bearing");
  EXPECT_EQ(bearing["reaction"], true);
  for (const std::size_t k : {0u, 4u, 10u}) {
    const OutputPoints at = OutputPoints::given({static_cast<double>(k) / 20});
    for (const auto& [axis, row] : {std::pair{"x", 0}, std::pair{"y", 1}, std::pair{"z", 2}}) {
      const double torque = path.values(std::string("bearing: reaction torque ") + axis, at).values.front();
      EXPECT_NEAR(vector_at(bearing, k)[row], torque, 2e-3) << axis;
    }
    EXPECT_GT(vector_at(bearing, k).norm(), 0.5);
  }
}

/// Four-bars in space whose axes are parallel: 20 rows each, of which three follow from the others.
Trajectory run_of_four_bars(int count) {
  SpatialModel model("four-bars");
  model.set_gravity({0, 0, -gravity});
  for (int i = 0; i < count; ++i) {
    const auto add = [&](const std::string& name, const Eigen::Vector3d& at, const Eigen::Vector3d& along) {
      auto bar = model.add_body(name + std::to_string(i), MassProperties::box(1, {0.1, 0.1, 0.1}));
      bar.place(at + Eigen::Vector3d(0, i, 0));
      return std::make_pair(bar.at(-0.5 * along), bar.at(0.5 * along));
    };
    const auto crank = add("crank", {0, 0, 0.5}, {0, 0, 1}), coupler = add("coupler", {1, 0, 1}, {2, 0, 0}),
               rocker = add("rocker", {2, 0, 0.5}, {0, 0, 1});
    const auto join = [&](const std::string& name, const Frame<Spatial>& a, const Frame<Spatial>& b) {
      model.add_joint<Revolute>(name + std::to_string(i), a, b, Axis::y());
    };
    join("A", model.ground().at({0, 1.0 * i, 0}), crank.first);
    join("B", crank.second, coupler.first);
    join("C", coupler.second, rocker.second);
    join("D", model.ground().at({2, 1.0 * i, 0}), rocker.first);
  }
  return Simulation(model).run(0, 0.1);
}

/// The reactions of such four-bars in so many frames, beside those of the run.
void expect_reactions_of_four_bars(int count, int frames) {
  const Trajectory path = run_of_four_bars(count);
  const Json page = data_of(page_of(path, {.frames_per_second = (frames - 1) / path.t_end()}));
  const std::vector<double> t = numbers_of<double>(page["frames"]["t"]);
  ASSERT_EQ(t.size(), static_cast<std::size_t>(frames));
  const Json& list = page["forces"]["list"];
  ASSERT_EQ(list.size(), 4u * static_cast<std::size_t>(count));
  for (const char* joint : {"A0", "C0"}) {
    const Json& arrow =
        *std::find_if(list.begin(), list.end(), [&](const Json& each) { return each["name"] == joint; });
    // Lines between frames are off by the curvature; what is written by a 32767th of some ten newtons.
    constexpr double tolerance = 2e-2;
    for (const std::size_t k : {std::size_t{0}, t.size() / 2 + 1, t.size() - 2, t.size() - 1})
      for (const auto& [axis, row] : {std::pair{"x", 0}, std::pair{"z", 2}})
        EXPECT_NEAR(vector_at(arrow, k)[row],
                    path.values(std::string(joint) + ": reaction force " + axis, OutputPoints::given({t[k]})).values[0],
                    tolerance)
            << joint << ' ' << axis << " in frame " << k;
  }
}

TEST_F(Pages, HaveReactionsThatManyRedundantRowsLeaveOpen) {
  expect_reactions_of_four_bars(4, 11);    // in each frame
  expect_reactions_of_four_bars(12, 101);  // in some
}

TEST_F(Pages, ShowCurvesOfElementsThatAreAskedFor) {
  const Trajectory path = run_of(sprung_pendulum(), 0.5);
  const Json data = data_of(page_of(path, {.frames_per_second = 20, .curves = {"spring: force", "bar: x"}}));
  EXPECT_EQ(chart_of(data, "coordinates [m]")["curves"][0]["name"], "bar: x");
  const std::vector<double> force = values_of(chart_of(data, "elements [N]")["curves"][0]);
  EXPECT_NEAR(force.back(), path.values("spring: force").values.back(), 1e-5);
}

TEST_F(Pages, ShowANumberThatIsNoneAsAGap) {
  PlanarModel model = planar_pendulum();
  model.add_observable("hole", "", [](const auto& now) { return now.time() < 0.2 ? 1 : std::nan(""); });
  const Json data = data_of(page_of(run_of(model, 0.5), {.frames_per_second = 20, .curves = {"hole"}}));
  const std::vector<double> hole = values_of(data["charts"][0]["curves"][0]);
  EXPECT_EQ(hole.front(), 1);
  EXPECT_TRUE(std::isnan(hole.back()));
}

TEST_F(Pages, SayHowFarARunCameThatEndedEarly) {
  Simulation simulation(planar_pendulum());
  simulation.observe([](const State& state, EquationsOfMotion&) {
    if (state.t > 0.2) throw std::runtime_error("enough");
    return true;
  });
  const std::string why = error_of([&] { simulation.run(0, 1); });
  const Json data = data_of(page_of(simulation.trajectory(), {.t_end = 1.0, .reason = why}));
  const std::string early = data["early"];
  EXPECT_EQ(early.find("The run came to t = "), 0u) << early;
  EXPECT_NE(early.find("enough"), std::string::npos);
  EXPECT_LT(numbers_of<double>(data["frames"]["t"]).back(), 1);
}

TEST_F(Pages, OfAThousandBodiesAndFramesTakeLessThanSixtyMegabytes) {
  PlanarModel model("thousand");
  auto before = model.ground().origin();
  for (int i = 0; i < 1000; ++i) {
    auto body = model.add_body("body " + std::to_string(i), MassProperties::rod(1, 1));
    body.place({i + 0.5, 0.0});
    model.add_joint<Revolute>("joint " + std::to_string(i), before, body.at({-0.5, 0}));  // with a reaction each
    before = body.at({0.5, 0});
  }
  model.set_gravity({0, -gravity});
  Simulation simulation(
      model, {.formulation = Formulation::relative, .integrator = ExtrapolationOptions{.rtol = 1e-2, .atol = 1e-2}});
  const Trajectory path = simulation.run(0, 1e-3);
  // Each frame has as many numbers as any other.
  const auto size = [&](double frames) { return page_of(path, {.frames_per_second = frames / 1e-3}).size(); };
  const std::size_t of_three = size(3), of_six = size(6);
  EXPECT_LT(of_three + 333 * (of_six - of_three), 60'000'000u);
}

TEST_F(Pages, ShowSmallChangesOfLargeValues) {
  PlanarModel model("drifting");
  auto body = model.add_body("body", MassProperties::rod(1, 1));
  body.move({1, 0});
  model.add_observable("large", "", [=](const auto& now) { return 1e6 + 1e-3 * now.time(); });
  const Json data = data_of(page_of(run_of(model, 1), {.frames_per_second = 2}));
  const std::vector<double> large = values_of(data["charts"][0]["curves"][0]);
  ASSERT_EQ(large.size(), 3u);
  EXPECT_NEAR(large[1] - large[0], 5e-4, 1e-9);  // single precision of 1e6 is 6e-2
}

TEST_F(Pages, HaveMoreFramesOfAMomentAndFewerOfAnHour) {
  const auto frames = [](double t_end) {
    PlanarModel model("drifting");
    auto body = model.add_body("body", MassProperties::rod(1, 1));
    body.move({1, 0});
    return numbers_of<double>(data_of(page_of(run_of(model, t_end)))["frames"]["t"]).size();
  };
  EXPECT_EQ(frames(1e-3), 301u);
  EXPECT_EQ(frames(20), 601u);
  EXPECT_EQ(frames(3600), 3001u);
}

TEST_F(Pages, ShowARunWithoutAStep) {
  Simulation simulation(planar_pendulum());
  const Json data = data_of(page_of(simulation.run(0, 0)));
  EXPECT_EQ(numbers_of<double>(data["frames"]["t"]), std::vector<double>{0});
  EXPECT_EQ(poses_in(data).size(), 6u);
}

TEST_F(Pages, LetNoNameBecomeATag) {
  PlanarModel model("</script><script>alert(1)</script> é");
  model.add_body("<!-- \"body\"", MassProperties::rod(1, 1));
  const std::string page = page_of(run_of(model, 0.1));
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  const Json data = data_of(page);
  EXPECT_EQ(data["title"], model.name());
  EXPECT_EQ(data["bodies"][0], "<!-- \"body\"");
}

TEST_F(Pages, ShowEquationsWithoutBodiesAsCurves) {
  Simulation simulation(std::make_unique<Falling>());
  const Json data = data_of(page_of(simulation.run(0, 1)));
  EXPECT_TRUE(data["bodies"].empty());
  EXPECT_EQ(data["charts"][0]["title"], "coordinates");
  EXPECT_NEAR(values_of(data["charts"][0]["curves"][0]).back(), -gravity / 2, 1e-5);
  EXPECT_NE(error_of([&] { write_poses(simulation.trajectory(), "poses.csv", 1); }).find("is posed directly"),
            std::string::npos);
}

/// Each swings about an axis through its end, beside which its weight is: bearings transmit forces and torques.
TEST_F(Pages, OfAHundredBodiesForAMinuteTakeLessThanTenMegabytes) {
  SpatialModel model("hundred");
  model.set_gravity({0, 0, -gravity});
  for (int i = 0; i < 100; ++i) {
    auto body = model.add_body("body " + std::to_string(i), MassProperties::box(1, {1, 0.1, 0.1}));
    body.place({0.5, 1.0 * i, 0});
    model.add_joint<Revolute>("bearing " + std::to_string(i), model.ground().at({0, i - 0.3, 0}),
                              body.at({-0.5, -0.3, 0}), Axis::y());
  }
  Simulation simulation(
      model, {.formulation = Formulation::relative, .integrator = ExtrapolationOptions{.rtol = 1e-3, .atol = 1e-3}});
  const std::string page = page_of(simulation.run(0, 60), {.frames_per_second = 30});
  const Json data = data_of(page);
  EXPECT_EQ(numbers_of<double>(data["frames"]["t"]).size(), 1801u);
  EXPECT_EQ(data["forces"]["list"].size(), 100u);
  EXPECT_EQ(data["torques"]["list"].size(), 100u);
  RecordProperty("bytes", static_cast<int>(page.size()));
  EXPECT_LT(page.size(), 10'000'000u);
}

TEST_F(Pages, ShowSomeOfManySteps) {
  const Trajectory path = run_of(planar_pendulum(), 0.1);
  std::vector<StepAttempt> attempts;
  for (int k = 0; k < 23'000; ++k) attempts.push_back({1e-6 * k, 1e-6, 3, k % 100 != 7});
  const auto model = planar_pendulum();
  const Trajectory many(path.segments(), {}, make_equations(model, {}), "auto", attempts);
  const Json data = data_of(page_of(many));
  const Json& lengths = chart_of(data, "lengths of steps [s]");
  const auto count = [&](std::size_t curve) {
    const std::vector<double> values = values_of(lengths["curves"][curve]);
    return std::count_if(values.begin(), values.end(), [](double value) { return value > 0; });
  };
  EXPECT_GT(count(0), 2500);
  EXPECT_LE(count(0), 5000);
  EXPECT_EQ(count(1), 230);  // rejected
}

TEST_F(Pages, RefuseWhatTheyCannotShow) {
  const Trajectory path = run_of(planar_pendulum(), 0.1);
  EXPECT_EQ(error_of([&] { page_of(path, {.frames_per_second = 0}); }),
            "write_html: 0 frames per second over 0.1 s; expected a rate above 0 with 1000000 frames at most.");
  EXPECT_EQ(
      error_of([&] { page_of(path, {.curves = {"hight"}}); }),
      "write_html: no column fits 'hight'; there are: 'height', 'bar: x', 'bar: y', 'bar: angle', 'bar: x velocity', "
      "'bar: y velocity', 'bearing: velocity 1', 'bearing: coordinate 1' and 4 more.");
  write_html(path, this->path("a.html"));
  const std::string before = text_of("a.html");
  EXPECT_NE(error_of([&] { write_html(path, this->path("a.html"), {.curves = {"no"}}); }).find("no column fits"),
            std::string::npos);
  EXPECT_EQ(text_of("a.html"), before);
  EXPECT_NE(error_of([&] { write_html(path, this->path("no/where.html")); }).find("no/where.html"), std::string::npos);
  EXPECT_NE(error_of([&] { write_html(path, std::string("/dev/full")); }).find("/dev/full"), std::string::npos);
}

TEST_F(Pages, NameThePackageThatIsNotInstalled) {
  setenv("LINKWORK_JAVASCRIPT", "/nowhere", 1);
  const std::string why = error_of([] { require_page_scripts(); });
  unsetenv("LINKWORK_JAVASCRIPT");
  EXPECT_EQ(
      why,
      "a page needs '/nowhere/three/examples/js/controls/OrbitControls.js' of Debian's package libjs-three, which "
      "can't be read; install it: apt-get install libjs-three.");
}

// ---------------------------------------------------------------------------------------------------- glTF

/// The parts of a .glb file: its JSON, and the floats of an accessor.
struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::string& file) {
    std::uint32_t head[5] = {};
    std::memcpy(head, file.data(), sizeof(head));
    EXPECT_EQ(head[1], 2u);
    EXPECT_EQ(head[2], file.size());
    json = Json::parse(file.substr(20, head[3]));
    binary = file.substr(20 + head[3] + 8);
    EXPECT_EQ(json["buffers"][0]["byteLength"], binary.size());
  }
  std::vector<float> floats(int accessor) const {
    const Json& view = json["bufferViews"][json["accessors"][accessor]["bufferView"].get<std::size_t>()];
    std::vector<float> out(view["byteLength"].get<std::size_t>() / sizeof(float));
    std::memcpy(out.data(), binary.data() + view["byteOffset"].get<std::size_t>(), out.size() * sizeof(float));
    return out;
  }
};

std::string glb_of(const Trajectory& path, const GltfOptions& options = {}) {
  std::ostringstream text;
  write_gltf(path, text, options);
  return text.str();
}

TEST(Gltf, HoldsTheMotionOfEveryBody) {
  const Trajectory path = run_of(spatial_pendulum(), 0.5);
  const Glb glb(glb_of(path, {.frames_per_second = 20}));
  const Table table = poses_of(path, 20);
  const Json& animation = glb.json["animations"][0];
  int channels = 0;
  for (const Json& channel : animation["channels"]) {
    const std::string body = glb.json["nodes"][channel["target"]["node"].get<std::size_t>()]["name"];
    const bool turns = channel["target"]["path"] == "rotation";
    const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    const std::vector<float> t = glb.floats(sampler["input"]), values = glb.floats(sampler["output"]);
    ASSERT_EQ(t.size(), table.rows.size());
    const std::size_t first = body == "upper" ? 1 : 8, count = turns ? 4 : 3;
    ASSERT_EQ(values.size(), count * t.size());
    for (std::size_t k = 0; k < t.size(); ++k)
      for (std::size_t i = 0; i < count; ++i) {
        // x, y, z, w in glTF; w, x, y, z in tables.
        const std::size_t column = first + (turns ? 3 + (i + 1) % 4 : i);
        EXPECT_NEAR(values[count * k + i], table.rows[k][column], 1e-7) << body << " at " << t[k];
      }
    ++channels;
  }
  EXPECT_EQ(channels, 4);
}

TEST(Gltf, OfARunWithoutAStepHoldsOneFrame) {
  Simulation simulation(planar_pendulum());
  const Glb glb(glb_of(simulation.run(0, 0)));
  EXPECT_EQ(glb.floats(glb.json["animations"][0]["samplers"][0]["input"]).size(), 1u);
}

TEST(Gltf, IsRefusedWhereItCannotBeWritten) {
  const Trajectory path = run_of(planar_pendulum(), 0.1);
  for (const std::string file : {"/dev/full", "/nowhere/at/all.glb"})
    EXPECT_NE(error_of([&] { write_gltf(path, file); }).find(file), std::string::npos);
}

TEST(Gltf, TellsBoundsOfWhatItHolds) {
  const Glb glb(glb_of(
      run_of(planar_pendulum(), 0.2),
      {.drawing = Drawing()
                      .add("bar", {.geometry = shape::Capsule{0.1, 0.5}})
                      .add("bar", {.geometry = shape::Polyline{{{0, 0, 0}, {1, 2, 3}}, true}})
                      .add("ground", {.geometry = shape::Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}})}));
  int checked = 0;
  for (const Json& mesh : glb.json["meshes"])
    for (const Json& primitive : mesh["primitives"]) {
      const int number = primitive["attributes"]["POSITION"];
      const Json& accessor = glb.json["accessors"][number];
      const std::vector<float> values = glb.floats(number);
      ASSERT_EQ(values.size(), 3 * accessor["count"].get<std::size_t>());
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_GE(values[i], accessor["min"][i % 3].get<float>());
        EXPECT_LE(values[i], accessor["max"][i % 3].get<float>());
      }
      ++checked;
    }
  EXPECT_EQ(checked, 5);  // cylinder, sphere, line, triangle, and the pin of the bearing in another colour
}

TEST(Gltf, OfAThousandBodiesAndFramesTakesLessThanSixtyMegabytes) {
  PlanarModel model("thousand");
  for (int i = 0; i < 1000; ++i) {
    auto body = model.add_body("body " + std::to_string(i), MassProperties::rod(1, 1));
    body.place({0.0, 1.0 * i}).move({0.1, 0}, 0.1);
  }
  const Trajectory path = run_of(model, 10);
  // Each frame has as many numbers as any other.
  const std::size_t of_ten = glb_of(path, {.frames_per_second = 0.9}).size();
  const std::size_t of_twenty = glb_of(path, {.frames_per_second = 1.9}).size();
  constexpr double of_a_frame = (1000 * 7 + 1) * sizeof(float);  // and longer numbers of places in the file
  EXPECT_NEAR(static_cast<double>(of_twenty - of_ten), 10 * of_a_frame, 0.5 * of_a_frame);
  EXPECT_LT(of_ten + 99 * (of_twenty - of_ten), 60'000'000u);
}

// A loop of three bodies and the ground, a spring across it, and a rod beside a joint.
TEST(Graphs, SayTreeCutsAndForces) {
  PlanarModel model("four-bar");
  auto bar = [&](const std::string& name) { return model.add_body(name, MassProperties::rod(1, 1)); };
  auto crank = bar("crank").place({0, 0.5}, 1.5707963267948966), coupler = bar("coupler").place({0.5, 1}),
       rocker = bar("rocker").place({1, 0.5}, 1.5707963267948966);
  model.add_joint<Revolute>("A", model.ground().origin(), crank.at({-0.5, 0}));
  model.add_joint<Revolute>("B", crank.at({0.5, 0}), coupler.at({-0.5, 0}));
  model.add_joint<Revolute>("C", coupler.at({0.5, 0}), rocker.at({0.5, 0}));
  model.add_joint<Revolute>("D", rocker.at({-0.5, 0}), model.ground().at({1, 0}));
  model.add_force<SpringDamper>("spring", crank.origin(), rocker.origin(), {.stiffness = 1});
  const Json graph = describe_graph(*make_equations(model, {}));
  ASSERT_EQ(graph["nodes"].size(), 4u);
  EXPECT_EQ(graph["nodes"][0]["name"], "ground");
  std::map<std::string, int> roles;
  for (const Json& edge : graph["edges"]) {
    ++roles[edge["role"]];
    for (const int end : edge["ends"]) EXPECT_TRUE(end >= 0 && end < 4) << edge;
  }
  EXPECT_EQ(roles, (std::map<std::string, int>{{"tree", 3}, {"cut", 1}, {"force", 1}}));
  for (const Json& edge : graph["edges"])
    if (edge["role"] == "tree") {
      EXPECT_EQ(graph["nodes"][edge["ends"][1].get<std::size_t>()]["father"], edge["ends"][0]) << edge;
    }
}

}  // namespace pictures_test
