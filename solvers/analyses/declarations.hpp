#pragma once

#include <linkwork/core/dependencies.hpp>
#include <linkwork/core/state.hpp>

#include <string>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

// Check mode: do elements use only what they declare (ForceElement::use, Constraint::row_use, inputs of joints)? What
// they keep to themselves is missing in the sparsity of the equations, and Newton's method suffers without a word.

/// What force elements and constraints use at the current point and do not declare, one sentence for each, with the
/// names of element and body. Every part of a frame's motion that is declared unused is moved by 0.01 (m, rad, m/s,
/// rad/s), states and reactions by a hundredth; what then changes by more than 1e-9 of its size is used. A use that
/// does not show at this point is not found. Empty for equations that are of no graph.
std::vector<std::string> undeclared_uses(EquationsOfMotion& equations);
/// @throws ModelError with the first of undeclared_uses, and how many more there are; and for drives whose declared
///         rates are off by more than 1e-5
void check_declarations(EquationsOfMotion& equations);

/// Do drives declare the derivatives u' and u'' of their u? Those that do not pull velocities away from positions, at
/// any step size. Over short intervals after the current time the change of u is compared with the integral of u', and
/// that of u' with the integral of u''.
/// @param tolerance  relative to the change
/// @throws ModelError that names the drive
void check_drives(EquationsOfMotion& equations, double tolerance);

/// Do the functions of elements and of equations fit each other? At the current point, along one direction: of
/// equations that are of no graph what check_equations looks at (conformance.hpp), of a graph its elements: their
/// sizes, what they write, rows against residuals, and the motions of joints against their poses. What a run does
/// before it starts. The point stays as it is.
/// @throws ModelError that names the element and the function
void check_functions(EquationsOfMotion& equations);

/// A sentence for each prescribed motion u(t) that jumps, or whose u' does, within 1e-6 of the current time: no step
/// can pass there. Begins with a space where there is one.
std::string jumping_inputs(EquationsOfMotion& equations);

/// An entry that depends on an unknown outside the declared pattern.
struct UndeclaredDependence {
  EquationPart part = EquationPart::dynamics;
  Unknown unknown = Unknown::p;
  int row = 0, column = 0;
  double change = 0;  ///< of the entry, when the unknown is moved up and down by `step`
  double step = 0;
};

/// How a part of the equations changes between unknowns moved up and down, column by column: F(x + step) - F(x - step)
/// with steps of 1e-3 max(1, |x|). The state has its a and, for `factor`, x is v (Z x) or lambda (G^T x).
struct Changes {
  std::vector<std::vector<double>> columns;
  std::vector<double> steps;
  double size = 0;  ///< largest magnitude of the part's entries, at the state and moved
};
Changes changes_of(EquationsOfMotion& equations, const State& state, EquationPart part, Unknown unknown);

/// Changes outside a pattern above 1e-12 of the part's size (rounding), which is what differences can tell.
std::vector<UndeclaredDependence> changes_outside(const Changes& changes, EquationPart part, Unknown unknown,
                                                  const SparsityPattern& pattern);
/// Of all parts whose dependencies are said to be complete, at one state.
std::vector<UndeclaredDependence> undeclared_dependences(EquationsOfMotion& equations, const State& state);
/// "the dynamics of 'crank: velocity 1' depend on p of 'rod: coordinate 1', which is not declared ..."
std::string describe(const EquationsOfMotion& equations, const UndeclaredDependence& dependence);

}  // namespace linkwork
