#include "reproduce/newton_study.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/newton/krylov_correction.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>
#include <linkwork/solvers/newton/spectral_radius.hpp>
#include <linkwork/solvers/newton/truncated_gmres.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <utility>

namespace linkwork::apps {
namespace {

/// Factors of a matrix that outlive its refresh cycle, whole or without small entries.
struct KeptFactors {
  RowColumnScaling scaling;
  DroppedFactors factors;
  double t = 0, alpha = 0;

  void solve(Eigen::VectorXd& x) {
    x.array() *= scaling.rows().array();
    factors.solve(x.data());
    x.array() *= scaling.columns().array();
  }
};

/// Places of unknowns and of equations, each link having the number of the next one.
struct LinkShift {
  std::vector<int> unknowns, equations;

  explicit LinkShift(const ResidualFunction& system) {
    const int n = system.size();
    unknowns = shifted(n, [&](int i) { return system.unknown_name(i); });
    equations = shifted(n, [&](int i) { return system.equation_name(i); });
  }

  /// x := x in the order of another numbering, and back.
  static void renumber(const std::vector<int>& places, Eigen::VectorXd& x) {
    Eigen::VectorXd before = x;
    for (std::size_t i = 0; i < places.size(); ++i) x[places[i]] = before[static_cast<Eigen::Index>(i)];
  }
  static void number_back(const std::vector<int>& places, Eigen::VectorXd& x) {
    Eigen::VectorXd before = x;
    for (std::size_t i = 0; i < places.size(); ++i) x[static_cast<Eigen::Index>(i)] = before[places[i]];
  }

 private:
  template <class Name>
  static std::vector<int> shifted(int size, const Name& name) {
    static const std::regex numbered("(link|block|pin) ([0-9]+)");
    std::map<std::string, int> places;
    int links = 0;
    std::vector<std::string> names;
    for (int i = 0; i < size; ++i) {
      names.push_back(name(i));
      places[names.back()] = i;
      std::smatch match;
      if (std::regex_search(names.back(), match, numbered)) links = std::max(links, std::stoi(match[2]));
    }
    std::vector<int> out;
    for (int i = 0; i < size; ++i) {
      const std::string& own = names[static_cast<std::size_t>(i)];
      std::smatch match;
      std::string next = own;
      if (std::regex_search(own, match, numbered))
        next = concat(match.prefix().str(), match[1].str(), ' ', std::stoi(match[2]) % links + 1, match.suffix().str());
      out.push_back(places.at(next));
    }
    return out;
  }
};

/// Simplified Newton that measures at the first iterate of each of its matrices what others would contract by there.
class StudyingNewton : public SimplifiedNewton {
 public:
  StudyingNewton(ResidualFunction& system, const StateLayout& layout, const BdfOptions& bdf,
                 const StudyOptions& options, NewtonStudy& study)
      : SimplifiedNewton(system, layout, bdf.jacobian, bdf.matrix, observing(bdf.newton, this)),
        options_(options),
        study_(study),
        present_(system, bdf.jacobian),
        product_(Eigen::VectorXd::Zero(system.size())) {
    study_.positions = layout.v;
    if (options.period > 0) shift_.emplace(system);
  }

  void begin(double t, double alpha) override {
    SimplifiedNewton::begin(t, alpha);
    is_measured_ = false;
  }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override {
    if (!is_measured_ && present_.difference(point, F)) measure(point);
    return SimplifiedNewton::correct(point, F, delta);
  }

 private:
  /// Work is counted for those who are told of solutions.
  static CorrectorOptions observing(CorrectorOptions newton, StudyingNewton* self) {
    newton.observe = [self](const CorrectorRecord& record) { self->take(record); };
    return newton;
  }
  void take(const CorrectorRecord& record) {
    const double radius = now_.record.spectral_radius;
    now_.record = record;
    now_.record.spectral_radius = radius;
    study_.solutions.push_back(now_);
    now_ = {};
  }

  void note_new_factors() override {
    is_measured_ = false;
    study_.jacobian = *matrix();
    factors_->extract(study_.factors);
    if (whole_) old_.push_back(std::move(*whole_));
    if (options_.period == 0 && old_.size() > 1) old_.erase(old_.begin());
    whole_ = kept(0);
    dropped_.clear();
    for (const double tolerance : options_.drop_tolerances) dropped_.push_back(kept(tolerance));
  }
  KeptFactors kept(double tolerance) const {
    KeptFactors out{factors_->scaling(), {}, t_, alpha()};
    out.factors.drop(study_.factors, tolerance);
    return out;
  }

  /// x := K x, and with another matching than that of the run.
  void solve_with(KeptFactors& factors, Eigen::VectorXd& x, StepSizeMatching matching = StepSizeMatching::mean) {
    solve_matched(matching, at_, factors.alpha, point_alpha_, x,
                  [&](Eigen::VectorXd& scaled) { factors.solve(scaled); });
  }

  template <class Solve>
  double radius_of(const Solve& solve_x) {
    return spectral_radius(static_cast<int>(product_.size()), [&](Eigen::VectorXd& x) {
      product_.setZero();
      present_.matrix().multiply_add(1, x, product_);
      solve_x(product_);
      x -= product_;
    });
  }
  double radius_of(KeptFactors& factors, StepSizeMatching matching = StepSizeMatching::mean) {
    return radius_of([&](Eigen::VectorXd& x) { solve_with(factors, x, matching); });
  }

  /// K is no matrix here; as in the thesis it is taken for the one whose columns it makes of those of G. The step
  /// begins at the correction by the factors, z = r + the step for what that leaves, and costs two substitutions.
  double radius_of_krylov(KeptFactors& preconditioner, const Eigen::VectorXd& units) {
    const Eigen::Index n = product_.size();
    TruncatedGmres gmres(n, 1);
    Eigen::MatrixXd error = Eigen::MatrixXd::Identity(n, n);
    const auto apply = [&](const Eigen::VectorXd& direction, Eigen::VectorXd& product) {
      product_.setZero();
      present_.matrix().multiply_add(1, direction.cwiseProduct(units), product_);
      solve_with(preconditioner, product_);
      product = product_.cwiseQuotient(units);
      return true;
    };
    Eigen::VectorXd right(n), left(n), step(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      apply(Eigen::VectorXd::Unit(n, j), right);
      apply(right, left);
      left = right - left;
      gmres.solve(left, 1, std::cref(apply), step);
      error.col(j) -= right + step;
    }
    return spectral_radius(static_cast<int>(n), [&](Eigen::VectorXd& x) {
      product_.noalias() = error * x;
      x = product_;
    });
  }

  void measure(const JacobianPoint& point) {
    is_measured_ = true;
    t_ = point.t;
    point_alpha_ = point.alpha;
    now_.record.spectral_radius = radius_of(*whole_);
    now_.dropped.clear();
    now_.kept.clear();
    for (KeptFactors& factors : dropped_) {
      now_.dropped.push_back(radius_of(factors));
      now_.kept.push_back(static_cast<double>(factors.factors.entries()) /
                          static_cast<double>(factors.factors.all_entries()));
    }
    if (options_.matching) {
      now_.unmatched = radius_of(*whole_, StepSizeMatching::none);
      now_.by_rows = radius_of(*whole_, StepSizeMatching::rows);
    }
    if (options_.krylov || options_.krylov_beyond) measure_krylov(point);
    if (shift_) measure_period();
  }

  void measure_krylov(const JacobianPoint& point) {
    Eigen::VectorXd sizes;
    find_sizes(point, at_.lambda, sizes);
    if (options_.krylov) {
      now_.krylov = radius_of_krylov(*whole_, sizes);
      now_.krylov_plain = radius_of_krylov(*whole_, Eigen::VectorXd::Ones(product_.size()));
    }
    if (options_.krylov_beyond && !old_.empty()) now_.krylov_of_last_cycle = radius_of_krylov(old_.back(), sizes);
  }

  /// With the matrix that was taken next to one period ago.
  void measure_period() {
    const double then = t_ - options_.period;
    KeptFactors* nearest = nullptr;
    for (KeptFactors& each : old_)
      if (!nearest || std::abs(each.t - then) < std::abs(nearest->t - then)) nearest = &each;
    if (!nearest || then < old_.front().t) return;
    now_.as_long_ago = radius_of(*nearest);
    now_.period_before = radius_of([&](Eigen::VectorXd& x) {
      LinkShift::renumber(shift_->equations, x);
      solve_with(*nearest, x);
      LinkShift::number_back(shift_->unknowns, x);
    });
  }

  StudyOptions options_;
  NewtonStudy& study_;
  Jacobian present_;
  Eigen::VectorXd product_;
  std::optional<KeptFactors> whole_;  // the present ones
  std::vector<KeptFactors> dropped_;  // by drop tolerance
  std::vector<KeptFactors> old_;      // of earlier cycles: the last one, or for a period all
  std::optional<LinkShift> shift_;
  StudiedSolution now_;
  bool is_measured_ = false;
  double t_ = 0, point_alpha_ = 0;
};

}  // namespace

Simulation simulation_of(const NewtonCase& of, const IntegratorOptions& integrator) {
  const ZooModel& model = find_model(of.model);
  SimulationOptions options{.formulation = of.formulation, .integrator = integrator};
  options.keep_dense_output = options.keep_steps = false;
  return make_simulation(model, model.parameters_with({}), options);
}

BdfOptions study_options(const NewtonCase& of) {
  constexpr int most_steps = 10000;  // one that creeps has lost its way
  BdfOptions bdf{
      .rtol = of.tolerance, .atol = of.tolerance, .matrix = IterationSolver::klu, .maximum_steps = most_steps};
  bdf.jacobian.partitioned = of.updates;
  return bdf;
}

NewtonStudy study_newton(const NewtonCase& of, const StudyOptions& options) {
  NewtonStudy study;
  BdfOptions bdf = study_options(of);
  const BdfOptions base = bdf;
  bdf.corrector = [&](ResidualFunction& system, const StateLayout& layout) {
    return std::make_unique<StudyingNewton>(system, layout, base, options, study);
  };
  Simulation simulation = simulation_of(of, bdf);
  const int most = options.krylov || options.krylov_beyond ? of.krylov_solutions : of.solutions;
  simulation.observe([&](const State&, EquationsOfMotion&) { return static_cast<int>(study.solutions.size()) < most; });
  simulation.run(0, of.t_end);
  return study;
}

CorrectorRun run_corrector(const NewtonCase& of, const CorrectorOptions& corrector) {
  CorrectorRun out;
  BdfOptions bdf = study_options(of);
  bdf.newton = corrector;
  bdf.newton.observe = [&](const CorrectorRecord& record) {
    out.records.push_back(record);
    if (corrector.observe) corrector.observe(record);
  };
  Simulation simulation = simulation_of(of, bdf);
  out.end = simulation.run(0, of.t_end).final_state();
  out.counts = simulation.statistics().integrator;
  out.unknowns = MotionResidual(simulation.equations(), {}).size();
  return out;
}

}  // namespace linkwork::apps
