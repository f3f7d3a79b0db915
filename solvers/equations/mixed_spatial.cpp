#include <linkwork/solvers/equations/mixed.hpp>
#include <linkwork/solvers/equations/mixed_dependencies_impl.hpp>
#include <linkwork/solvers/equations/mixed_equations_impl.hpp>

namespace linkwork {

template class MixedEquations<Spatial>;

std::unique_ptr<EquationsOfMotion> make_mixed_equations(const Model<Spatial>& model, const TopologyOptions& topology,
                                                        AuxiliaryUnknowns auxiliary) {
  return std::make_unique<MixedEquations<Spatial>>(model, topology, auxiliary);
}

}  // namespace linkwork
