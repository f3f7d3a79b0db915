#include <linkwork/core/conformance_motion.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/element_check.hpp>

#include <Eigen/Core>

namespace linkwork {

namespace conformance {

template <class Space>
EvaluatedRows rows_at(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at,
                      RowKind which) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int count = element.rows(), frames = static_cast<int>(at.frames.size()), size = count * frames * Space::n;
  // Blocks, then rates, in one array; all zero at the call.
  const char* function = which == RowKind::velocity ? "do_rows" : "do_position_rows";
  const unsigned hidden = rows_read_velocities(element.level()) ? undeclared : undeclared | velocities;
  const Eigen::VectorXd values =
      evaluate(findings, function, at, hidden, size + count, 0.0, [&](const Motion<Space>& m, double* out) {
        ConstraintRows<Space> rows(count, out, out + size);
        if (which == RowKind::velocity)
          element.velocity_rows(m, rows);
        else
          element.position_rows(m, rows);
      });
  EvaluatedRows out{Eigen::MatrixXd(count, frames * Space::n), values.tail(count)};
  for (int k = 0; k < frames; ++k)
    out.rows.middleCols(k * Space::n, Space::n) =
        Eigen::Map<const RowMajor>(values.data() + k * count * Space::n, count, Space::n);
  return out;
}

template <class Space>
Eigen::VectorXd residual_at(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at) {
  return evaluate(findings, "do_residual", at, undeclared | velocities, element.rows(), not_a_number,
                  [&](const Motion<Space>& m, double* out) { element.residual(m, out); });
}

template <class Space>
Eigen::VectorXd bias_at(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at) {
  return evaluate(findings, "do_bias", at, undeclared, element.rows(), not_a_number,
                  [&](const Motion<Space>& m, double* out) { element.bias(m, out); });
}

template <class Space>
Eigen::VectorXd contact_residual_at(Findings& findings, const Constraint<Space>& element,
                                    const Surroundings<Space>& at) {
  return evaluate(findings, "do_contact_residual", at, undeclared | velocities, element.contacts(), not_a_number,
                  [&](const Motion<Space>& m, double* out) { element.contact_residual(m, out); });
}

template <class Space>
Surroundings<Space> in_contact(Findings& findings, const Constraint<Space>& element, Surroundings<Space> at) {
  solve_implicit(
      at, &Surroundings<Space>::contacts, "the contact equations c = 0 have no solution for s", [](int) { return 1.0; },
      [&](const Surroundings<Space>& there) { return contact_residual_at(findings, element, there); });
  return at;
}

template <class Space>
void start_memory(Findings& findings, const Constraint<Space>& element, Surroundings<Space>& at) {
  const int size = element.memory_size();
  at.memory.assign(static_cast<std::size_t>(size), 0.0);
  const Eigen::VectorXd memory = evaluate(findings, "do_remember", at, undeclared, size, 0.0,
                                          [&](const Motion<Space>& m, double* out) { element.remember(m, true, out); });
  std::copy_n(memory.data(), size, at.memory.begin());
}

template <class Space>
void check_rows_of_residual(Findings& findings, const Constraint<Space>& element, const FramePath<Space>& path,
                            double bound, const std::string& where) {
  const RowKind which = element.has_position_rows() ? RowKind::position : RowKind::velocity;
  const EvaluatedRows at = rows_at(findings, element, path.here, which);
  const double step = step_for(element.difference_step(), path.here.speed());
  const Derivative expected = derivative(
      step, [&](double dt) { return residual_at(findings, element, in_contact(findings, element, path.at(dt))); });
  findings.compare({which == RowKind::position ? "do_position_rows" : "do_rows", "rows times velocities plus rate, row",
                    "the derivative of do_residual by sixth-order differences" + where},
                   at.rows * path.here.twists() + at.rate, expected, bound);
}

template <class Space>
void check_bias(Findings& findings, const Constraint<Space>& element, const FramePath<Space>& path) {
  const double step = step_for(element.difference_step(), path.here.speed());
  const Eigen::VectorXd twists = path.here.twists();
  Derivative expected = derivative(step, [&](double dt) -> Eigen::VectorXd {
    const EvaluatedRows at = rows_at(findings, element, in_contact(findings, element, path.at(dt)));
    return at.rows * twists + at.rate;
  });
  expected.value = -expected.value;
  findings.compare(
      {"do_bias", "component",
       "minus the derivative of do_rows times the velocities along the motion, by sixth-order differences"},
      bias_at(findings, element, path.here), expected, second_order_bound);
}

template <class Space>
void check_relative(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at) {
  const EvaluatedRows seen = rows_at(findings, element, at);
  Eigen::MatrixXd rigid(seen.rows.cols(), Space::n);
  for (int j = 0; j < Space::n; ++j) {
    const Twist<Space> common = to_twist<Space>(Components<Space>::Unit(j));
    for (std::size_t k = 0; k < at.frames.size(); ++k) {
      const Vector<Space> velocity = common.linear + cross(common.angular, at.frames[k].pose.position);
      rigid.col(j).template segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n) =
          components<Space>({common.angular, velocity});
    }
  }
  const Eigen::MatrixXd product = seen.rows * rigid;
  for (int j = 0; j < Space::n; ++j)
    findings.compare({"do_rows", concat("on unit motion ", j, " of all frames together as one body, row"),
                      "a constraint with is_relative() does not see it; rounding"},
                     product.col(j), Eigen::VectorXd::Zero(seen.rows.rows()), first_order_bound);
}

template <class Space>
void check_units(Findings& findings, const Constraint<Space>& element, const std::vector<Surroundings<Space>>& points) {
  constexpr double zero = 1e-8;
  Eigen::VectorXd angular = Eigen::VectorXd::Zero(element.rows()), linear = angular;
  for (const Surroundings<Space>& point : points) {
    const Eigen::MatrixXd rows = rows_at(findings, element, point).rows;
    for (Eigen::Index j = 0; j < rows.cols(); ++j) {
      Eigen::VectorXd& part = j % Space::n < Space::angular ? angular : linear;
      part = part.cwiseMax(rows.col(j).cwiseAbs());
    }
  }
  for (int i = 0; i < element.rows(); ++i) {
    const bool claimed = element.is_angular(i);
    if (claimed && angular[i] < zero && linear[i] > zero)
      findings.fail("is_angular", concat(i),
                    concat("row ", i,
                           " is called angular, but acts on velocities of points only and measures a length; "
                           "expected false"));
    if (!claimed && linear[i] < zero && angular[i] > zero)
      findings.fail("is_angular", concat(i),
                    concat("row ", i,
                           " is called a length, but acts on angular velocities only and measures an angle; "
                           "expected true"));
  }
}

#define LINKWORK_INSTANTIATE(Space)                                                                              \
  template EvaluatedRows rows_at(Findings&, const Constraint<Space>&, const Surroundings<Space>&, RowKind);      \
  template Eigen::VectorXd residual_at(Findings&, const Constraint<Space>&, const Surroundings<Space>&);         \
  template Eigen::VectorXd bias_at(Findings&, const Constraint<Space>&, const Surroundings<Space>&);             \
  template Eigen::VectorXd contact_residual_at(Findings&, const Constraint<Space>&, const Surroundings<Space>&); \
  template Surroundings<Space> in_contact(Findings&, const Constraint<Space>&, Surroundings<Space>);             \
  template void start_memory(Findings&, const Constraint<Space>&, Surroundings<Space>&);                         \
  template void check_rows_of_residual(Findings&, const Constraint<Space>&, const FramePath<Space>&, double,     \
                                       const std::string&);                                                      \
  template void check_bias(Findings&, const Constraint<Space>&, const FramePath<Space>&);                        \
  template void check_relative(Findings&, const Constraint<Space>&, const Surroundings<Space>&);                 \
  template void check_units(Findings&, const Constraint<Space>&, const std::vector<Surroundings<Space>>&);
LINKWORK_INSTANTIATE(Planar)
LINKWORK_INSTANTIATE(Spatial)
#undef LINKWORK_INSTANTIATE

namespace {

/// The points at which a constraint is tried, and the stages of the check.
template <class Space>
class ConstraintCheck {
 public:
  ConstraintCheck(const Constraint<Space>& element, const ConformanceOptions& options)
      : element_(element), options_(options), findings_(element.type(), options) {}

  ConformanceReport run() {
    findings_.once("rows", [&] { check_sizes(); });
    if (findings_.any()) return findings_.report();
    make_paths();
    if (findings_.any()) return findings_.report();
    if (element_.contacts() > 0)
      findings_.at_every_sample("do_contact_residual", [&](std::size_t i) { start_contact(i); });
    if (findings_.any()) return findings_.report();
    findings_.at_every_sample("do_remember", [&](std::size_t i) { start_memory(findings_, element_, here(i)); });
    if (findings_.any()) return findings_.report();

    check_repeatable(findings_, paths_.size(), functions());
    if (findings_.any()) return findings_.report();

    const bool holonomic = element_.level() == Level::holonomic;
    if (holonomic)
      findings_.at_every_sample("do_rows", [&](std::size_t i) {
        check_rows_of_residual(findings_, element_, path(i), first_order_bound, "");
      });
    findings_.once("do_rows", [&] { check_rank(); });
    if (rows_read_velocities(element_.level())) {
      if (!findings_.any()) findings_.at_every_sample("do_rows", [&](std::size_t i) { check_at_velocities(i); });
      return findings_.report();
    }
    if (holonomic && element_.has_position_rows() && element_.joints().empty() && !findings_.any())
      findings_.at_every_sample("do_rows", [&](std::size_t i) { check_span(i); });
    if (!findings_.failed("do_rows")) {
      findings_.at_every_sample("do_bias", [&](std::size_t i) { check_bias(findings_, element_, path(i)); });
      if (element_.is_relative())
        findings_.at_every_sample("do_rows", [&](std::size_t i) { check_relative(findings_, element_, here(i)); });
      findings_.once("is_angular", [&] { check_units(findings_, element_, points()); });
      findings_.at_every_sample(
          "row_use", [&](std::size_t i) { check_uses(findings_, element_, here(i), frame_names(element_.frames())); });
    }
    return findings_.report();
  }

 private:
  void check_sizes() {
    if (element_.type().empty()) findings_.fail("type", "empty", "is empty; give the element a name of its kind");
    if (element_.rows() < 1) findings_.fail("rows", "count", concat("is ", element_.rows(), "; expected at least 1"));
    if (element_.memory_size() < 0)
      findings_.fail("memory_size", "count", concat("is ", element_.memory_size(), "; expected 0 or more"));
    if (element_.contacts() < 0)
      findings_.fail("contacts", "count", concat("is ", element_.contacts(), "; expected 0 or more"));
    for (int i = 0; i < element_.contacts(); ++i)
      if (!std::isfinite(element_.initial_contact(i)))
        findings_.fail(
            "initial_contact", concat(i),
            concat("of contact coordinate ", i, " is ", element_.initial_contact(i), "; expected a finite number"));
    if (!(element_.difference_step() > 0))
      findings_.fail("difference_step", "size", concat("is ", element_.difference_step(), "; expected > 0"));
    if (std::all_of(element_.frames().begin(), element_.frames().end(),
                    [](const Frame<Space>& frame) { return frame.body < 0; }))
      findings_.fail("frames", "none",
                     "holds no frame of a body; give the constructor of Constraint a frame that moves");
  }
  void make_paths() {
    std::vector<double> times(static_cast<std::size_t>(options_.samples));
    paths_.resize(times.size());
    usable_.assign(times.size(), 1);
    findings_.set_times(times);
    findings_.at_every_sample("joints", [&](std::size_t i) {
      Random random(options_.seed, i);
      paths_[i] = random_path<Space>(element_.frames(), element_.joints(), random, options_);
      times[i] = paths_[i].here.time;
    });
    findings_.set_times(std::move(times));
  }
  /// Samples where the surfaces don't touch are left out from then on.
  void start_contact(std::size_t sample) {
    Surroundings<Space>& at = paths_[sample].here;
    usable_[sample] = 0;
    at.memory.assign(static_cast<std::size_t>(element_.memory_size()), 0.0);
    for (int i = 0; i < element_.contacts(); ++i) at.contacts.push_back(element_.initial_contact(i));
    at = in_contact(findings_, element_, at);
    usable_[sample] = 1;
  }
  const FramePath<Space>& path(std::size_t sample) {
    here(sample);
    return paths_[sample];
  }
  Surroundings<Space>& here(std::size_t sample) {
    if (!usable_[sample]) throw RecoverableFailure("there is no contact");
    return paths_[sample].here;
  }
  std::vector<Surroundings<Space>> points() const {
    std::vector<Surroundings<Space>> out;
    for (std::size_t i = 0; i < paths_.size(); ++i)
      if (usable_[i]) out.push_back(paths_[i].here);
    return out;
  }

  /// Velocities of the frames from those of the bodies, columns by body.
  Eigen::MatrixXd twists_of_bodies(const Surroundings<Space>& at) const {
    std::map<int, std::size_t> first;
    for (std::size_t k = 0; k < at.frames.size(); ++k)
      if (element_.frames()[k].body >= 0) first.emplace(element_.frames()[k].body, k);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(at.frames.size()) * Space::n,
                                                static_cast<Eigen::Index>(first.size()) * Space::n);
    for (std::size_t k = 0; k < at.frames.size(); ++k) {
      const auto body = first.find(element_.frames()[k].body);
      if (body == first.end()) continue;
      const Eigen::Index column = std::distance(first.begin(), body) * Space::n;
      const Vector<Space> arm = at.frames[k].pose.position - at.frames[body->second].pose.position;
      for (int j = 0; j < Space::n; ++j) {
        Twist<Space> unit = to_twist<Space>(Components<Space>::Unit(j));
        unit.linear += cross(unit.angular, arm);
        out.col(column + j).template segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n) =
            components<Space>(unit);
      }
    }
    return out;
  }

  void check_rank() {
    Eigen::Index rank = 0;
    for (const Surroundings<Space>& at : points())
      rank = std::max(rank, rank_of(rows_at(findings_, element_, at).rows * twists_of_bodies(at)));
    if (rank < element_.rows())
      findings_.fail("do_rows", "rank",
                     concat("only ", rank, " of its ", element_.rows(),
                            " rows are independent at any sample; expected all of them, or a smaller rows()"));
  }

  /// Moves the frames to where the residual vanishes, by Newton's method; false where that fails.
  bool to_manifold(Surroundings<Space>& at) {
    constexpr double solved = 1e-12, longest = 0.5;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::VectorXd g = residual_at(findings_, element_, at);
      if (g.norm() < solved) return true;
      const Eigen::MatrixXd spread = twists_of_bodies(at);
      const Eigen::MatrixXd C = rows_at(findings_, element_, at, RowKind::position).rows * spread;
      Eigen::VectorXd step = -OrthogonalFactors(C).solve(g);
      if (step.norm() > longest) step *= longest / step.norm();
      const Eigen::VectorXd twists = spread * step;
      for (std::size_t k = 0; k < at.frames.size(); ++k)
        at.frames[k].pose = moved(
            at.frames[k].pose, to_twist<Space>(twists.segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n)), 1.0);
      at = in_contact(findings_, element_, at);
    }
    return false;
  }

  /// As a run does before it starts: sizes, and the rows and bias of a nonlinear constraint against its phi.
  void check_at_velocities(std::size_t sample) {
    const Surroundings<Space>& at = here(sample);
    detail::ElementPoint<Space> point;
    point.time = at.time;
    point.frames = at.frames;
    point.memory = at.memory;
    const std::string fault = detail::false_function(element_, point, options_.reach);
    if (!fault.empty()) findings_.fail("do_rows", "derivatives", fault);
  }

  /// Where g = 0, the velocity rows and those of dg forbid the same velocities: the orthogonal projectors onto
  /// [rows, rate] agree.
  void check_span(std::size_t sample) {
    Surroundings<Space> at = here(sample);
    if (!to_manifold(at)) return;
    const Eigen::MatrixXd spread = twists_of_bodies(at);
    const auto projector = [&](RowKind which) -> Eigen::MatrixXd {
      const EvaluatedRows seen = rows_at(findings_, element_, at, which);
      Eigen::MatrixXd both(seen.rows.rows(), spread.cols() + 1);
      both << seen.rows * spread, seen.rate;
      return OrthogonalFactors(both).solve_columns(both);
    };
    const double difference = (projector(RowKind::velocity) - projector(RowKind::position)).norm();
    findings_.compare({"do_rows", "distance of its row space from that of do_position_rows, entry",
                       "both forbid the same velocities where g = 0; rounding and Newton's residual 1e-12"},
                      Eigen::VectorXd::Constant(1, difference), Eigen::VectorXd::Zero(1), first_order_bound);
  }

  std::vector<NamedFunction> functions() {
    std::vector<NamedFunction> out;
    if (element_.level() == Level::holonomic)
      out.emplace_back("do_residual", [&](std::size_t i) { return residual_at(findings_, element_, here(i)); });
    if (element_.contacts() > 0)
      out.emplace_back("do_contact_residual",
                       [&](std::size_t i) { return contact_residual_at(findings_, element_, here(i)); });
    out.emplace_back("do_rows", [&](std::size_t i) { return flat(rows_at(findings_, element_, here(i))); });
    out.emplace_back("do_bias", [&](std::size_t i) { return bias_at(findings_, element_, here(i)); });
    return out;
  }
  static Eigen::VectorXd flat(const EvaluatedRows& at) {
    Eigen::VectorXd out(at.rows.size() + at.rate.size());
    out << at.rows.reshaped(), at.rate;
    return out;
  }

  const Constraint<Space>& element_;
  ConformanceOptions options_;
  Findings findings_;
  std::vector<FramePath<Space>> paths_;
  std::vector<char> usable_;
};

}  // namespace
}  // namespace conformance

template <class Space>
ConformanceReport check_constraint(const Constraint<Space>& constraint, const ConformanceOptions& options) {
  return conformance::ConstraintCheck<Space>(constraint, options).run();
}

template ConformanceReport check_constraint(const Constraint<Planar>&, const ConformanceOptions&);
template ConformanceReport check_constraint(const Constraint<Spatial>&, const ConformanceOptions&);

}  // namespace linkwork
