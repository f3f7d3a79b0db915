// Times forward dynamics on the mechanisms that other rigid-body libraries are compared on, and prints a row for each:
// name, variant, case, size, velocities, smallest and median time of a call [ns], median per velocity, number of
// repetitions, first acceleration of a joint, and the norm of all. Equal accelerations show that two libraries solved
// one problem.
//
//   linkwork_peers                                                          all rows
//   valgrind --tool=callgrind --collect-atstart=no linkwork_peers count chain 128    instructions of one call

#include "bench/measure.hpp"
#include "zoo/bench_families.hpp"

#include <linkwork/core/errors.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT static_cast<void>(0)
#endif

namespace linkwork::apps {
namespace {

/// The spatial ladder is the only one there, and called "ladder".
BenchJob job_of(const std::string& name, int size) {
  static const std::vector<BenchCase> families = bench_families();
  const BenchCase& known = find_bench_case(families, name == "ladder" ? "ladder3d" : name);
  return {"forward_dynamics", &known, size, known.formulation, known.solvers.front()};
}

std::vector<BenchJob> all_jobs() {
  std::vector<BenchJob> jobs;
  for (const char* open : {"chain", "tree"})
    for (int size : {2, 8, 32, 128, 512, 1000}) jobs.push_back(job_of(open, size));
  jobs.push_back(job_of("humanoid", 34));
  for (int size : {8, 32, 128}) jobs.push_back(job_of("ring", size));
  for (int size : {1, 8, 64}) jobs.push_back(job_of("ladder", size));
  return jobs;
}

void print_rows() {
  std::printf("#peer,variant,case,N,nv,min_ns,med_ns,med_ns_per_dof,batches,qdd0,qdd_norm\n");
  for (const BenchJob& job : all_jobs()) {
    const Measurements measurements = measure({job}, [](std::size_t) { return true; });
    for (const Refusal& refusal : measurements.refused) throw ModelError(refusal.reason);
    const Measurement& m = measurements.done.front();
    const std::string& name = job.bench_case->name;
    std::printf("linkwork,%s %s,%s,%d,%d,%.1f,%.1f,%.2f,%d,%.10g,%.10g\n", name_of(job.formulation).c_str(),
                job.solver.c_str(), name == "ladder3d" ? "ladder" : name.c_str(), job.size, m.velocities, m.minimum,
                m.median, m.median / m.velocities, m.repetitions, m.qdd0, m.qdd_norm);
    std::fflush(stdout);
  }
}

/// The third call is counted; the first two warm up.
void count(const std::string& case_name, int size) {
  Workload workload(job_of(case_name, size));
  workload.forward_dynamics();
  workload.forward_dynamics();
  CALLGRIND_TOGGLE_COLLECT;
  workload.forward_dynamics();
  CALLGRIND_TOGGLE_COLLECT;
}

}  // namespace
}  // namespace linkwork::apps

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() == 3 && words[0] == "count")
      linkwork::apps::count(words[1], std::stoi(words[2]));
    else if (words.empty())
      linkwork::apps::print_rows();
    else
      throw linkwork::ModelError("expected nothing, or: count CASE SIZE.");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "linkwork_peers: %s\n", error.what());
    return 2;
  }
}
