#include <linkwork/solvers/equations/mixed.hpp>
#include <linkwork/solvers/equations/mixed_dependencies_impl.hpp>
#include <linkwork/solvers/equations/mixed_equations_impl.hpp>

namespace linkwork {

template class MixedEquations<Planar>;

std::unique_ptr<EquationsOfMotion> make_mixed_equations(const Model<Planar>& model, const TopologyOptions& topology,
                                                        AuxiliaryUnknowns auxiliary) {
  return std::make_unique<MixedEquations<Planar>>(model, topology, auxiliary);
}

}  // namespace linkwork
