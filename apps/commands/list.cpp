#include "commands/subcommand.hpp"
#include "integrator_table.hpp"
#include "model_list.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

void list_names(const char* what, const std::vector<std::string>& names) {
  std::cout << what << "\n ";
  for (const std::string& name : names) std::cout << ' ' << name;
  std::cout << '\n';
}

void list_everything(const ModelList& models) {
  std::size_t width = 0;
  for (const CommandModel& model : models) width = std::max(width, model.name.size());
  std::cout << "models\n";
  for (const CommandModel& model : models)
    std::cout << "  " << model.name
              << (model.description.empty() ? "" : std::string(width - model.name.size() + 2, ' ')) << model.description
              << '\n';
  list_names("formulations", formulation_names());
  list_names("linear solvers", linear_solver_names());
  list_names("integrators", integrator_names());
  std::cout << "\n'" << program_name() << " list MODEL' shows a model's parameters and observables.\n";
}

/// Observables with their units, of a model built with its default parameters.
void list_observables(const CommandModel& entry) {
  std::cout << "observables\n ";
  std::visit(
      [](const auto& model) {
        for (const auto& observable : model.data().observables)
          std::cout << ' ' << observable.name << (observable.unit.empty() ? "" : " [" + observable.unit + "]");
      },
      entry.build(entry.parameters_with({})));
  std::cout << '\n';
}

void list_references(const CommandModel& entry) {
  if (entry.references.empty()) return;
  std::cout << "reference (" << entry.reference_source << ")\n";
  for (const ReferenceCase& known : entry.references) {
    std::cout << "  ";
    for (const auto& [name, value] : known.parameters) std::cout << name << " = " << value << ", ";
    std::cout << "t =";
    for (const ReferencePoint& point : known.points) std::cout << ' ' << point.t;
    std::cout << " s\n";
  }
}

std::string default_of(const Parameter& parameter) {
  return parameter.choices.empty() ? number(parameter.value, 12)
                                   : parameter.choices[static_cast<std::size_t>(parameter.value)];
}

void list_model(const CommandModel& entry) {
  std::cout << entry.name << " (" << entry.space << ')' << (entry.description.empty() ? "" : ": ") << entry.description
            << '\n';
  std::cout << "runs to t = " << entry.t_end << " s\n";
  if (!entry.parameters.empty()) {
    TextTable table({"parameter", "default", "unit", "meaning"});
    for (const Parameter& parameter : entry.parameters)
      table.add({parameter.name, default_of(parameter), parameter.unit.empty() ? "-" : parameter.unit,
                 parameter.choices.empty() ? parameter.meaning : parameter.meaning + ": " + listed(parameter.choices)});
    table.print(std::cout);
  }
  list_observables(entry);
  for (const EventOffer& event : entry.events)
    std::cout << "event: " << event.observable << " = 0, " << event.meaning << '\n';
  list_references(entry);
}

}  // namespace

Command add_list(CLI::App& program, const ModelList& models) {
  CLI::App* app = program.add_subcommand("list", "Lists models, formulations, linear solvers and integrators.");
  auto model = std::make_shared<std::string>();
  app->add_option("MODEL", *model, "shows the parameters, observables and reference of one model");
  return {app, [model, &models] {
            if (model->empty())
              list_everything(models);
            else
              list_model(models.find(*model));
            return done;
          }};
}

}  // namespace linkwork::apps
