#include <linkwork/core/equation_names.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

std::string EquationNames::position_name(int i) const { return concat("p[", i, "]"); }
std::string EquationNames::velocity_name(int i) const { return concat("v[", i, "]"); }
std::string EquationNames::state_name(int i) const { return concat("r[", i, "]"); }
std::string EquationNames::auxiliary_name(int i) const { return concat("w[", i, "]"); }
std::string EquationNames::contact_name(int i) const { return concat("s[", i, "]"); }
std::string EquationNames::constraint_name(int row) const { return concat("constraint row ", row); }
std::string EquationNames::input_name(int i) const { return concat("u[", i, "]"); }
std::string EquationNames::invariant_name(int i) const { return concat("e[", i, "]"); }

}  // namespace linkwork
