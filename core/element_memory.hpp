#pragma once

#include <string>

namespace linkwork {

/// What elements remember between accepted steps (turns that were counted, signs of friction), and the functions at
/// whose zeros that changes.
class ElementMemory {
 public:
  /// Renews what elements remember. Called by the driver with an accepted state set. `crossed`: the switching function
  /// that stopped the step, or -1.
  virtual void remember(bool /*restart*/, int /*crossed*/) {}
  /// Clears what elements remember, as it was before the first run; `remember` follows.
  virtual void forget() {}
  /// Switching functions of elements (friction signs, contacts): constant mode inside a step, restart at a zero.
  virtual int switches() const { return 0; }
  virtual double switching_function(int /*index*/) { return 1; }
  virtual std::string switch_name(int index) const { return "switch " + std::to_string(index); }

 protected:
  ~ElementMemory() = default;
};

}  // namespace linkwork
