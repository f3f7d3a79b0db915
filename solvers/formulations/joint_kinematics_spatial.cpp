#include <linkwork/solvers/formulations/joint_kinematics_impl.hpp>

namespace linkwork {

template class JointKinematics<Spatial>;

}  // namespace linkwork
