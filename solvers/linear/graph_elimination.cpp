#include <linkwork/solvers/linear/graph_elimination.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/linear/complete_pivoting.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace linkwork {

namespace {

using detail::at;

constexpr int largest_compiled_pivot = 6;

/// Which of `count` unknowns stand in one block with the unknown after them.
class Runs {
 public:
  explicit Runs(int count) : joined_(at(count), 0) {}
  void add(int first, int size) { std::fill_n(joined_.begin() + first, size - 1, 1); }
  template <class Visit>
  void for_each(Visit&& visit) const {
    const int count = static_cast<int>(joined_.size());
    for (int first = 0; first < count;) {
      int last = first;
      while (last + 1 < count && joined_[at(last)]) ++last;
      visit(first, last + 1 - first);
      first = last + 1;
    }
  }

 private:
  std::vector<char> joined_;
};

/// Whether a block of M is definite by itself, with pivots that are neither small nor light.
bool is_safely_definite(Eigen::MatrixXd A, const double* scale) {
  const Eigen::VectorXd diagonal = A.diagonal();
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    if (!(A(k, k) > safe_pivot * diagonal[k] && A(k, k) * scale[k] * scale[k] > safe_pivot)) return false;
    for (Eigen::Index i = k + 1; i < A.rows(); ++i)
      A.row(i).tail(A.rows() - k - 1) -= A(i, k) / A(k, k) * A.row(k).tail(A.rows() - k - 1);
  }
  return true;
}

}  // namespace

MatrixBlocks::MatrixBlocks(const AugmentedMatrix& matrix, const Equilibration& scaling) {
  const BlockMatrix &M = *matrix.M, &G = *matrix.G;
  const int nv = M.rows();
  Runs velocities(nv), rows(G.rows());
  for (const BlockMatrix::Block& block : M.blocks()) {
    velocities.add(block.row, block.height);
    velocities.add(block.column, block.width);
  }
  for (const BlockMatrix::Block& block : G.blocks()) {
    velocities.add(block.column, block.width);
    rows.add(block.row, block.height);
  }
  std::vector<int> node_of(at(nv + G.rows()));
  const auto add_node = [&](int start, int size, BlockGraph::Kind kind) {
    std::fill_n(node_of.begin() + start, size, static_cast<int>(graph.nodes.size()));
    graph.nodes.push_back({size, kind});
    first.push_back(start);
  };
  velocities.for_each([&](int start, int size) { add_node(start, size, BlockGraph::Kind::definite); });
  rows.for_each([&](int start, int size) { add_node(nv + start, size, BlockGraph::Kind::constraint); });

  std::vector<Eigen::MatrixXd> mass;
  for (const BlockGraph::Node& node : graph.nodes)
    if (node.kind == BlockGraph::Kind::definite) mass.push_back(Eigen::MatrixXd::Zero(node.size, node.size));
  std::set<std::array<int, 2>> coupled;
  for (std::size_t b = 0; b < M.blocks().size(); ++b) {
    const BlockMatrix::Block& block = M.blocks()[b];
    const int row = node_of[at(block.row)], column = node_of[at(block.column)];
    if (row != column) {
      coupled.insert({std::min(row, column), std::max(row, column)});
      continue;
    }
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> values(
        M.values(static_cast<int>(b)), block.height, block.width);
    mass[at(row)].block(block.row - first[at(row)], block.column - first[at(row)], block.height, block.width) = values;
  }
  for (const BlockMatrix::Block& block : G.blocks())
    coupled.insert({node_of[at(block.column)], node_of[at(nv + block.row)]});
  graph.edges.assign(coupled.begin(), coupled.end());
  for (std::size_t node = 0; node < mass.size(); ++node)
    if (!is_safely_definite(std::move(mass[node]), scaling.factors().data() + first[node]))
      graph.nodes[node].kind = BlockGraph::Kind::weak;
}

/// Pivots of `Size` unknowns, all of whose neighbours have `Size2` unknowns; 0: any. A record holds L (strictly lower)
/// and D^-1 (diagonal), row by row, then B L^-T, row by row.
template <int Size, int Size2>
struct GraphElimination::Definite {
  static int neighbour_size(const Neighbour& neighbour) { return Size2 > 0 ? Size2 : neighbour.size; }

  /// target -= W Y^T
  static void update(double* __restrict target, int rows, int columns, const double* __restrict W,
                     const double* __restrict Y) {
    for (int a = 0; a < rows; ++a)
      for (int b = 0; b < columns; ++b) {
        double sum = target[a * columns + b];
        for (int k = 0; k < Size; ++k) sum -= W[a * Size + k] * Y[b * Size + k];
        target[a * columns + b] = sum;
      }
  }

  [[gnu::flatten]] static void factor(GraphElimination& self, const Run& run) {
    Extremes& extremes = self.extremes_[run.is_negative];
    const double sign = run.is_negative ? -1 : 1;
    double smallest = extremes.smallest, largest = extremes.largest;
    bool regular = true;
    double* __restrict W = self.work_.data();
    for (int p = run.first; p < run.last; ++p) {
      const Pivot& pivot = self.pivots_[at(p)];
      double* __restrict D = self.record(pivot);
      const double* significance = self.significance_.data() + pivot.x;
      double A[Size][Size], inverse[Size];
      for (int i = 0; i < Size; ++i)
        for (int j = 0; j <= i; ++j) A[i][j] = D[i * Size + j];
      for (int k = 0; k < Size; ++k) {
        const double size = A[k][k] * sign * significance[k];
        regular = regular && size > 0;
        smallest = std::min(smallest, size);
        largest = std::max(largest, size);
        inverse[k] = 1 / A[k][k];
        for (int i = k + 1; i < Size; ++i) {
          const double l = A[i][k] * inverse[k];
          for (int j = k + 1; j <= i; ++j) A[i][j] -= l * A[j][k];
          D[i * Size + k] = l;
        }
        D[k * Size + k] = inverse[k];
        for (int i = k + 1; i < Size; ++i) A[i][k] = D[i * Size + k];
      }
      double* __restrict Y = D + Size * Size;
      for (int r = 0; r < pivot.height; ++r) {
        double y[Size];
        for (int k = 0; k < Size; ++k) {
          y[k] = Y[r * Size + k];
          for (int i = 0; i < k; ++i) y[k] -= A[k][i] * y[i];
        }
        for (int k = 0; k < Size; ++k) {
          Y[r * Size + k] = y[k];
          W[r * Size + k] = y[k] * inverse[k];
        }
      }
      const std::size_t* target = self.targets_.data() + pivot.target;
      const Neighbour* neighbours = self.neighbours_.data() + pivot.first_neighbour;
      const double* Yj = Y;
      const double* Wj = W;
      for (int j = 0; j < pivot.neighbours; ++j) {
        const int columns = neighbour_size(neighbours[j]);
        const double* Wi = Wj;
        for (int i = j; i < pivot.neighbours; ++i) {
          const int rows = neighbour_size(neighbours[i]);
          update(self.values_.data() + *target++, rows, columns, Wi, Yj);
          Wi += rows * Size;
        }
        Yj += columns * Size;
        Wj += columns * Size;
      }
    }
    extremes = {smallest, largest};
    self.is_regular_ = self.is_regular_ && regular;
  }

  [[gnu::flatten]] static void forward(GraphElimination& self, const Run& run) {
    for (int p = run.first; p < run.last; ++p) {
      const Pivot& pivot = self.pivots_[at(p)];
      const double* D = self.record(pivot);
      double* x = self.x_.data() + pivot.x;
      double y[Size], z[Size];
      for (int k = 0; k < Size; ++k) {
        y[k] = x[k];
        for (int i = 0; i < k; ++i) y[k] -= D[k * Size + i] * y[i];
      }
      for (int k = 0; k < Size; ++k) {
        x[k] = y[k];
        z[k] = y[k] * D[k * Size + k];
      }
      const double* Y = D + Size * Size;
      const Neighbour* neighbours = self.neighbours_.data() + pivot.first_neighbour;
      for (int j = 0; j < pivot.neighbours; ++j) {
        const int rows = neighbour_size(neighbours[j]);
        double* later = self.x_.data() + neighbours[j].x;
        for (int a = 0; a < rows; ++a, Y += Size)
          for (int k = 0; k < Size; ++k) later[a] -= Y[k] * z[k];
      }
    }
  }

  [[gnu::flatten]] static void backward(GraphElimination& self, const Run& run) {
    for (int p = run.last - 1; p >= run.first; --p) {
      const Pivot& pivot = self.pivots_[at(p)];
      const double* D = self.record(pivot);
      double* x = self.x_.data() + pivot.x;
      double y[Size];
      for (int k = 0; k < Size; ++k) y[k] = x[k];
      const double* Y = D + Size * Size;
      const Neighbour* neighbours = self.neighbours_.data() + pivot.first_neighbour;
      for (int j = 0; j < pivot.neighbours; ++j) {
        const int rows = neighbour_size(neighbours[j]);
        const double* later = self.x_.data() + neighbours[j].x;
        for (int a = 0; a < rows; ++a, Y += Size)
          for (int k = 0; k < Size; ++k) y[k] -= Y[k] * later[a];
      }
      for (int k = 0; k < Size; ++k) y[k] *= D[k * Size + k];
      for (int k = Size - 1; k >= 0; --k)
        for (int i = 0; i < k; ++i) y[i] -= D[k * Size + i] * y[k];
      for (int k = 0; k < Size; ++k) x[k] = y[k];
    }
  }
};

/// Pivots of any size and sign. A record holds the factors of A_k, then B A_k^-1, row by row.
struct GraphElimination::Indefinite {
  static void factor(GraphElimination& self, const Run& run) {
    for (int p = run.first; p < run.last; ++p) {
      const Pivot& pivot = self.pivots_[at(p)];
      const int n = pivot.size;
      double* A = self.record(pivot);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) A[j * n + i] = A[i * n + j];
      for (int i = 0; i < n; ++i) self.scale_[at(pivot.first_row + i)] = std::sqrt(self.significance_[at(pivot.x + i)]);
      const double ratio =
          factor_with_complete_pivoting(n, A, self.scale_.data() + pivot.first_row, self.row_.data() + pivot.first_row,
                                        self.column_.data() + pivot.first_row);
      if (ratio == 0 && self.failed_pivot_ < 0) self.failed_pivot_ = p;
      self.is_delicate_ = self.is_delicate_ || ratio < safe_pivot;
      double* X = A + n * n;
      double* B = self.work_.data();
      std::copy_n(X, pivot.height * n, B);
      for (int r = 0; r < pivot.height; ++r) self.solve_pivot(pivot, X + r * n);
      const std::size_t* target = self.targets_.data() + pivot.target;
      const Neighbour* neighbours = self.neighbours_.data() + pivot.first_neighbour;
      for (int j = 0, column = 0; j < pivot.neighbours; column += neighbours[j++].size)
        for (int i = j, row = column; i < pivot.neighbours; row += neighbours[i++].size) {
          double* to = self.values_.data() + *target++;
          for (int a = row; a < row + neighbours[i].size; ++a)
            for (int b = column; b < column + neighbours[j].size; ++b, ++to)
              for (int k = 0; k < n; ++k) *to -= X[a * n + k] * B[b * n + k];
        }
    }
  }

  static void forward(GraphElimination& self, const Run& run) {
    for (int p = run.first; p < run.last; ++p) {
      const Pivot& pivot = self.pivots_[at(p)];
      const double* x = self.x_.data() + pivot.x;
      const double* X = self.record(pivot) + pivot.size * pivot.size;
      const Neighbour* neighbours = self.neighbours_.data() + pivot.first_neighbour;
      for (int j = 0; j < pivot.neighbours; ++j)
        for (int a = 0; a < neighbours[j].size; ++a, X += pivot.size)
          for (int k = 0; k < pivot.size; ++k) self.x_[at(neighbours[j].x + a)] -= X[k] * x[k];
    }
  }

  static void backward(GraphElimination& self, const Run& run) {
    for (int p = run.last - 1; p >= run.first; --p) {
      const Pivot& pivot = self.pivots_[at(p)];
      double* x = self.x_.data() + pivot.x;
      self.solve_pivot(pivot, x);
      const double* X = self.record(pivot) + pivot.size * pivot.size;
      const Neighbour* neighbours = self.neighbours_.data() + pivot.first_neighbour;
      for (int j = 0; j < pivot.neighbours; ++j)
        for (int a = 0; a < neighbours[j].size; ++a, X += pivot.size)
          for (int k = 0; k < pivot.size; ++k) x[k] -= X[k] * self.x_[at(neighbours[j].x + a)];
    }
  }
};

void GraphElimination::solve_pivot(const Pivot& pivot, double* x) const {
  solve_with_complete_pivoting(pivot.size, values_.data() + pivot.record, scale_.data() + pivot.first_row,
                               row_.data() + pivot.first_row, column_.data() + pivot.first_row, x);
}

template <class Kind>
auto GraphElimination::kernel_of() -> const Kernel* {
  static constexpr Kernel kernel{Kind::factor, Kind::forward, Kind::backward};
  return &kernel;
}

template <int Size>
auto GraphElimination::definite_kernel(int neighbour_size) -> const Kernel* {
  switch (neighbour_size) {
    case 1:
      return kernel_of<Definite<Size, 1>>();
    case 2:
      return kernel_of<Definite<Size, 2>>();
    case 3:
      return kernel_of<Definite<Size, 3>>();
    case 5:
      return kernel_of<Definite<Size, 5>>();
    case 6:
      return kernel_of<Definite<Size, 6>>();
    default:
      return kernel_of<Definite<Size, 0>>();
  }
}

/// @param neighbour_size  of all neighbours; 0 if they differ
auto GraphElimination::choose_kernel(const Pivot& pivot, bool definite, int neighbour_size) -> const Kernel* {
  if (!definite) return kernel_of<Indefinite>();
  switch (pivot.size) {
    case 1:
      return definite_kernel<1>(neighbour_size);
    case 2:
      return definite_kernel<2>(neighbour_size);
    case 3:
      return definite_kernel<3>(neighbour_size);
    case 4:
      return definite_kernel<4>(neighbour_size);
    case 5:
      return definite_kernel<5>(neighbour_size);
    default:
      return definite_kernel<6>(neighbour_size);
  }
}

GraphElimination::GraphElimination(const MatrixBlocks& blocks, const EliminationPlan& plan,
                                   const AugmentedMatrix& matrix, const Equilibration& scaling)
    : velocities_(matrix.M->rows()) {
  lay_records(blocks, plan);
  lay_targets();
  choose_kernels(plan);
  significance_.resize(x_.size());
  for (std::size_t unknown = 0; unknown < place_.size(); ++unknown) {
    const double scale = scaling.factors()[static_cast<Eigen::Index>(unknown)];
    significance_[at(place_[unknown])] = scale * scale;
  }
  lay_copies(*matrix.M, true, mass_copies_);
  lay_copies(*matrix.G, false, row_copies_);
}

void GraphElimination::lay_records(const MatrixBlocks& blocks, const EliminationPlan& plan) {
  std::size_t unknowns = 0, work = 0, entries = 0, targets = 0;
  int rows = 0;
  for (const BlockGraph::Node& node : blocks.graph.nodes) unknowns += at(node.size);
  place_.resize(unknowns);
  pivot_of_.resize(unknowns);
  x_.resize(unknowns);
  int x = 0;
  for (const EliminationPlan::Pivot& from : plan.pivots) {
    Pivot to;
    to.size = from.size;
    to.height = from.height;
    to.first_neighbour = from.first_neighbour;
    to.neighbours = from.neighbours;
    to.record = entries;
    to.target = targets;
    to.x = x;
    to.first_row = rows;
    std::fill_n(pivot_of_.begin() + x, from.size, static_cast<int>(pivots_.size()));
    for (int m = from.first_member; m < from.first_member + from.members; ++m) {
      const int node = plan.member[at(m)];
      for (int i = 0; i < blocks.graph.nodes[at(node)].size; ++i) place_[at(blocks.first[at(node)] + i)] = x++;
    }
    entries += at(to.size * (to.size + to.height));
    targets += at(to.neighbours * (to.neighbours + 1) / 2);
    work = std::max(work, at(to.size * to.height));
    if (is_dense(from)) rows += from.size;
    pivots_.push_back(to);
  }
  for (const int neighbour : plan.neighbour)
    neighbours_.push_back({pivots_[at(neighbour)].x, pivots_[at(neighbour)].size});
  values_.resize(entries);
  targets_.reserve(targets);
  work_.resize(work);
  scale_.resize(at(rows));
  row_.resize(at(rows));
  column_.resize(at(rows));
}

bool GraphElimination::is_dense(const EliminationPlan::Pivot& pivot) {
  return pivot.sign == EliminationPlan::Sign::indefinite || pivot.size > largest_compiled_pivot;
}

/// Where row x of [M G^T; G 0] and the column of an unknown that goes earlier, or with it, stand in the records.
std::size_t GraphElimination::place_of(int x, int column) const {
  const Pivot& pivot = pivots_[at(pivot_of_[at(column)])];
  std::size_t row = 0;
  if (x < pivot.x + pivot.size) {
    row = at(x - pivot.x);
  } else {
    // The neighbour that has it: they are sorted by their places.
    const auto begin = neighbours_.begin() + pivot.first_neighbour, end = begin + pivot.neighbours;
    row = at(pivot.size + x);
    auto neighbour = begin;
    for (; neighbour != end && neighbour->x + neighbour->size <= x; ++neighbour) row += at(neighbour->size);
    row -= at(neighbour->x);
  }
  return pivot.record + row * at(pivot.size) + at(column - pivot.x);
}

void GraphElimination::lay_targets() {
  for (const Pivot& pivot : pivots_)
    for (int j = pivot.first_neighbour; j < pivot.first_neighbour + pivot.neighbours; ++j)
      for (int i = j; i < pivot.first_neighbour + pivot.neighbours; ++i)
        targets_.push_back(place_of(neighbours_[at(i)].x, neighbours_[at(j)].x));
}

void GraphElimination::choose_kernels(const EliminationPlan& plan) {
  for (int p = 0; p < static_cast<int>(pivots_.size()); ++p) {
    const Pivot& pivot = pivots_[at(p)];
    int neighbour_size = pivot.neighbours > 0 ? neighbours_[at(pivot.first_neighbour)].size : 1;
    for (int j = pivot.first_neighbour; j < pivot.first_neighbour + pivot.neighbours; ++j)
      if (neighbours_[at(j)].size != neighbour_size) neighbour_size = 0;
    const Kernel* kernel = choose_kernel(pivot, !is_dense(plan.pivots[at(p)]), neighbour_size);
    const bool is_negative = plan.pivots[at(p)].sign == EliminationPlan::Sign::negative;
    if (runs_.empty() || runs_.back().kernel != kernel || runs_.back().is_negative != is_negative)
      runs_.push_back({p, p, is_negative, kernel});
    runs_.back().last = p + 1;
  }
}

/// Of a block on the diagonal of the records the lower triangle is read; of M that is what stands there.
void GraphElimination::lay_copies(const BlockMatrix& matrix, bool is_mass, std::vector<Copy>& copies) const {
  for (const BlockMatrix::Block& block : matrix.blocks())
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j) {
        const int row = place_[at(block.row + i + (is_mass ? 0 : velocities_))], column = place_[at(block.column + j)];
        if (is_mass && row < column) continue;  // its mirror image is copied
        Copy copy;
        copy.from = block.offset + at(i * block.width + j);
        copy.to = place_of(std::max(row, column), std::min(row, column));
        if (!copies.empty()) {
          Copy& last = copies.back();
          const auto step = static_cast<int>(copy.to) - static_cast<int>(last.to) - (last.count - 1) * last.stride;
          const bool continues = copy.from == last.from + at(last.count);
          if (continues && step > 0 && (last.count == 1 || step == last.stride)) {
            last.stride = step;
            ++last.count;
            continue;
          }
        }
        copies.push_back(copy);
      }
}

void GraphElimination::copy(const double* from, const std::vector<Copy>& copies) {
  for (const Copy& each : copies) {
    const double* source = from + each.from;
    double* target = values_.data() + each.to;
    for (int i = 0; i < each.count; ++i) target[i * each.stride] = source[i];
  }
}

int GraphElimination::factor(const double* M, const double* G) {
  std::fill(values_.begin(), values_.end(), 0.0);
  copy(M, mass_copies_);
  copy(G, row_copies_);
  extremes_ = {};
  is_regular_ = true;
  is_delicate_ = false;
  failed_pivot_ = -1;
  for (const Run& run : runs_) run.kernel->factor(*this, run);
  if (failed_pivot_ >= 0) return unknown_at(pivots_[at(failed_pivot_)].x);
  for (const Extremes& each : extremes_) {
    is_regular_ = is_regular_ && !(each.smallest < singular_pivot * each.largest);
    is_delicate_ = is_delicate_ || each.smallest < delicate_pivot * each.largest;
  }
  return is_regular_ ? -1 : unknown_at(bad_place());
}

int GraphElimination::unknown_at(int place) const {
  return static_cast<int>(std::find(place_.begin(), place_.end(), place) - place_.begin());
}

/// The first unknown whose pivot has the wrong sign, is not finite, or is too small.
int GraphElimination::bad_place() const {
  for (const Run& run : runs_) {
    if (run.kernel == kernel_of<Indefinite>()) continue;
    for (int p = run.first; p < run.last; ++p) {
      const Pivot& pivot = pivots_[at(p)];
      for (int k = 0; k < pivot.size; ++k) {
        const double inverse = values_[pivot.record + at(k * pivot.size + k)];
        const double size = (run.is_negative ? -1 : 1) / inverse * significance_[at(pivot.x + k)];
        if (!(size > singular_pivot * extremes_[run.is_negative].largest)) return pivot.x + k;
      }
    }
  }
  return 0;
}

void GraphElimination::solve(const double* f, const double* g, double* w, double* lambda) {
  const int unknowns = static_cast<int>(place_.size()), rows = unknowns - velocities_;
  for (int i = 0; i < velocities_; ++i) x_[at(place_[at(i)])] = f[i];
  for (int i = 0; i < rows; ++i) x_[at(place_[at(velocities_ + i)])] = g[i];
  for (const Run& run : runs_) run.kernel->forward(*this, run);
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) run->kernel->backward(*this, *run);
  for (int i = 0; i < velocities_; ++i) w[i] = x_[at(place_[at(i)])];
  for (int i = 0; i < rows; ++i) lambda[i] = x_[at(place_[at(velocities_ + i)])];
}

}  // namespace linkwork
