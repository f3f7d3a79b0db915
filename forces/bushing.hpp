#pragma once

#include <linkwork/core/pose.hpp>
#include <linkwork/forces/common.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace linkwork {

/// Bushing: a spring and damper in all directions between two frames. With e the pose of the second frame in the first,
/// the rotation first (planar: the angle; spatial: the rotation vector), then the displacement, in the first's axes,
///
///   generalised force on e:  Q = preload - stiffness e - damping e'
///   V = e . stiffness e / 2 - preload . e,   power on the bodies = -dV/dt - e' . damping e'
///
/// The wrench on the second frame is the one whose power is Q . e', so that energy is stored exactly also in large
/// turns; the opposite acts on the first frame's body, at the same point. It reports e, Q and the power. Turns up to
/// half a turn are told apart; at half a turn the rotation vector jumps.
template <class Space>
class Bushing final : public ForceElement<Space> {
 public:
  using Matrix = Eigen::Matrix<double, Space::n, Space::n>;
  struct Options {
    Exact<Space::n, Space::n> stiffness = Matrix::Zero();  ///< [N m/rad, N/m], symmetric, positive semidefinite
    Exact<Space::n, Space::n> damping = Matrix::Zero();    ///< [N m s/rad, N s/m], symmetric, positive semidefinite
    Exact<Space::n> preload = Components<Space>::Zero();   ///< on the second frame where both coincide [N m, N]
  };

  /// @throws ModelError if a number is not finite, a matrix is not symmetric or not positive semidefinite, if all is
  /// zero, or both frames are on one body
  Bushing(const Frame<Space>& first, const Frame<Space>& second, const Options& options);
  std::string_view type() const override { return "bushing"; }
  std::optional<ForceUse> use() const override;
  std::vector<ElementReport> reports() const override;

 private:
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override;
  double do_potential_energy(const Motion<Space>& m) const override;
  void do_report(const Motion<Space>& m, double* values) const override;

  struct Load;
  Load load(const Motion<Space>& m) const;

  Options options_;
};

extern template class Bushing<Planar>;
extern template class Bushing<Spatial>;

}  // namespace linkwork
