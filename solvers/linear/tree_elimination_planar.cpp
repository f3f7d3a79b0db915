#include <linkwork/solvers/linear/tree_kernels.hpp>

namespace linkwork {

template <>
auto BlockTreeElimination<3>::choose_kernel(int size, int rows) -> const Kernel* {
  switch (10 * size + rows) {
    case 20:
      return kernel_of<2, 0>();
    case 21:
      return kernel_of<2, 1>();
    case 22:
      return kernel_of<2, 2>();
    case 30:
      return kernel_of<3, 0>();
    case 31:
      return kernel_of<3, 1>();
    case 32:
      return kernel_of<3, 2>();
    case 33:
      return kernel_of<3, 3>();
    default:
      return pair_kernel();
  }
}

template class BlockTreeElimination<3>;

std::unique_ptr<TreeElimination> make_planar_elimination(TreePlan plan) {
  return std::make_unique<BlockTreeElimination<3>>(std::move(plan));
}

}  // namespace linkwork
