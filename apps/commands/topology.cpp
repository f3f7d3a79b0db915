#include "commands/model_arguments.hpp"
#include "commands/subcommand.hpp"
#include "cuts.hpp"
#include "figures/external_program.hpp"
#include "figures/jacobian_picture.hpp"
#include "jacobian_structure.hpp"
#include "model_list.hpp"
#include "output_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/analyses/diagnosis.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/topology/elimination_plan.hpp>
#include <linkwork/topology/topology.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

struct TopologyArguments {
  ModelArguments model;
  std::string formulation = formulation_names().front(), cuts = cut_strategy_names().front();
  std::string dot, svg, json, pattern;
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

Json to_json(const JacobianStructure& jacobian) {
  return {{"rows", jacobian.rows()},
          {"columns", jacobian.pattern.columns},
          {"nonzeros", jacobian.nonzeros()},
          {"nonzeros_with_eta_derivative", jacobian.with_eta_derivative},
          {"source", jacobian.source},
          {"groups", jacobian.groups.count},
          {"lower_bound", jacobian.groups.lower_bound},
          {"ordering", jacobian.groups.ordering},
          {"group_of_column", jacobian.groups.group_of_column}};
}

template <class Space>
Json to_json(const Model<Space>& model, const Topology& topology, const Diagnosis& diagnosis,
             const JacobianStructure& jacobian) {
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
          {"jacobian", to_json(jacobian)},
          {"warnings", topology.warnings}};
}

std::string call_graphviz(const char* argument, const std::string& graph) {
  return output_of({.name = "dot", .package = "graphviz", .arguments = {argument}}, graph);
}
void require_graphviz() { call_graphviz("-V", ""); }

/// The graph as Graphviz lays it out.
std::string svg_of(const Topology& topology) {
  std::ostringstream graph;
  write_graphviz(graph, topology);
  return call_graphviz("-Tsvg", graph.str());
}

/// The ending of the file says how.
void write_pattern(std::ostream& out, const std::string& file, const std::string& model,
                   const JacobianStructure& jacobian) {
  if (file.ends_with(".svg"))
    out << svg_of(std::vector<MatrixPicture>{picture_of(jacobian, model)});
  else if (file.ends_with(".mtx"))
    write_matrix_market(out, jacobian);
  else
    draw(out, jacobian);
}

int show(const TopologyArguments& options) {
  const std::vector<NamedFile> files = {
      {"--dot", options.dot}, {"--svg", options.svg}, {"--json", options.json}, {"--pattern", options.pattern}};
  expect_different_files(files);
  std::unique_ptr<OutputFile> dot, svg, json, pattern;
  if (!options.dot.empty()) dot = std::make_unique<OutputFile>(options.dot);
  if (!options.svg.empty()) svg = std::make_unique<OutputFile>(options.svg);
  if (!options.json.empty()) json = std::make_unique<OutputFile>(options.json);
  if (!options.pattern.empty()) pattern = std::make_unique<OutputFile>(options.pattern);
  if (!options.svg.empty()) require_graphviz();
  if (options.pattern.ends_with(".svg")) require_gnuplot();
  const CommandModel& entry = options.model.model();
  TopologyOptions cuts = parse_cuts(options.cuts);
  const Formulation formulation = formulation_named(options.formulation);
  const TopologyOptions given_cuts = cuts;
  cuts.joint_tree = formulation != Formulation::absolute;
  std::visit(
      [&](const auto& model) {
        const Topology topology = analyze(model, cuts);
        const Diagnosis diagnosis = diagnose(model);
        const JacobianStructure jacobian = jacobian_structure(*make_equations(model, {formulation, given_cuts}));
        if (dot) {
          write_graphviz(dot->stream(), topology);
          dot->close();
        }
        if (svg) {
          svg->stream() << svg_of(topology);
          svg->close();
        }
        if (json) {
          json->stream() << to_json(model, topology, diagnosis, jacobian).dump(2) << '\n';
          json->close();
        }
        if (pattern) {
          write_pattern(pattern->stream(), options.pattern, entry.name, jacobian);
          pattern->close();
        }
        if (std::any_of(files.begin(), files.end(), [](const NamedFile& f) { return is_standard_output(f.name); }))
          return;
        std::cout << topology.summary();
        if (diagnosis.knows_ranks)
          std::cout << "by rank: mobility " << diagnosis.usual_mobility() << ", " << diagnosis.redundant
                    << " redundant rows\n";
        std::cout << jacobian.summary();
        for (const std::string& sentence : diagnosis.sentences) std::cout << sentence << '\n';
      },
      entry.graph(options.model.parameters(entry)));
  return done;
}

}  // namespace

Command add_topology(CLI::App& program, const ModelList& models) {
  CLI::App* app = program.add_subcommand(
      "topology",
      "Shows tree, cuts, loops, costs of eliminations, redundant rows and the Jacobian's structure of a model.");
  auto options = std::make_shared<TopologyArguments>();
  when_named(app, [app, options, &models] {
    options->model.add_to(*app, models);
    app->add_option("--formulation", options->formulation,
                    listed(formulation_names()) +
                        ": whose tree and whose Jacobian are shown, with bodies or with joints as coordinates");
    app->add_option("--cuts", options->cuts, cuts_help());
    app->add_option("--dot", options->dot, "writes the graph for Graphviz; - for standard output")->type_name("FILE");
    app->add_option("--svg", options->svg, "draws the graph, by Graphviz; - for standard output")->type_name("FILE");
    app->add_option("--json", options->json, "writes the topology as JSON; - for standard output")->type_name("FILE");
    app->add_option("--pattern", options->pattern,
                    "draws the entries of the Jacobian, with its groups of columns, as text; a file that ends in .svg "
                    "gets a picture in which groups are colours, one that ends in .mtx the Matrix Market format; - for "
                    "standard output")
        ->type_name("FILE");
  });
  return {app, [options] { return show(*options); }};
}

}  // namespace linkwork::apps
