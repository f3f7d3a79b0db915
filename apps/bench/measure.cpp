#include "bench/measure.hpp"

#include "bench/cases.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/absolute.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <benchmark/benchmark.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace linkwork::apps {
namespace {

/// Equations, a solver that has analysed them, and room for results.
class Workload {
 public:
  explicit Workload(const BenchJob& job)
      : equations_(std::visit(
            [](const auto& model) -> std::unique_ptr<EquationsOfMotion> { return make_absolute_equations(model); },
            find_bench_case(job.case_name).build(job.size))),
        solver_(make_linear_solver(job.solver, *equations_)),
        start_(equations_->initial_state()),
        f_(equations_->dimensions().v),
        g_(equations_->dimensions().constraints()) {
    // No entry is small: a pull at one end of a long chain fades into denormal numbers, which take many times longer.
    for (Eigen::Index i = 0; i < f_.size(); ++i) f_[i] = std::cos(static_cast<double>(i));
    for (Eigen::Index i = 0; i < g_.size(); ++i) g_[i] = std::sin(static_cast<double>(i));
    refuse_large_dense(job);
    equations_->set(start_);
    require(solver_->analyze(*equations_));
    factor_solve();
  }

  void factor_solve() { factor_solve(f_, g_); }
  void forward_dynamics() {
    equations_->set(start_);
    factor_solve(equations_->f(), equations_->gamma());
  }

 private:
  void factor_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g) {
    AugmentedMatrix matrix;
    matrix.M = &equations_->M();
    matrix.G = &equations_->G();
    require(solver_->factor(matrix));
    solver_->solve(f, g, a_, lambda_);
    benchmark::DoNotOptimize(a_.data());
  }
  static void require(const Outcome& outcome) {
    if (!outcome) throw ModelError(outcome.reason());
  }
  void refuse_large_dense(const BenchJob& job) const {
    constexpr int largest = 3000;  // rows; about a second per factorisation
    const int rows = equations_->dimensions().v + equations_->dimensions().constraints();
    const bool dense = job.solver == "dense-lu" || job.solver == "ldlt" || job.solver == "cholesky-qr";
    if (dense && rows > largest)
      throw ModelError(concat(job.solver, ": case '", job.case_name, "' of size ", job.size, " has ", rows,
                              " unknowns, a dense solver takes ", largest, " at most; give smaller --sizes."));
  }

  std::unique_ptr<EquationsOfMotion> equations_;
  std::unique_ptr<LinearSolver> solver_;
  State start_;
  Eigen::VectorXd f_, g_, a_, lambda_;
};

using Operation = void (Workload::*)();

Operation find_operation(const std::string& name) {
  if (name == "factor_solve") return &Workload::factor_solve;
  if (name == "forward_dynamics") return &Workload::forward_dynamics;
  throw ModelError(concat("unknown benchmark '", name, "'; there are: ", listed(benchmark_names()), "."));
}

/// Takes the medians; benchmarks are named by the numbers of their jobs.
class Collector : public benchmark::BenchmarkReporter {
 public:
  Collector(const std::vector<BenchJob>& jobs, std::ostream& progress) : jobs_(jobs), progress_(progress) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration) {
        calls_ = run.iterations;
      } else if (run.aggregate_name == "median") {
        const BenchJob& job = jobs_[std::stoul(run.run_name.function_name)];
        results.push_back({job, run.GetAdjustedCPUTime(), calls_});
        progress_ << job.benchmark << "  " << job.case_name << "  size " << job.size << "  " << job.solver << "  "
                  << number(results.back().nanoseconds / 1000) << " us\n"
                  << std::flush;
      }
    }
  }

  std::vector<Measurement> results;

 private:
  const std::vector<BenchJob>& jobs_;
  std::ostream& progress_;
  std::int64_t calls_ = 0;
};

void start_google_benchmark() {
  static std::string program = "linkwork";
  char* arguments[] = {program.data(), nullptr};
  int count = 1;
  benchmark::Initialize(&count, arguments);
}

}  // namespace

std::vector<std::string> benchmark_names() { return {"factor_solve", "forward_dynamics"}; }

std::vector<Measurement> measure(const std::vector<BenchJob>& jobs, std::ostream& progress) {
  start_google_benchmark();
  benchmark::ClearRegisteredBenchmarks();
  // One workload at a time is enough, and 4096 bodies fill some memory.
  auto workload = std::make_shared<std::unique_ptr<Workload>>();
  auto workload_job = std::make_shared<std::size_t>(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Operation operation = find_operation(jobs[i].benchmark);
    find_bench_case(jobs[i].case_name);
    const auto run = [&jobs, i, operation, workload, workload_job](benchmark::State& state) {
      if (*workload_job != i) {
        *workload = std::make_unique<Workload>(jobs[i]);
        *workload_job = i;
      }
      for ([[maybe_unused]] auto _ : state) (workload->get()->*operation)();
    };
    benchmark::RegisterBenchmark(std::to_string(i).c_str(), run)->MinTime(0.02)->Repetitions(7);
  }
  Collector collector(jobs, progress);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  return std::move(collector.results);
}

std::vector<Fit> fit_growth(const std::vector<Measurement>& measurements) {
  std::vector<Fit> fits;
  const auto same_series = [](const BenchJob& a, const BenchJob& b) {
    return a.benchmark == b.benchmark && a.case_name == b.case_name && a.solver == b.solver;
  };
  for (const Measurement& first : measurements) {
    const auto known = [&](const Fit& fit) { return same_series(fit.job, first.job); };
    if (std::any_of(fits.begin(), fits.end(), known)) continue;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Measurement& m : measurements) {
      if (!same_series(m.job, first.job)) continue;
      const double log_size = std::log(m.job.size), log_time = std::log(m.nanoseconds);
      n += 1;
      x += log_size;
      y += log_time;
      xx += log_size * log_size;
      xy += log_size * log_time;
    }
    const double spread = n * xx - x * x;
    if (spread <= 0) continue;  // one size only
    Fit fit{first.job, (n * xy - x * y) / spread};
    fit.job.size = 0;
    fits.push_back(fit);
  }
  return fits;
}

}  // namespace linkwork::apps
