// Animations as assimp reads them, which shares no code with what writes them.

#include "spinning_bodies.hpp"

#include <assimp/scene.h>
#include <gtest/gtest.h>
#include <assimp/Importer.hpp>
#include <string>

namespace gltf_read_back_test {

using namespace linkwork;

TEST(Gltf, IsReadBackByAssimpWithThePosesOfItsBodies) {
  test::SpinningBodies bodies;
  const std::string file = bodies.file();

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
    for (const unsigned k : {0u, 2u, 5u}) {
      const aiVector3D& at = track->mPositionKeys[k].mValue;
      const aiQuaternion& turned = track->mRotationKeys[k].mValue;
      bodies.expect_pose(name, k, {at.x, at.y, at.z}, {turned.w, turned.x, turned.y, turned.z});
    }
  }
}

}  // namespace gltf_read_back_test
