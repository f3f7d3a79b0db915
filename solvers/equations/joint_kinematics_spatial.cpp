#include <linkwork/solvers/equations/joint_kinematics_impl.hpp>

namespace linkwork {

template class JointKinematics<Spatial>;

}  // namespace linkwork
