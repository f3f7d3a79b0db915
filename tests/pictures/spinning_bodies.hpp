#pragma once

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace linkwork::test {

/// A run of two bodies that turn in space, six frames of it as a .glb file, and what readers of it should find.
class SpinningBodies {
 public:
  SpinningBodies() : simulation_(model()), path_(simulation_.run(0, 0.5)) {}

  std::string file() const {
    std::ostringstream out;
    write_gltf(path_, out, {.frames_per_second = 10});
    return out.str();
  }
  /// That a body's pose at a frame is that of the run, in single precision of some metres.
  void expect_pose(const std::string& name, std::size_t frame, const Eigen::Vector3d& position,
                   const Eigen::Quaterniond& attitude) {
    const Frame<Spatial> body = model_.body(name).origin();
    measure(simulation_.equations(), path_.at(0.1 * static_cast<double>(frame)), [&](const Snapshot<Spatial>& now) {
      EXPECT_LT((position - now.pose(body).position).norm(), 1e-6) << name << " at frame " << frame;
      EXPECT_LT((attitude.toRotationMatrix() - now.pose(body).rotation).norm(), 1e-6) << name << " at frame " << frame;
      return 0.0;
    });
  }

 private:
  const SpatialModel& model() {
    model_.set_gravity({0, 0, -9.81});
    auto box = model_.add_body("box", MassProperties::box(1, {0.1, 0.2, 0.3}));
    auto ball = model_.add_body("ball", MassProperties::sphere(1, 0.1));
    box.place({1, 2, 3}).move({1, 0, 2}, {3, 2, 1});
    ball.place({0, 0, 1});
    model_.add_joint<Spherical>("pivot", model_.ground().at({0, 0, 1.5}), ball.at({0, 0, 0.5}));
    return model_;
  }

  SpatialModel model_{"spinning"};
  Simulation simulation_;
  Trajectory path_;
};

}  // namespace linkwork::test
