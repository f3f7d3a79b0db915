#include <linkwork/solvers/linear/tree_kernels.hpp>

namespace linkwork {

template <>
auto BlockTreeElimination<6>::choose_kernel(int size, int rows) -> const Kernel* {
  switch (10 * size + rows) {
    case 30:
      return kernel_of<3, 0>();
    case 31:
      return kernel_of<3, 1>();
    case 32:
      return kernel_of<3, 2>();
    case 33:
      return kernel_of<3, 3>();
    case 60:
      return kernel_of<6, 0>();
    case 61:
      return kernel_of<6, 1>();
    case 62:
      return kernel_of<6, 2>();
    case 63:
      return kernel_of<6, 3>();
    case 64:
      return kernel_of<6, 4>();
    case 65:
      return kernel_of<6, 5>();
    case 66:
      return kernel_of<6, 6>();
    default:
      return pair_kernel();
  }
}

template class BlockTreeElimination<6>;

std::unique_ptr<TreeElimination> make_spatial_elimination(TreePlan plan) {
  return std::make_unique<BlockTreeElimination<6>>(std::move(plan));
}

}  // namespace linkwork
