#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/pictures/drawing.hpp>

// Stands in for mesh_file.cpp where assimp was not found.

namespace linkwork::shape {

Mesh mesh_from_file(const std::string& file, double) {
  throw ModelError(concat("mesh_from_file: can't read '", file,
                          "': assimp is not part of this build; install it (libassimp-dev on Debian), configure with "
                          "CMake again, and build; or give vertices and triangles as shape::Mesh."));
}

}  // namespace linkwork::shape
