#include "commands/command.hpp"
#include "commands/model_arguments.hpp"
#include "methods.hpp"
#include "output_file.hpp"
#include "zoo/zoo.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/diagnosis.hpp>
#include <linkwork/solvers/equations/formulation.hpp>
#include <linkwork/topology/elimination_plan.hpp>
#include <linkwork/topology/topology.hpp>

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
  std::string formulation = formulation_names().front(), cuts = cut_strategy_names().front();
  std::string dot, json;
};

Json to_json(const Diagnosis& diagnosis) {
  Json loops = Json::array(), reactions = Json::object();
  for (const Diagnosis::Loop& loop : diagnosis.loops) {
    Json rows = Json::array();
    for (const Diagnosis::Row& row : loop.rows)
      rows.push_back({{"name", row.name}, {"unit", row.unit}, {"depends_on_others", row.depends}});
    loops.push_back({{"elements", loop.elements},
                     {"closure_rows", rows},
                     {"redundant", loop.redundant},
                     {"permanently_redundant", loop.permanent},
                     {"redundant_directions", loop.directions}});
  }
  for (const Diagnosis::Reaction& reaction : diagnosis.reactions) reactions[reaction.element] = reaction.components;
  return {{"sentences", diagnosis.sentences},
          {"loops", loops},
          {"reactions_not_unique", reactions},
          {"immovable", diagnosis.immovable},
          {"gaps", diagnosis.gaps}};
}

template <class Space>
Json to_json(const Model<Space>& model, const Topology& topology, const Diagnosis& diagnosis) {
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
  const Topology::Measures& measures = topology.measures;
  const EliminationPlan plan = plan_elimination(block_graph(topology));
  return {{"bodies", topology.bodies()},
          {"joints", joints},
          {"constraints", static_cast<std::ptrdiff_t>(elements.size()) - joints},
          {"forces", topology.forces.size()},
          {"components", topology.components},
          {"freedoms", topology.freedoms},
          {"rows", topology.rows},
          {"mobility", diagnosis.knows_ranks ? diagnosis.usual_mobility() : topology.mobility()},
          {"counted_mobility", topology.mobility()},
          {"tree", tree},
          {"cuts", cuts},
          {"loops", loops},
          {"redundant_rows", diagnosis.knows_ranks ? Json(diagnosis.redundant) : Json()},
          {"permanently_redundant_rows", diagnosis.knows_ranks ? Json(diagnosis.permanent) : Json()},
          {"diagnosis", to_json(diagnosis)},
          {"elimination",
           {{"width", measures.width},
            {"front", measures.front},
            {"loop_length", measures.loop_length},
            {"early_operations", measures.early_operations},
            {"closure_operations", measures.closure_operations},
            {"graph_operations", plan.factor_operations},
            {"graph_peak_width", plan.peak_width}}},
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
  TopologyOptions cuts = parse_cuts(options.cuts);
  cuts.joint_tree = formulation_named(options.formulation) != Formulation::absolute;
  std::visit(
      [&](const auto& model) {
        const Topology topology = analyze(model, cuts);
        const Diagnosis diagnosis = diagnose(model);
        if (dot) {
          write_graphviz(dot->stream(), topology);
          dot->close();
        }
        if (json) {
          json->stream() << to_json(model, topology, diagnosis).dump(2) << '\n';
          json->close();
        }
        if (options.json == "-" || options.dot == "-") return;
        std::cout << topology.summary();
        if (diagnosis.knows_ranks)
          std::cout << "by rank: mobility " << diagnosis.usual_mobility() << ", " << diagnosis.redundant
                    << " redundant rows\n";
        for (const std::string& sentence : diagnosis.sentences) std::cout << sentence << '\n';
      },
      entry.build(options.model.parameters(entry)));
  return done;
}

}  // namespace

Command add_topology(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "topology", "Shows tree, cuts, loops, costs of eliminations and redundant rows of a model.");
  auto options = std::make_shared<Options>();
  options->model.add_to(*app);
  app->add_option("--formulation", options->formulation,
                  listed(formulation_names()) + ": whose tree is shown, with bodies or with joints as coordinates");
  app->add_option("--cuts", options->cuts, cuts_help());
  app->add_option("--dot", options->dot, "writes the graph for Graphviz; - for standard output")->type_name("FILE");
  app->add_option("--json", options->json, "writes the topology as JSON; - for standard output")->type_name("FILE");
  return {app, [options] { return show(*options); }};
}

}  // namespace linkwork::apps
