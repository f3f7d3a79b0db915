#include <linkwork/solvers/linear/joint_recursion_impl.hpp>

namespace linkwork {

namespace joint_kernels {

template <>
const Kernel<Spatial>& unit_kernel<Spatial>(int axis, bool is_level) {
  static constexpr const Kernel<Spatial>* level_kernels[] = {
      &Shape<Spatial, 1, 0, true>::kernel, &Shape<Spatial, 1, 1, true>::kernel, &Shape<Spatial, 1, 2, true>::kernel};
  static constexpr const Kernel<Spatial>* kernels[] = {&Shape<Spatial, 1, 0>::kernel, &Shape<Spatial, 1, 1>::kernel,
                                                       &Shape<Spatial, 1, 2>::kernel, &Shape<Spatial, 1, 3>::kernel,
                                                       &Shape<Spatial, 1, 4>::kernel, &Shape<Spatial, 1, 5>::kernel};
  return is_level ? *level_kernels[axis] : *kernels[axis];
}

template <>
const Kernel<Spatial>& subspace_kernel<Spatial>(int freedoms) {
  static constexpr const Kernel<Spatial>* kernels[] = {&Shape<Spatial, 0, -1>::kernel, &Shape<Spatial, 1, -1>::kernel,
                                                       &Shape<Spatial, 2, -1>::kernel, &Shape<Spatial, 3, -1>::kernel,
                                                       &Shape<Spatial, 4, -1>::kernel, &Shape<Spatial, 5, -1>::kernel,
                                                       &Shape<Spatial, 6, -1>::kernel};
  return *kernels[freedoms];
}

}  // namespace joint_kernels

template class JointRecursion<Spatial>;

}  // namespace linkwork
