#pragma once

#include "figures/data_figure.hpp"
#include "reproduce/newton_study.hpp"

#include <ostream>
#include <string>
#include <vector>

// Nijhuis: Numerical integration of differential-algebraic systems with recommendations to improve the efficiency of
// multibody simulations (DASSL+), Eindhoven 2013: its tables and figures, measured on models of the same kind. What is
// estimated there from matrices is measured here by runs, beside the same estimates.

namespace linkwork::apps {

/// A table or figure as comma-separated values.
struct DasslFigure {
  std::string name, title;
  void (*write)(std::ostream& out, const std::vector<NewtonCase>& cases) = nullptr;
  Figure figure = {};  ///< how it is drawn
};
const std::vector<DasslFigure>& dassl_figures();

/// The thesis's three models, as long as a minute or so allows.
const std::vector<NewtonCase>& dassl_cases();

}  // namespace linkwork::apps
