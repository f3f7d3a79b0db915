// Animations as assimp reads them, which shares no code with what writes them.

#include <linkwork/linkwork.hpp>

#include <assimp/scene.h>
#include <gtest/gtest.h>
#include <assimp/Importer.hpp>
#include <sstream>
#include <string>

namespace gltf_read_back_test {

using namespace linkwork;

TEST(Gltf, IsReadBackByAssimpWithThePosesOfItsBodies) {
  SpatialModel model("spinning");
  model.set_gravity({0, 0, -9.81});
  auto box = model.add_body("box", MassProperties::box(1, {0.1, 0.2, 0.3}));
  auto ball = model.add_body("ball", MassProperties::sphere(1, 0.1));
  box.place({1, 2, 3}).move({1, 0, 2}, {3, 2, 1});
  ball.place({0, 0, 1});
  model.add_joint<Spherical>("pivot", model.ground().at({0, 0, 1.5}), ball.at({0, 0, 0.5}));
  Simulation simulation(model);
  const Trajectory path = simulation.run(0, 0.5);
  std::stringstream text;
  write_gltf(path, text, {.frames_per_second = 10});
  const std::string file = text.str();

  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFileFromMemory(file.data(), file.size(), 0, "glb");
  ASSERT_TRUE(scene) << importer.GetErrorString();
  EXPECT_GT(scene->mNumMeshes, 0u);
  ASSERT_EQ(scene->mNumAnimations, 1u);
  for (const char* name : {"box", "ball"}) {
    ASSERT_TRUE(scene->mRootNode->FindNode(name)) << name;
    const aiNodeAnim* track = nullptr;
    for (unsigned i = 0; i < scene->mAnimations[0]->mNumChannels; ++i)
      if (scene->mAnimations[0]->mChannels[i]->mNodeName == aiString(name)) track = scene->mAnimations[0]->mChannels[i];
    ASSERT_TRUE(track) << name;
    ASSERT_EQ(track->mNumPositionKeys, 6u);
    ASSERT_EQ(track->mNumRotationKeys, 6u);
    const auto frame = model.body(name).origin();
    for (const unsigned k : {0u, 2u, 5u}) {
      const aiVector3D& at = track->mPositionKeys[k].mValue;
      const aiQuaternion& turned = track->mRotationKeys[k].mValue;
      Pose<Spatial> pose;
      measure(simulation.equations(), path.at(0.1 * k), [&](const Snapshot<Spatial>& now) {
        pose = now.pose(frame);
        return 0.0;
      });
      // Single precision of some metres.
      EXPECT_LT((Eigen::Vector3d(at.x, at.y, at.z) - pose.position).norm(), 1e-6) << name << " at frame " << k;
      const Eigen::Quaterniond read(turned.w, turned.x, turned.y, turned.z);
      EXPECT_LT((read.toRotationMatrix() - pose.rotation).norm(), 1e-6) << name << " at frame " << k;
    }
  }
}

}  // namespace gltf_read_back_test
