#include <linkwork/solvers/linear/joint_recursion_impl.hpp>

namespace linkwork {

namespace joint_kernels {

template <>
const Kernel<Planar>& unit_kernel<Planar>(int axis, bool /*is_level*/) {
  static constexpr const Kernel<Planar>* kernels[] = {&Shape<Planar, 1, 0>::kernel, &Shape<Planar, 1, 1>::kernel,
                                                      &Shape<Planar, 1, 2>::kernel};
  return *kernels[axis];
}

template <>
const Kernel<Planar>& subspace_kernel<Planar>(int freedoms) {
  static constexpr const Kernel<Planar>* kernels[] = {&Shape<Planar, 0, -1>::kernel, &Shape<Planar, 1, -1>::kernel,
                                                      &Shape<Planar, 2, -1>::kernel, &Shape<Planar, 3, -1>::kernel};
  return *kernels[freedoms];
}

}  // namespace joint_kernels

template class JointRecursion<Planar>;

}  // namespace linkwork
