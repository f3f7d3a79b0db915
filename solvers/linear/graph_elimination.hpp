#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/topology/elimination_plan.hpp>

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace linkwork {

class Equilibration;

/// The blocks of an augmented matrix: runs of velocities, and of rows, that no block of M or G splits.
struct MatrixBlocks {
  BlockGraph graph;
  std::vector<int> first;  ///< first unknown of each node; velocities come first, then rows

  /// @param scaling  computed for this matrix; decides which masses are too light to stand alone
  MatrixBlocks(const AugmentedMatrix& matrix, const Equilibration& scaling);
};

/// Elimination of [M G^T; G 0] block by block in the order of a plan, without interchanges but inside of indefinite
/// pivots. A pivot A_k (L D L^T) and its coupling B_k with what comes later stand in one record, and
///
///   A_later -= B_k A_k^-1 B_k^T
///
/// goes straight to places that were laid down in the plan. Loops are compiled for pivots of 1 to 6 unknowns whose
/// neighbours have one size (2, 3, 5, 6, ...); pairs of other sizes take loops of any length. Nothing is allocated
/// after construction, nothing is searched.
class GraphElimination {
 public:
  GraphElimination(const MatrixBlocks& blocks, const EliminationPlan& plan, const AugmentedMatrix& matrix,
                   const Equilibration& scaling);

  /// @param M, G  the values of the two matrices
  /// @return an unknown of the pivot that is singular or has lost its sign, or -1
  int factor(const double* M, const double* G);
  /// Whether a pivot was small against the largest, so that a step of iterative refinement is worth it.
  bool is_delicate() const { return is_delicate_; }
  /// f and w, g and lambda may be one vector.
  void solve(const double* f, const double* g, double* w, double* lambda);

 private:
  struct Kernel;
  struct Pivot {
    int size = 0, height = 0;
    int first_neighbour = 0, neighbours = 0;
    std::size_t record = 0;  ///< the pivot, size x size; then the coupling, height x size
    std::size_t target = 0;  ///< first of neighbours (neighbours + 1) / 2 places
    int x = 0;               ///< first of its unknowns
    int first_row = 0;       ///< of an indefinite one, in scale_, row_ and column_
  };
  struct Neighbour {
    int x = 0, size = 0;
  };
  /// Consecutive pivots with one kernel and sign.
  struct Run {
    int first = 0, last = 0;
    bool is_negative = false;
    const Kernel* kernel = nullptr;
  };
  struct Kernel {
    void (*factor)(GraphElimination&, const Run&);
    void (*forward)(GraphElimination&, const Run&);
    void (*backward)(GraphElimination&, const Run&);
  };
  /// Sizes of scaled pivots.
  struct Extremes {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  };
  /// `count` consecutive values of a matrix go to places `stride` apart.
  struct Copy {
    std::size_t from = 0, to = 0;
    int count = 1, stride = 1;
  };

  template <int Size, int Neighbour>
  struct Definite;
  struct Indefinite;
  template <class Kind>
  static const Kernel* kernel_of();
  template <int Size>
  static const Kernel* definite_kernel(int neighbour_size);
  static const Kernel* choose_kernel(const Pivot& pivot, bool definite, int neighbour_size);

  void lay_records(const MatrixBlocks& blocks, const EliminationPlan& plan);
  void lay_targets();
  void choose_kernels(const EliminationPlan& plan);
  void lay_copies(const BlockMatrix& matrix, bool is_mass, std::vector<Copy>& copies) const;
  static bool is_dense(const EliminationPlan::Pivot& pivot);
  std::size_t place_of(int x, int column) const;

  void copy(const double* from, const std::vector<Copy>& copies);
  void solve_pivot(const Pivot& pivot, double* x) const;
  int unknown_at(int place) const;
  int bad_place() const;

  double* record(const Pivot& pivot) { return values_.data() + pivot.record; }

  int velocities_ = 0;
  std::vector<Pivot> pivots_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::size_t> targets_;
  std::vector<Run> runs_;
  std::vector<Copy> mass_copies_, row_copies_;
  std::vector<int> place_;            ///< by unknown: its place in x_
  std::vector<int> pivot_of_;         ///< by place in x_
  std::vector<double> significance_;  ///< by place in x_: squared scale, so that pivots can be compared
  std::vector<double> values_, x_, work_;
  std::vector<double> scale_;  ///< of indefinite pivots, one after another
  std::vector<int> row_, column_;
  std::array<Extremes, 2> extremes_;  ///< of positive and of negative pivots: each other's inverses, by their size
  bool is_regular_ = true, is_delicate_ = false;
  int failed_pivot_ = -1;
};

}  // namespace linkwork
