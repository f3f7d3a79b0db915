// Animations as tinygltf reads them, which shares no code with what writes them: bounds, accessors and poses.

#include "spinning_bodies.hpp"

#include <gtest/gtest.h>
#ifdef LINKWORK_HAS_TINYGLTF
#include <tiny_gltf.h>
#endif
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace gltf_by_tinygltf_test {

using namespace linkwork;

#ifdef LINKWORK_HAS_TINYGLTF

/// A file as tinygltf has it, whose accessors are looked at before their numbers are read.
struct ReadFile {
  tinygltf::Model model;

  explicit ReadFile(const std::string& bytes) {
    tinygltf::TinyGLTF reader;
    std::string error, warning;
    const bool is_read =
        reader.LoadBinaryFromMemory(&model, &error, &warning, reinterpret_cast<const unsigned char*>(bytes.data()),
                                    static_cast<unsigned>(bytes.size()));
    EXPECT_TRUE(is_read) << error;
    EXPECT_EQ(error, "");
    EXPECT_EQ(warning, "");
  }
  const tinygltf::Accessor& accessor(int number) const { return model.accessors.at(static_cast<std::size_t>(number)); }
  /// The numbers of an accessor lie within its view, and its view within the buffer.
  void expect_within_buffer(const tinygltf::Accessor& accessor) const {
    const tinygltf::BufferView& view = model.bufferViews.at(static_cast<std::size_t>(accessor.bufferView));
    const std::size_t size =
        accessor.count *
        static_cast<std::size_t>(tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(accessor.componentType)) *
                                 tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type)));
    EXPECT_LE(accessor.byteOffset + size, view.byteLength);
    EXPECT_LE(view.byteOffset + view.byteLength, model.buffers.at(static_cast<std::size_t>(view.buffer)).data.size());
    EXPECT_EQ((accessor.byteOffset + view.byteOffset) % 4, 0u);
  }
  std::vector<float> floats(int number) const {
    const tinygltf::Accessor& from = accessor(number);
    EXPECT_EQ(from.componentType, TINYGLTF_COMPONENT_TYPE_FLOAT);
    expect_within_buffer(from);
    const tinygltf::BufferView& view = model.bufferViews.at(static_cast<std::size_t>(from.bufferView));
    std::vector<float> out(
        from.count * static_cast<std::size_t>(tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(from.type))));
    std::memcpy(out.data(),
                model.buffers.at(static_cast<std::size_t>(view.buffer)).data.data() + view.byteOffset + from.byteOffset,
                out.size() * sizeof(float));
    return out;
  }
};

TEST(Gltf, IsReadBackByTinygltfWithBoundsAccessorsAndPoses) {
  test::SpinningBodies bodies;
  const ReadFile file(bodies.file());

  for (const tinygltf::Accessor& accessor : file.model.accessors) file.expect_within_buffer(accessor);
  int meshes = 0;
  for (const tinygltf::Mesh& mesh : file.model.meshes)
    for (const tinygltf::Primitive& primitive : mesh.primitives) {
      const int number = primitive.attributes.at("POSITION");
      const tinygltf::Accessor& accessor = file.accessor(number);
      ASSERT_EQ(accessor.minValues.size(), 3u);
      ASSERT_EQ(accessor.maxValues.size(), 3u);
      std::vector<double> least(3, 1e9), most(3, -1e9);
      const std::vector<float> values = file.floats(number);
      for (std::size_t i = 0; i < values.size(); ++i) {
        least[i % 3] = std::min<double>(least[i % 3], values[i]);
        most[i % 3] = std::max<double>(most[i % 3], values[i]);
      }
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(accessor.minValues[i], least[i], 1e-6);
        EXPECT_NEAR(accessor.maxValues[i], most[i], 1e-6);
      }
      ++meshes;
    }
  EXPECT_GT(meshes, 0);

  ASSERT_EQ(file.model.animations.size(), 1u);
  const tinygltf::Animation& animation = file.model.animations.front();
  std::map<std::string, std::map<std::string, std::vector<float>>> tracks;  // by body and what moves
  for (const tinygltf::AnimationChannel& channel : animation.channels) {
    const tinygltf::AnimationSampler& sampler = animation.samplers.at(static_cast<std::size_t>(channel.sampler));
    const std::vector<float> times = file.floats(sampler.input);
    ASSERT_EQ(times.size(), 6u);
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_FLOAT_EQ(times[k], 0.1f * static_cast<float>(k));
    tracks[file.model.nodes.at(static_cast<std::size_t>(channel.target_node)).name][channel.target_path] =
        file.floats(sampler.output);
  }
  for (const char* name : {"box", "ball"}) {
    const std::vector<float>&at = tracks[name]["translation"], &turned = tracks[name]["rotation"];
    ASSERT_EQ(at.size(), 18u) << name;
    ASSERT_EQ(turned.size(), 24u) << name;
    for (const std::size_t k : {0u, 2u, 5u})
      bodies.expect_pose(name, k, {at[3 * k], at[3 * k + 1], at[3 * k + 2]},
                         {turned[4 * k + 3], turned[4 * k], turned[4 * k + 1], turned[4 * k + 2]});
  }
}

#else

TEST(Gltf, IsReadBackByTinygltfWithBoundsAccessorsAndPoses) {
  GTEST_SKIP() << "tinygltf is not installed: apt-get install libtinygltf-dev";
}

#endif

}  // namespace gltf_by_tinygltf_test
