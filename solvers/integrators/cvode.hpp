#pragma once

#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace linkwork {

enum class CvodeMethod {
  adams,  ///< Adams-Moulton of order 1 to 12, by functional iteration: smooth motion whose forces are costly
  bdf     ///< backward differentiation of order 1 to 5, by Newton's iteration: stiff forces
};

struct CvodeOptions {
  double rtol = 1e-6, atol = 1e-6;  ///< see Tolerances
  std::optional<double> atol_angle = {};
  ComponentTolerances components = {};  ///< override the scalars
  CvodeMethod method = CvodeMethod::bdf;
  int maximum_order = 0;                 ///< 1 to 12 for adams, 1 to 5 for bdf; 0: the greatest
  double first_step = 0;                 ///< [s], > 0; 0: chosen from the rates at the start
  double maximum_step = 0;               ///< [s]; 0: none
  std::int64_t maximum_steps = 1000000;  ///< > 0
  bool consent_to_projection = false;    ///< accept initial values whose norms are more than 100 atol off
  /// Move the end of every step onto the solution invariants, if the model has some: bdf only.
  bool keep_invariants = true;
  DenseSelection dense = {};
  bool dense_output = true;  ///< keep what the continuous solution needs; the driver turns it off where unused

  Tolerances tolerances() const { return {rtol, atol, atol_angle, components}; }
  /// "cvode-adams" or "cvode-bdf".
  std::string_view name() const { return method == CvodeMethod::adams ? "cvode-adams" : "cvode-bdf"; }
  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// CVODE of SUNDIALS, multistep methods of variable order and step, for equations without constraint rows: trees in
/// relative coordinates, free bodies, equations posed so. Others are refused by name. Part of the library
/// Linkwork::cvode; where that was built without SUNDIALS, this is refused. For bdf the Jacobian of y' = f(t, y) is
/// dense and by differences, one evaluation for each entry of y. Components that follow from others count in the norm
/// of errors. The continuous solution has the method's derivatives at the end of the step, and meets the solution of
/// the step before with its rate. Norms of quaternions are restored in what is handed out, and what the method carries
/// on keeps its own. The adams method does not keep solution invariants: it has no way to move what it carries on.
/// Source: Hindmarsh et al. (2005), SUNDIALS: Suite of Nonlinear and Differential/Algebraic Equation Solvers.
/// @throws ModelError if the options make no sense, and where Linkwork was built without SUNDIALS
std::unique_ptr<Integrator> make_integrator(const CvodeOptions& options);

}  // namespace linkwork
