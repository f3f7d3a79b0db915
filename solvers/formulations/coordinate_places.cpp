#include <linkwork/solvers/formulations/coordinate_places.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

namespace linkwork {

template <class Space>
CoordinatePlaces places_of(const EquationsOfMotion& equations, const JointRef<Space>& joint) {
  const auto* graph = dynamic_cast<const GraphEquations<Space>*>(&equations);
  if (!graph || joint.model != &graph->model() || joint.index < 0)
    throw ModelError(concat("places_of: the joint is none of model '", equations.model_name(),
                            "'; give a joint of the model that the equations were made from."));
  if (const auto places = graph->joint_places(joint.index)) return *places;
  const std::string& name = graph->model().constraints[detail::at(joint.index)].name;
  throw ModelError(concat("places_of: joint '", name, "' has no coordinates of its own in the ",
                          equations.formulation_name(), " formulation",
                          equations.formulation_name() == "absolute" ? "" : ", where it closes a loop",
                          "; measure joint_coordinate and joint_velocity instead."));
}

template CoordinatePlaces places_of(const EquationsOfMotion&, const JointRef<Planar>&);
template CoordinatePlaces places_of(const EquationsOfMotion&, const JointRef<Spatial>&);

}  // namespace linkwork
