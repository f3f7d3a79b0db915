#pragma once

// Owners of the objects of SUNDIALS, with their destructors.

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <cstdio>
#include <memory>

namespace linkwork::apps::sundials {

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct FreeMatrix {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

using ContextOwner = std::unique_ptr<_SUNContext, FreeContext>;
using VectorOwner = std::unique_ptr<_generic_N_Vector, FreeVector>;
using MatrixOwner = std::unique_ptr<_generic_SUNMatrix, FreeMatrix>;
using SolverOwner = std::unique_ptr<_generic_SUNLinearSolver, FreeSolver>;
using IdaOwner = std::unique_ptr<void, FreeIda>;
using FileOwner = std::unique_ptr<std::FILE, CloseFile>;

inline ContextOwner make_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return ContextOwner(context);
}

}  // namespace linkwork::apps::sundials
