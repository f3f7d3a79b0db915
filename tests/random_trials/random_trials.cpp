// linkwork_random_trials [--count N] [--motions N] [--units N] [--seed S [--print]]
// Random mechanisms against independent equations of Newton and Euler. Exit status 1 where something disagrees.

#include "compose.hpp"
#include "trials.hpp"

#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <utility>

namespace {

using namespace linkwork::test;

void print_line(const std::string& title, const Tally& tally) {
  std::cout << std::left << std::setw(28) << title << std::right << std::setw(8) << tally.tried << std::setw(8)
            << tally.agreed << std::setw(8) << tally.refusals() << std::setw(10) << tally.disagreed.size() << '\n';
}

void print_reasons(const std::string& title, const Tally& tally) {
  for (const auto& [reason, refusals] : tally.refused) {
    std::cout << std::setw(8) << refusals.count << " refused, " << title << ", first by seed " << refusals.seed << ": "
              << reason << "\n          by";
    for (const std::string& who : refusals.by) std::cout << ' ' << who;
    std::cout << '\n';
  }
  for (const auto& [where, what] : tally.disagreed)
    std::cout << "DISAGREED, " << title << ", " << where << ": " << what << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random mechanisms against independent equations of Newton and Euler");
  unsigned count = 3000, motions = 300, units = 20, first = 1, seed = 0;
  bool print_program = false;
  app.add_option("--count", count, "mechanisms whose accelerations and reactions are compared");
  app.add_option("--motions", motions, "mechanisms that move for 0.1 s");
  app.add_option("--units", units, "mechanisms that move in other units of length");
  app.add_option("--first", first, "seed of the first mechanism");
  const CLI::Option* one = app.add_option("--seed", seed, "this mechanism only");
  app.add_flag("--print", print_program, "print the mechanism as a program");
  CLI11_PARSE(app, argc, argv);
  if (*one) {
    first = seed;
    count = motions = 1;
    units = 0;
    if (print_program) std::cout << program_of(draw_mechanism(seed)) << '\n';
  }

  Tally accelerations, moving, scaled;
  for (unsigned k = first; k < first + std::max({count, motions, units}); ++k) {
    const Description mechanism = draw_mechanism(k);
    const std::size_t before = accelerations.disagreed.size() + moving.disagreed.size();
    if (k < first + count) accelerations += try_accelerations(mechanism);
    if (k < first + motions) moving += try_motion(mechanism);
    if (k < first + units)
      for (double unit : {0x1p-20, 0x1p-10, 0x1p10, 0x1p20}) scaled += try_units(mechanism, unit);
    const bool failed = accelerations.disagreed.size() + moving.disagreed.size() > before;
    if (failed && !print_program) std::cout << program_of(mechanism) << '\n';
  }
  std::cout << std::setw(36) << "tried" << std::setw(8) << "agreed" << std::setw(8) << "refused" << std::setw(10)
            << "disagreed" << '\n';
  const std::pair<const char*, const Tally*> tallies[] = {
      {"accelerations and reactions", &accelerations}, {"motions", &moving}, {"units", &scaled}};
  for (const auto& [title, tally] : tallies) print_line(title, *tally);
  for (const auto& [title, tally] : tallies) print_reasons(title, *tally);
  const bool all_agree = accelerations.disagreed.empty() && moving.disagreed.empty() && scaled.disagreed.empty();
  std::cout << (all_agree ? "nothing disagrees\n" : "some disagree\n");
  return all_agree ? 0 : 1;
}
