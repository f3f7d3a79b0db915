#include <linkwork/solvers/dae/tolerances.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>

namespace linkwork {

namespace {

/// Below this, errors are rounding.
constexpr double rounding_of_one = std::numeric_limits<double>::epsilon();

bool is_usable(double x) { return std::isfinite(x) && x >= 0; }
/// Of a part of the value: an error as large as the value is none.
bool is_usable_part(double x) { return x == 0 || (x >= rounding_of_one && x < 1); }

std::string not_a_part(const std::string& what, double x) {
  return concat(what, x, "; expected from ", rounding_of_one,
                " (rounding) up to below 1, or 0 for absolute errors alone.");
}

}  // namespace

std::string Tolerances::why_invalid() const {
  if (!is_usable_part(rtol)) return not_a_part("rtol = ", rtol);
  if (atol_angle && !(is_usable(*atol_angle) && *atol_angle < 1))
    return concat("atol_angle = ", *atol_angle, " rad; expected 0 up to below 1.");
  if (atol_angle && !is_usable(atol)) return concat("atol = ", atol, "; expected a finite value >= 0.");
  if (!atol_angle && !(is_usable(atol) && atol < 1))
    return concat("atol = ", atol,
                  "; expected 0 up to below 1, for it is of angles too [rad]: with an atol_angle for these, atol may "
                  "be any length.");
  if (rtol == 0 && atol_angle.value_or(atol) < rounding_of_one)
    return concat("rtol = 0 and ", atol_angle ? "atol_angle = " : "atol = ", atol_angle.value_or(atol),
                  "; expected one of them at ", rounding_of_one, " (rounding) or above.");
  if (rtol == 0 && atol == 0) return "rtol = 0 and atol = 0; expected one of them above 0.";
  for (const std::vector<double>* list : {&components.p_rtol, &components.v_rtol, &components.r_rtol})
    for (double x : *list)
      if (!is_usable_part(x)) return not_a_part("a component's relative tolerance is ", x);
  for (const std::vector<double>* list : {&components.p_atol, &components.v_atol, &components.r_atol})
    for (double x : *list)
      if (!is_usable(x)) return concat("a component's tolerance is ", x, "; expected a finite value >= 0.");
  return "";
}

void Tolerances::expect_fit(const Dimensions& n, std::string_view options) const {
  const ComponentTolerances& by = components;
  const auto check_size = [&](const std::vector<double>& given, int expected, const char* what) {
    if (!given.empty() && static_cast<int>(given.size()) != expected)
      throw ModelError(concat(options, ": components.", what, " has ", given.size(), " entries; this system has ",
                              expected, " such components."));
  };
  check_size(by.p_rtol, n.p, "p_rtol");
  check_size(by.p_atol, n.p, "p_atol");
  check_size(by.v_rtol, n.v, "v_rtol");
  check_size(by.v_atol, n.v, "v_atol");
  check_size(by.r_rtol, n.r, "r_rtol");
  check_size(by.r_atol, n.r, "r_atol");
  const auto check_pair = [&](const std::vector<double>& relative, const std::vector<double>& absolute, int count,
                              char group) {
    for (int i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if ((relative.empty() ? rtol : relative[k]) + (absolute.empty() ? atol : absolute[k]) <= 0)
        throw ModelError(concat(options, ": the tolerances of component ", i, " of ", group,
                                " are both 0; give one of components.", group, "_rtol and components.", group,
                                "_atol a value above 0."));
    }
  };
  check_pair(by.p_rtol, by.p_atol, n.p, 'p');
  check_pair(by.v_rtol, by.v_atol, n.v, 'v');
  check_pair(by.r_rtol, by.r_atol, n.r, 'r');
}

namespace {

/// The list with a value for each of the first components of a kind, where the list is empty.
void fill(std::vector<double>& list, int count, const std::function<double(int)>& tolerance) {
  if (!list.empty()) return;
  for (int i = 0; i < count; ++i) list.push_back(tolerance(i));
}

}  // namespace

Tolerances Tolerances::by_component(const EquationsOfMotion& equations) const {
  Tolerances out = *this;
  if (!atol_angle) return out;
  const Dimensions& n = equations.dimensions();
  const auto of_position = [&](int i) { return equations.position_measure(i) == Measure::length ? atol : *atol_angle; };
  const auto of_velocity = [&](int i) { return equations.velocity_measure(i) == Measure::length ? atol : *atol_angle; };
  fill(out.components.p_atol, n.p, of_position);
  fill(out.components.v_atol, n.v, of_velocity);
  return out;
}

double Tolerances::of_ratios() const {
  const double absolute = atol_angle.value_or(atol);
  return absolute > 0 ? absolute : rtol;
}

Tolerances operator*(double share, Tolerances tolerances) {
  tolerances.rtol *= share;
  tolerances.atol *= share;
  if (tolerances.atol_angle) *tolerances.atol_angle *= share;
  ComponentTolerances& by = tolerances.components;
  for (std::vector<double>* list : {&by.p_rtol, &by.p_atol, &by.v_rtol, &by.v_atol, &by.r_rtol, &by.r_atol})
    for (double& each : *list) each *= share;
  return tolerances;
}

}  // namespace linkwork
