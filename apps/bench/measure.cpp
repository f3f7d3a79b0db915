#include "bench/measure.hpp"

#include <benchmark/benchmark.h>
#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

namespace linkwork::apps {
namespace {

/// Collects the times of one job's repetitions.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(Measurement& result) : result_(result) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<double> times;
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times.push_back(run.GetAdjustedCPUTime());
      result_.operations = run.iterations;
    }
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    result_.minimum = times.front();
    result_.median = times[times.size() / 2];
    result_.repetitions = static_cast<int>(times.size());
  }

 private:
  Measurement& result_;
};

void start_google_benchmark() {
  static std::string program = "linkwork";
  char* arguments[] = {program.data(), nullptr};
  int count = 1;
  benchmark::Initialize(&count, arguments);
}

/// Many short repetitions: the smallest of them was least disturbed by other jobs on the machine.
Measurement measure(const BenchJob& job) {
  constexpr double repetition_seconds = 2e-3;
  constexpr int repetitions = 60;
  const Operation operation = find_operation(job.benchmark);
  Workload workload(job);
  Measurement result;
  result.job = job;
  result.velocities = workload.equations().dimensions().v;
  result.qdd0 = workload.observable("qdd0");
  result.qdd_norm = workload.observable("qdd_norm");
  result.solver_at_work = workload.solver_at_work();
  (workload.*operation)();
  const auto run = [&workload, operation](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
      (workload.*operation)();
      benchmark::ClobberMemory();
    }
  };
  benchmark::RegisterBenchmark("job", run)->MinTime(repetition_seconds)->Repetitions(repetitions);
  Collector collector(result);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  return result;
}

bool same_series(const BenchJob& a, const BenchJob& b) {
  return a.benchmark == b.benchmark && a.bench_case == b.bench_case && a.formulation == b.formulation &&
         a.solver == b.solver;
}

}  // namespace

Measurements measure(const std::vector<BenchJob>& jobs, const std::function<bool(std::size_t)>& progress) {
  for (const BenchJob& job : jobs) find_operation(job.benchmark);
  start_google_benchmark();
  benchmark::ClearRegisteredBenchmarks();
  Measurements result;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!progress(i)) break;
    try {
      result.done.push_back(measure(jobs[i]));
    } catch (const std::exception& error) {
      result.refused.push_back({jobs[i], error.what()});
    }
  }
  return result;
}

std::vector<Fit> fit_growth(const std::vector<Measurement>& measurements) {
  std::vector<Fit> fits;
  for (const Measurement& first : measurements) {
    const auto known = [&](const Fit& fit) { return same_series(fit.job, first.job); };
    if (std::any_of(fits.begin(), fits.end(), known)) continue;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    bool has_grown = false;
    for (const Measurement& m : measurements) {
      if (!same_series(m.job, first.job)) continue;
      has_grown = has_grown || m.job.size != first.job.size;
      const double log_size = std::log(m.job.size), log_time = std::log(m.minimum);
      n += 1;
      x += log_size;
      y += log_time;
      xx += log_size * log_size;
      xy += log_size * log_time;
    }
    if (!has_grown) continue;  // the sums below would tell by rounding only
    Fit fit{first.job, (n * xy - x * y) / (n * xx - x * x)};
    fit.job.size = 0;
    fits.push_back(fit);
  }
  return fits;
}

}  // namespace linkwork::apps
