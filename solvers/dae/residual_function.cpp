#include <linkwork/solvers/dae/residual_function.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

Dependencies ResidualFunction::dependencies() const { return {SparsityPattern(equations_, size_), false}; }

std::string ResidualFunction::input_name(int i) const { return concat("u[", i, "]"); }

std::string ResidualFunction::unknown_name(int j) const { return concat("y[", j, "]"); }

std::string ResidualFunction::equation_name(int i) const { return concat("equation ", i); }

}  // namespace linkwork
