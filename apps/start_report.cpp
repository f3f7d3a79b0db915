#include "start_report.hpp"

#include <linkwork/core/concat.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_velocities_of_branches = 60;  // the search closes the loops from dozens of places

/// "rod: x acceleration" of "rod: x velocity".
std::string acceleration_name(std::string of_velocity) {
  constexpr std::string_view velocity = "velocity";
  const std::size_t at = of_velocity.rfind(velocity);
  if (at == std::string::npos) return concat("rate of ", of_velocity);
  return of_velocity.replace(at, velocity.size(), "acceleration");
}

/// Calls visit(group, name, value) for all numbers of a state.
void for_all_values(const State& state, const EquationsOfMotion& e,
                    const std::function<void(const char*, const std::string&, double)>& visit) {
  const auto group = [&](const char* name, const Eigen::VectorXd& values, auto&& name_of) {
    for (Eigen::Index i = 0; i < values.size(); ++i) visit(name, name_of(static_cast<int>(i)), values[i]);
  };
  group("positions", state.p, [&](int i) { return e.position_name(i); });
  group("velocities", state.v, [&](int i) { return e.velocity_name(i); });
  group("states", state.r, [&](int i) { return e.state_name(i); });
  group("auxiliary_variables", state.w, [&](int i) { return e.auxiliary_name(i); });
  group("contact_coordinates", state.s, [&](int i) { return e.contact_name(i); });
  group("accelerations", state.a, [&](int i) { return acceleration_name(e.velocity_name(i)); });
  group("multipliers", state.lambda, [&](int i) { return e.constraint_name(i); });
}

}  // namespace

StartReport report_start(Simulation& simulation) {
  StartReport out;
  out.state = simulation.trajectory().final_state();
  out.values = simulation.initial_values();
  if (out.values.consistent && simulation.equations().dimensions().v <= most_velocities_of_branches)
    out.branches = simulation.assembly_branches(out.state.t);
  return out;
}

void print(std::ostream& out, const StartReport& report, const EquationsOfMotion& equations) {
  std::string last_group;
  for_all_values(report.state, equations, [&](const std::string& group, const std::string& name, double value) {
    if (group != last_group) out << group << ":\n";
    last_group = group;
    out << "  " << name << " = " << concat(value) << '\n';
  });
  for (const std::string& sentence : report.values.sentences()) out << sentence << '\n';
  if (report.branches.size() < 2) return;
  out << report.branches.size() << " ways to close the loops were found, taken is the first; --guess the values of "
      << "another to take it:\n";
  for (const AssemblyBranch& branch : report.branches) out << "  " << branch.text << '\n';
}

Json to_json(const InitialValues& values) {
  if (values.state.p.size() == 0 && values.reason.empty()) return nullptr;
  return {{"consistent", values.consistent},
          {"reason", values.reason},
          {"free_positions", values.free_positions},
          {"free_velocities", values.free_velocities},
          {"decided_by_guesses", values.decided_by_guesses},
          {"redundant_conditions", values.redundant_conditions},
          {"position_change", values.position_change},
          {"velocity_change", values.velocity_change}};
}

Json to_json(const StartReport& report, const EquationsOfMotion& equations) {
  Json json = Json::object();
  for_all_values(report.state, equations,
                 [&](const std::string& group, const std::string& name, double value) { json[group][name] = value; });
  json["branches"] = Json::array();
  for (const AssemblyBranch& branch : report.branches) json["branches"].push_back(branch.text);
  return json;
}

}  // namespace linkwork::apps
