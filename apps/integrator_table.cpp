#include "integrator_table.hpp"

#include "corrector_schedule_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/bulirsch_stoer.hpp>
#include <linkwork/solvers/integrators/cvode.hpp>
#include <linkwork/solvers/integrators/dopri5.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace linkwork::apps {
namespace {

template <class Options>
struct Entry {
  IntegratorOption described;
  std::function<void(Options&, const OptionValue&)> set;
};

/// @param access  the member of the options
template <class Options, class Access>
Entry<Options> number(std::string name, std::string member, std::string help, Access access) {
  using Member = std::decay_t<decltype(access(std::declval<Options&>()))>;
  constexpr bool is_whole = std::is_integral_v<Member>;
  return {
      {name, std::move(help), {}, is_whole, false, std::move(member)}, [=](Options& options, const OptionValue& value) {
        if constexpr (is_whole) {
          const std::int64_t given = std::get<std::int64_t>(value);
          if (given < std::numeric_limits<Member>::min() || given > std::numeric_limits<Member>::max())
            throw ModelError(
                concat("--", name, ' ', given, " is beyond what this option takes; give a smaller number, in size."));
          access(options) = static_cast<Member>(given);
        } else {
          access(options) = std::get<double>(value);
        }
      }};
}

/// @param words  by enumerator, in their order
template <class Options, class Access>
Entry<Options> choice(std::string name, std::string help, std::vector<std::string> words, Access access) {
  using Member = std::decay_t<decltype(access(std::declval<Options&>()))>;
  return {{name, std::move(help), words}, [=](Options& options, const OptionValue& value) {
            const std::string& word = std::get<std::string>(value);
            const auto found = std::find(words.begin(), words.end(), word);
            if (found == words.end())
              throw ModelError(concat("unknown ", name, " '", word, "'; there are: ", listed(words), "."));
            access(options) = static_cast<Member>(found - words.begin());
          }};
}

/// @param read  what a file says
template <class Options, class Read>
Entry<Options> file(std::string name, std::string help, Read read) {
  IntegratorOption described;
  described.name = std::move(name);
  described.help = std::move(help);
  described.is_file = true;
  return {described,
          [read](Options& options, const OptionValue& value) { read(options, std::get<std::string>(value)); }};
}

template <class Options>
std::vector<Entry<Options>> common_entries() {
  using O = Options;
  return {
      number<O>(
          "atol-angle", "atol_angle", "absolute tolerance of angles [rad]; --atol is that of lengths then",
          [](O & o) -> auto& { return o.atol_angle; }),
      number<O>(
          "first-step", "first_step", "size of the first step [s]; a guess",
          [](O & o) -> auto& { return o.first_step; }),
      number<O>(
          "max-step", "maximum_step", "largest step [s]; 0: no limit", [](O & o) -> auto& { return o.maximum_step; }),
      number<O>(
          "max-steps", "maximum_steps", "largest number of steps", [](O & o) -> auto& { return o.maximum_steps; })};
}

constexpr const char* order_help = "lines of the extrapolation tableau (9), or order (5; cvode-adams: 12)";

std::vector<Entry<ExtrapolationOptions>> extrapolation_entries() {
  using O = ExtrapolationOptions;
  return {number<O>(
              "max-order", "maximum_order", order_help, [](O & o) -> auto& { return o.maximum_order; }),
          choice<O>(
              "discretisation", "", {"automatic", "standard", "friction", "midpoint"},
              [](O & o) -> auto& { return o.discretisation; })};
}

/// Of methods that have a Jacobian.
template <class Options>
std::vector<Entry<Options>> jacobian_entries() {
  using O = Options;
  return {choice<O>(
              "jacobian", "differences of the Jacobian", {"dense", "grouped"},
              [](O & o) -> auto& { return o.jacobian.differences; }),
          choice<O>(
              "pattern", "sparsity of the Jacobian", {"exact", "estimated"},
              [](O & o) -> auto& { return o.jacobian.pattern; }),
          choice<O>(
              "increments", "of differences", {"weighted", "relative"},
              [](O & o) -> auto& { return o.jacobian.increments; }),
          choice<O>(
              "finish", "algebraic equations to rounding at accepted points", {"off", "on"},
              [](O & o) -> auto& { return o.finish; })};
}

/// Of methods that solve by Newton's iteration.
template <class Options>
std::vector<Entry<Options>> corrector_entries() {
  using O = Options;
  const std::vector<std::string> switches = {"off", "on"};
  return {
      choice<O>(
          "corrector", "of Newton's iteration", {"simplified", "newton", "dropped-lu", "krylov", "broyden", "cycle"},
          [](O & o) -> auto& { return o.newton.method; }),
      number<O>(
          "drop-tolerance", "drop_tolerance", "of dropped-lu: smaller entries of factors, in their rows (1e-8)",
          [](O & o) -> auto& { return o.newton.drop_tolerance; }),
      number<O>(
          "krylov-steps", "krylov_steps", "of GMRES in each iteration (2)",
          [](O & o) -> auto& { return o.newton.krylov_steps; }),
      choice<O>(
          "krylov-norm", "of what GMRES makes small", {"by-unit", "plain"},
          [](O & o) -> auto& { return o.newton.krylov_norm; }),
      choice<O>(
          "dropped-lu-phase", "of the cycle (on)", switches, [](O & o) -> auto& { return o.newton.phases.dropped_lu; }),
      choice<O>(
          "simplified-phase", "of the cycle (on)", switches, [](O & o) -> auto& { return o.newton.phases.simplified; }),
      choice<O>(
          "krylov-phase", "of the cycle (on)", switches, [](O & o) -> auto& { return o.newton.phases.krylov; })};
}

std::vector<Entry<BdfOptions>> bdf_corrector_entries() {
  using O = BdfOptions;
  return {choice<O>(
              "krylov-products", "of GMRES", {"differences", "jacobian"},
              [](O & o) -> auto& { return o.newton.krylov_products; }),
          number<O>(
              "broyden-rank", "broyden_rank", "updates that are kept (4)",
              [](O & o) -> auto& { return o.newton.broyden_rank; }),
          number<O>(
              "broyden-damping", "broyden_damping", "factor of each update (1)",
              [](O & o) -> auto& { return o.newton.broyden_damping; }),
          choice<O>(
              "broyden-updates", "when, or the best ones", {"when-dated", "at-last-iteration", "singular-values"},
              [](O & o) -> auto& { return o.newton.broyden_updates; }),
          choice<O>(
              "step-matching", "of a matrix of another step size", {"mean", "rows", "none"},
              [](O & o) -> auto& { return o.newton.matching; }),
          choice<O>(
              "corrector-adapts", "the cycle tunes itself (on)", {"off", "on"},
              [](O & o) -> auto& { return o.newton.adapts; }),
          number<O>(
              "factor-delay", "factor_delay", "solutions until factors of a second thread are taken (0: no thread)",
              [](O & o) -> auto& { return o.newton.factor_delay; }),
          file<O>("corrector-schedule", "what the cycle does when, from --analyse-corrector",
                  [](O& o, const std::string& name) { o.newton.schedule = read_corrector_schedule(name); })};
}

std::vector<Entry<BdfOptions>> bdf_entries() {
  using O = BdfOptions;
  return {number<O>(
              "max-order", "maximum_order", order_help, [](O & o) -> auto& { return o.maximum_order; }),
          choice<O>(
              "formalism", "", {"residual", "explicit"}, [](O & o) -> auto& { return o.formalism; }),
          choice<O>(
              "partitioned", "updates without differences", {"off", "on", "extended"},
              [](O & o) -> auto& { return o.jacobian.partitioned; }),
          choice<O>(
              "refresh", "what is differenced anew", {"whole", "blocks"},
              [](O & o) -> auto& { return o.jacobian.refresh; }),
          choice<O>(
              "matrix", "factors of the iteration matrix", {"automatic", "dense", "klu", "umfpack"},
              [](O & o) -> auto& { return o.matrix; })};
}

std::vector<Entry<RadauOptions>> radau_entries() {
  using O = RadauOptions;
  return {
      choice<O>(
          "form", "form of the equations", {"psf", "pEoM1", "index3", "index2", "index1", "ggl", "psfI"},
          [](O & o) -> auto& { return o.form; }),
      choice<O>(
          "algebraic", "decomposition of the algebraic part", {"automatic", "lu", "qr", "svd"},
          [](O & o) -> auto& { return o.algebraic; }),
      choice<O>(
          "differential", "of the differential part", {"lu", "qr"}, [](O & o) -> auto& { return o.differential; }),
      choice<O>(
          "selectors", "when they are chosen anew", {"adapted", "every-step"},
          [](O & o) -> auto& { return o.selectors; }),
      choice<O>(
          "stages", "solver of the stages", {"automatic", "dense", "sparse"}, [](O & o) -> auto& { return o.solver; }),
      choice<O>(
          "step-control", "", {"predictive", "classical"}, [](O & o) -> auto& { return o.step_control.control; }),
      choice<O>(
          "starting-values", "of the stages", {"extrapolated", "constant"},
          [](O & o) -> auto& { return o.starting_values; }),
      choice<O>(
          "matrix-point", "of the iteration matrix", {"start", "stage1", "stage2", "stage3"},
          [](O & o) -> auto& { return o.matrix_point; }),
      number<O>(
          "matrix-updates", "matrix_updates", "new iteration matrices within a step (0)",
          [](O & o) -> auto& { return o.matrix_updates; }),
      number<O>(
          "newton-iterations", "maximum_iterations", "most of them in one step (10)",
          [](O & o) -> auto& { return o.maximum_iterations; })};
}

std::vector<Entry<CvodeOptions>> cvode_entries() {
  using O = CvodeOptions;
  return {number<O>(
      "max-order", "maximum_order", order_help, [](O & o) -> auto& { return o.maximum_order; })};
}

/// @param start  options as the model wants them, before anything is set
template <class Options>
IntegratorEntry entry(std::string name, std::vector<std::vector<Entry<Options>>> lists,
                      Options (*start)(const CommandModel&)) {
  std::vector<Entry<Options>> all = common_entries<Options>();
  for (std::vector<Entry<Options>>& list : lists) all.insert(all.end(), list.begin(), list.end());
  IntegratorEntry out{std::move(name), {}, {}};
  for (const Entry<Options>& each : all) out.options.push_back(each.described);
  out.make = [all, start](const CommandModel& model, const CommonChoices& common, const OptionValues& given) {
    Options options = start(model);
    options.rtol = common.rtol;
    options.atol = common.atol;
    options.keep_invariants = common.keep_invariants;
    for (const Entry<Options>& each : all)
      if (const auto value = given.find(each.described.name); value != given.end()) each.set(options, value->second);
    return IntegratorOptions(options);
  };
  return out;
}

}  // namespace

const std::vector<IntegratorEntry>& integrator_table() {
  static const std::vector<IntegratorEntry> table = {
      entry<ExtrapolationOptions>(
          "extrapolation", {extrapolation_entries()},
          [](const CommandModel& model) { return ExtrapolationOptions{.first_step = model.first_step}; }),
      entry<BdfOptions>(
          "bdf",
          {bdf_entries(), jacobian_entries<BdfOptions>(), corrector_entries<BdfOptions>(), bdf_corrector_entries()},
          [](const CommandModel&) { return BdfOptions{}; }),
      entry<RadauOptions>("radau",
                          {radau_entries(), jacobian_entries<RadauOptions>(), corrector_entries<RadauOptions>()},
                          [](const CommandModel&) { return RadauOptions{}; }),
      entry<Dopri5Options>("dopri5", {}, [](const CommandModel&) { return Dopri5Options{}; }),
      entry<BulirschStoerOptions>("bulirsch-stoer", {}, [](const CommandModel&) { return BulirschStoerOptions{}; }),
      entry<CvodeOptions>("cvode-adams", {cvode_entries()},
                          [](const CommandModel&) { return CvodeOptions{.method = CvodeMethod::adams}; }),
      entry<CvodeOptions>("cvode-bdf", {cvode_entries()},
                          [](const CommandModel&) { return CvodeOptions{.method = CvodeMethod::bdf}; })};
  return table;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorEntry& each : integrator_table()) names.push_back(each.name);
  return names;
}

const IntegratorEntry& find_integrator(const std::string& name) {
  for (const IntegratorEntry& each : integrator_table())
    if (each.name == name) return each;
  throw ModelError(concat("unknown integrator '", name, "'; there are: ", listed(integrator_names()), "."));
}

}  // namespace linkwork::apps
