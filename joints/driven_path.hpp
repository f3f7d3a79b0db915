#pragma once

#include <linkwork/core/input.hpp>
#include <linkwork/core/joint.hpp>
#include <linkwork/core/path.hpp>

#include <vector>

namespace linkwork {

/// The son is carried along a path of the father: X(t) = path(u(t)), with u prescribed. No freedoms. Rows: the error of
/// the pose, log(X(t)^-1 X), in the son's axes, angular part first [rad, m].
class DrivenPath final : public Joint<Spatial> {
 public:
  /// @param parameter  u(t), in the path's unit, with u' and u''
  /// @throws ModelError if the path or the input is empty
  DrivenPath(Path path, Input parameter);
  std::string_view type() const override { return "driven path"; }
  int freedoms() const override { return 0; }
  bool is_invariant() const override { return true; }
  std::vector<Input> inputs() const override { return {parameter_}; }

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override;
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Spatial>& bias) const override;
  void do_bias(const Motion<Spatial>& m, double* bias) const override;

  Path path_;
  Input parameter_;
};

}  // namespace linkwork
