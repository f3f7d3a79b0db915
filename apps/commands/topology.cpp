#include "commands/command.hpp"
#include "commands/model_arguments.hpp"
#include "output_file.hpp"
#include "zoo/zoo.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/absolute.hpp>
#include <linkwork/topology/topology.hpp>

#include <Eigen/QR>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ModelArguments model;
  std::string dot, json;
};

/// Rows of the velocity constraints that depend on others at the initial position; null for systems so large that a
/// dense rank would take minutes.
template <class Space>
Json redundant_rows(const Model<Space>& model) {
  constexpr int largest = 2000;
  const auto equations = make_absolute_equations(model);
  const Dimensions& sizes = equations->dimensions();
  if (std::max(sizes.v, sizes.constraints()) > largest) return nullptr;
  if (sizes.constraints() == 0) return 0;
  equations->set(equations->initial_state());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(equations->G().dense().transpose());
  qr.setThreshold(1e-9);  // coarser than rounding: joints that differences derive are good to 1e-11
  return sizes.constraints() - static_cast<int>(qr.rank());
}

template <class Space>
Json to_json(const Model<Space>& model, const Topology& topology) {
  const auto& elements = model.data().constraints;
  const auto joints = std::count_if(elements.begin(), elements.end(), [](const auto& e) { return e.joint != nullptr; });
  Json tree = Json::array(), cuts = Json::array(), loops = Json::array();
  for (std::size_t label = 0; label < topology.nodes.size(); ++label) {
    const Topology::Node& node = topology.nodes[label];
    tree.push_back({{"label", label},
                    {"body", node.name},
                    {"father", label == 0 ? -1 : node.father},
                    {"joint", node.edge < 0 ? "" : topology.elements[static_cast<std::size_t>(node.edge)].name}});
  }
  for (int cut : topology.cuts) {
    cuts.push_back(topology.elements[static_cast<std::size_t>(cut)].name);
    loops.push_back(topology.loop_names(cut));
  }
  return {{"bodies", topology.bodies()},
          {"joints", joints},
          {"constraints", static_cast<std::ptrdiff_t>(elements.size()) - joints},
          {"forces", topology.forces.size()},
          {"components", topology.components},
          {"freedoms", topology.freedoms},
          {"rows", topology.rows},
          {"mobility", topology.mobility()},
          {"tree", tree},
          {"cuts", cuts},
          {"loops", loops},
          {"redundant_rows", redundant_rows(model)},
          {"blocks", {{"mass", topology.mass_blocks}, {"constraints", topology.constraint_blocks}}},
          {"warnings", topology.warnings}};
}

int show(const Options& options) {
  if (options.dot == "-" && options.json == "-")
    throw ModelError("--dot - and --json - can't both write to standard output; give one of them a file.");
  std::unique_ptr<OutputFile> dot, json;
  if (!options.dot.empty()) dot = std::make_unique<OutputFile>(options.dot);
  if (!options.json.empty()) json = std::make_unique<OutputFile>(options.json);
  const ZooModel& entry = find_model(options.model.name);
  std::visit(
      [&](const auto& model) {
        const Topology topology = analyze(model);
        if (dot) {
          write_graphviz(dot->stream(), topology);
          dot->close();
        }
        if (json) {
          json->stream() << to_json(model, topology).dump(2) << '\n';
          json->close();
        }
        if (options.json != "-" && options.dot != "-") std::cout << topology.summary();
      },
      entry.build(options.model.parameters(entry)));
  return done;
}

}  // namespace

Command add_topology(CLI::App& program) {
  CLI::App* app = program.add_subcommand("topology", "Shows tree, cuts, loops and block patterns of a model.");
  auto options = std::make_shared<Options>();
  options->model.add_to(*app);
  app->add_option("--dot", options->dot, "writes the graph for Graphviz; - for standard output")->type_name("FILE");
  app->add_option("--json", options->json, "writes the topology as JSON; - for standard output")->type_name("FILE");
  return {app, [options] { return show(*options); }};
}

}  // namespace linkwork::apps
