#include "commands/reduction_arguments.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>

namespace linkwork::apps {
namespace {

const std::vector<std::string> pivoting_names = {"full", "columns", "partial"};
const std::vector<std::string> basis_names = {"svd", "lu"};

/// Which reductions have an option.
std::vector<std::string> reductions_with(const std::string& option) {
  if (option == "alpha" || option == "beta") return {"baumgarte", "hybrid"};
  if (option == "pivoting" || option == "unscaled") return {"partitioning", "hybrid"};
  return {"null-space"};
}

template <class Enumerator>
Enumerator chosen(const std::string& option, const std::string& word, const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end())
    throw ModelError(concat("unknown ", option, " '", word, "'; there are: ", listed(words), "."));
  return static_cast<Enumerator>(found - words.begin());
}

}  // namespace

void ReductionArguments::add_to(CLI::App& app) {
  app.add_option("--reduction", reduction, "to independent coordinates: " + listed(reduction_names()));
  parsed_ = {
      app.add_option("--alpha", values_.alpha, "baumgarte, hybrid: damping of violations [1/s]; 0: by the steps"),
      app.add_option("--beta", values_.beta,
                     "baumgarte, hybrid: stiffness of violations [1/s]; 0: alpha, the critical"),
      app.add_option("--pivoting", pivoting_, "partitioning, hybrid: " + listed(pivoting_names)),
      app.add_flag_callback(
          "--unscaled", [this] { values_.scaled = false; },
          "partitioning, hybrid: pivots of rows and columns as they come, whatever their units"),
      app.add_option("--basis", basis_, "null-space: " + listed(basis_names)),
      app.add_flag("--renew-basis", values_.renews_basis_at_every_step, "null-space: a new basis at every step"),
      app.add_flag("--correct-positions", values_.corrects_positions,
                   "null-space: ends of steps are moved onto the constraints")};
}

ReductionOptions ReductionArguments::options() const {
  ReductionOptions options = values_;
  options.method = reduction_named(reduction);
  for (const CLI::Option* option : parsed_) {
    if (option->count() == 0) continue;
    const std::string name = option->get_single_name();
    const std::vector<std::string> owners = reductions_with(name);
    if (std::find(owners.begin(), owners.end(), reduction) != owners.end()) continue;
    throw ModelError(concat("--", name, " is an option of the reduction", owners.size() > 1 ? "s " : " ",
                            listed(owners), ", and '", reduction, "' was chosen; leave it out, or give --reduction ",
                            owners.front(), "."));
  }
  options.pivoting = chosen<PartitionPivoting>("pivoting", pivoting_, pivoting_names);
  options.basis = chosen<NullSpaceBasis>("basis", basis_, basis_names);
  return options;
}

std::map<std::string, std::string> ReductionArguments::given() const {
  std::map<std::string, std::string> texts;
  for (const CLI::Option* option : parsed_)
    if (option->count() > 0)
      texts[option->get_single_name()] = option->results().empty() ? "on" : option->results().front();
  return texts;
}

}  // namespace linkwork::apps
