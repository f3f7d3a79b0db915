#include <linkwork/solvers/pictures/drawing.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>
#include <string>

namespace linkwork::shape {

Mesh mesh_from_file(const std::string& file, double scale) {
  Assimp::Importer importer;
  // Parts of the file are moved to where it places them.
  const aiScene* scene =
      importer.ReadFile(file, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_PreTransformVertices);
  if (!scene) {
    std::string why = importer.GetErrorString();
    if (why.ends_with('.')) why.pop_back();
    throw ModelError(concat("mesh_from_file: can't read '", file, "': ", why, "; give a file in STL or OBJ."));
  }
  Mesh out;
  for (unsigned k = 0; k < scene->mNumMeshes; ++k) {
    const aiMesh& mesh = *scene->mMeshes[k];
    const int first = static_cast<int>(out.vertices.size());
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      out.vertices.push_back(scale * Eigen::Vector3d(v.x, v.y, v.z));
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines
      out.triangles.push_back({first + static_cast<int>(face.mIndices[0]), first + static_cast<int>(face.mIndices[1]),
                               first + static_cast<int>(face.mIndices[2])});
    }
  }
  if (out.triangles.empty())
    throw ModelError(concat("mesh_from_file: '", file, "' has no triangles; give a file with a surface."));
  return out;
}

}  // namespace linkwork::shape
