#include <linkwork/core/input.hpp>

#include <algorithm>

namespace linkwork {

void InputOffsets::set(const Input& input, const InputValue& offset) {
  std::erase_if(offsets_, [&](const Offset& each) { return each.input == input.own_.get(); });
  if (offset.value != 0 || offset.rate != 0 || offset.acceleration != 0) offsets_.push_back({input.own_.get(), offset});
}

void InputOffsets::add_to(const Input& input, double at, InputValue& value) const {
  const double later = at - time;
  for (const auto& [owner, constants] : offsets_) {
    if (owner != input.own_.get()) continue;
    value.value += constants.value + later * (constants.rate + 0.5 * later * constants.acceleration);
    value.rate += constants.rate + later * constants.acceleration;
    value.acceleration += constants.acceleration;
  }
}

}  // namespace linkwork
