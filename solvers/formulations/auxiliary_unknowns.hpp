#pragma once

namespace linkwork {

/// What becomes of the auxiliary variables w of force elements and the contact-point coordinates s of constraints.
enum class AuxiliaryUnknowns {
  eliminated,  ///< the equations solve for them, element by element, wherever something depends on them
  carried      ///< they are unknowns of the system, dimensions().w and .s, for integrators that solve for all at once
};

}  // namespace linkwork
