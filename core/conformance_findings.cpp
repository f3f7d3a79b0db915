#include <linkwork/core/conformance_findings.hpp>

namespace linkwork {

std::string ConformanceReport::summary() const {
  if (failures_.empty())
    return concat(element_, ": conforms (", comparisons_, " comparisons at ", samples_, " samples).\n");
  std::string out =
      concat(element_, ": ", failures_.size(), failures_.size() == 1 ? " claim does" : " claims do", " not hold.\n");
  for (const ConformanceFailure& failure : failures_) out += concat("  ", failure.message, "\n");
  return out;
}

namespace conformance {

Findings::Findings(std::string_view element, const ConformanceOptions& options) : element_(element), options_(options) {
  const auto require_positive = [](const char* what, double value, const char* unit) {
    if (!(std::isfinite(value) && value > 0))
      throw ModelError(concat("ConformanceOptions: ", what, " is ", value, unit, "; give a finite value > 0."));
  };
  if (options.samples < 1)
    throw ModelError(concat("ConformanceOptions: samples is ", options.samples, "; give at least 1."));
  require_positive("reach", options.reach, " m");
  require_positive("last_time", options.last_time, " s");
}

void Findings::at_every_sample(const char* function, const std::function<void(std::size_t)>& stage) {
  int left_out = 0;
  std::string reason;
  const int compared_before = comparisons_;
  not_judged_ = 0;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    sample_ = static_cast<int>(i);
    try {
      stage(i);
    } catch (const Unusable&) {
    } catch (const RecoverableFailure& error) {
      ++left_out;
      reason = error.what();
    } catch (const std::exception& error) {
      fail(function, "throws", concat("throws '", error.what(), "'"));
    }
  }
  sample_ = -1;
  if (left_out == static_cast<int>(times_.size()))
    fail(function, "throws",
         concat("can't be evaluated at any of ", left_out, " samples ('", reason,
                "'); choose a reach inside its range"));
  else if (not_judged_ > 0 && comparisons_ == compared_before)
    fail(function, "kinks",
         "can't be judged at any sample, because differences with steps h and 2 h disagree by more than 1e-3; the "
         "element is not smooth on this scale, give a smaller difference_step() or reach");
}

void Findings::once(const char* function, const std::function<void()>& stage) {
  sample_ = -1;
  try {
    stage();
  } catch (const Unusable&) {
  } catch (const std::exception& error) {
    fail(function, "throws", concat("throws '", error.what(), "'"));
  }
}

void Findings::compare(const Claim& claim, const Eigen::VectorXd& actual, const Eigen::VectorXd& expected, double bound,
                       const Eigen::VectorXd& uncertainty) {
  constexpr double largest_uncertainty = 1e-3;
  for (Eigen::Index i = 0; i < actual.size(); ++i) {
    const double scale = 1 + std::abs(expected[i]);
    if (uncertainty[i] > largest_uncertainty * scale) {
      ++not_judged_;
      continue;
    }
    ++comparisons_;
    const double allowed = bound * scale + uncertainty[i], difference = std::abs(actual[i] - expected[i]);
    if (difference <= allowed) continue;
    fail(claim.function, claim.quantity,
         concat(claim.quantity, " ", i, " is ", actual[i], ", expected ", expected[i], " (", claim.reason, "): off by ",
                difference, " (bound ", allowed, ")"),
         difference / allowed);
  }
}

void Findings::fail(const char* function, const std::string& claim, const std::string& message, double size) {
  auto entry = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& e) { return e.function == function && e.claim == claim; });
  if (entry == entries_.end()) entry = entries_.insert(entries_.end(), {function, claim, "", 0, -1, {}});
  entry->samples.insert(sample_);
  if (!(size <= entry->size)) {
    entry->size = size;
    entry->sample = sample_;
    entry->message = message;
  }
}

bool Findings::failed(const char* function) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.function == function; });
}

ConformanceReport Findings::report() const {
  std::vector<ConformanceFailure> failures;
  for (const Entry& entry : entries_) {
    std::string message = concat(entry.function, ": ", entry.message);
    if (entry.sample >= 0)
      message += concat("; at sample ", entry.sample, " of seed ", options_.seed,
                        " (t = ", times_[static_cast<std::size_t>(entry.sample)], " s), the worst of ",
                        entry.samples.size(), " out of ", options_.samples);
    failures.push_back({entry.function, entry.sample, message + "."});
  }
  return {element_, options_.samples, comparisons_, std::move(failures)};
}

}  // namespace conformance
}  // namespace linkwork
