#include <linkwork/solvers/pictures/arrow_description.hpp>

#include <linkwork/solvers/pictures/force_arrows.hpp>
#include <linkwork/solvers/pictures/page_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace linkwork {
namespace {

using Json = nlohmann::json;

/// Forces or torques of an arrow, x, y, z by frame.
using ArrowVectors = std::vector<float> ForceArrows::Arrow::*;

float largest_component(const std::vector<float>& vectors) {
  float largest = 0;
  for (const float x : vectors)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

/// What an arrow has to exceed. Reactions are solved for, and have by rounding what they do not transmit; force
/// elements tell what they put on bodies.
float noise_of(const ForceArrows::Arrow& arrow, float noise_of_reactions) {
  return arrow.is_reaction ? noise_of_reactions : 0;
}

/// What nearly all vectors stay below, of arrows that show more than noise: the peaks of impacts would leave no more
/// than dots of the others. 0 where there are none.
float usual_size(const ForceArrows& forces, ArrowVectors vectors, float noise_of_reactions) {
  std::vector<float> sizes;
  for (const ForceArrows::Arrow& arrow : forces.arrows()) {
    const std::vector<float>& list = arrow.*vectors;
    if (!(largest_component(list) > noise_of(arrow, noise_of_reactions))) continue;
    for (std::size_t k = 0; k + 2 < list.size(); k += 3)
      if (const float size = Eigen::Vector3f::Map(&list[k]).norm(); size > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return 0;
  const auto usual = sizes.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), usual, sizes.end());
  return *usual;
}

/// Shares of each arrow's largest component, which whole numbers of two bytes tell well enough for a picture.
Json describe(const ForceArrows& forces, ArrowVectors vectors, float noise_of_reactions) {
  constexpr double largest_number = 32767;
  constexpr std::int16_t not_known = -32768;
  const float usual = usual_size(forces, vectors, noise_of_reactions);
  Json list = Json::array();
  for (const ForceArrows::Arrow& arrow : forces.arrows()) {
    const float largest = largest_component(arrow.*vectors);
    if (!(largest > std::max(noise_of(arrow, noise_of_reactions), 1e-6f * usual))) continue;
    std::vector<std::int16_t> shares;
    for (const float x : arrow.*vectors)
      shares.push_back(std::isfinite(x) ? static_cast<std::int16_t>(std::lround(x / largest * largest_number))
                                        : not_known);
    list.push_back({{"name", arrow.name},
                    {"reaction", arrow.is_reaction},
                    {"body", arrow.body},
                    {"point", {arrow.point.x(), arrow.point.y(), arrow.point.z()}},
                    {"unit", largest / largest_number},
                    {"shares", base64(shares)}});
  }
  return {{"usual", usual}, {"list", list}};
}

}  // namespace

Json describe_forces(const ForceArrows& forces) { return describe(forces, &ForceArrows::Arrow::forces, 0); }

Json describe_torques(const ForceArrows& forces, double length) {
  const float noise = 1e-6f * usual_size(forces, &ForceArrows::Arrow::forces, 0) * static_cast<float>(length);
  return describe(forces, &ForceArrows::Arrow::torques, noise);
}

}  // namespace linkwork
