#pragma once

#include <linkwork/solvers/linear/pair_factors.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

// Included by the files that instantiate the elimination for one width of blocks only.

namespace linkwork {

template <int Width>
class BlockTreeElimination final : public TreeElimination {
 public:
  explicit BlockTreeElimination(TreePlan plan);

  int factor(const double* M, const double* G) override;
  void solve(const double* f, const double* g, double* w, double* lambda) override;
  void pass_force(int node, const double* force, double* father_force, double* w) const override;
  int width() const override { return Width; }
  bool is_delicate() const override { return is_delicate_; }

 private:
  static constexpr int packed = Width * (Width + 1) / 2;  ///< lower triangle of M^, row by row
  static constexpr int pair_width = 2 * Width;            ///< unknowns of a node and its joint

  struct Kernel;
  /// Consecutive labels with nodes of one shape.
  struct Run {
    int first = 0, last = 0;
    const Kernel* kernel = nullptr;
    std::size_t record = 0;  ///< of the first node, in records_
  };
  /// The elimination of nodes of one shape, chosen once, so that no shape is looked up in the loops.
  struct Kernel {
    int record_size;
    int (*factor)(BlockTreeElimination&, const Run&, const double* M, const double* G);
    void (*forward)(BlockTreeElimination&, const Run&, const double* f, const double* g);
    void (*backward)(BlockTreeElimination&, const Run&, double* w, double* lambda);
    void (*pass_force)(const double* record, const double* force, double* father_force, double* w);
  };
  /// A node eliminated with its joint.
  struct Pair {
    PairFactors factors;           ///< of A = [M^ G_k^T; G_k 0]
    double C[Width * Width];       ///< rows on the father
    double X[pair_width * Width];  ///< A^-1 [0; C], column by column
    double y[pair_width];          ///< A^-1 [f; g]
  };

  template <int Size, int Rows>
  struct Shape;
  template <int Size, int Rows>
  static const Kernel* kernel_of();
  static const Kernel* pair_kernel();
  static const Kernel* choose_kernel(int size, int rows);

  static int factor_pairs(BlockTreeElimination& self, const Run& run, const double* M, const double* G);
  static void forward_pairs(BlockTreeElimination& self, const Run& run, const double* f, const double* g);
  static void backward_pairs(BlockTreeElimination& self, const Run& run, double* w, double* lambda);

  bool factor_pair(int node, const double* M, const double* G);
  void forward_pair(int node, const double* f, const double* g);
  void backward_pair(int node, double* w, double* lambda);
  void pass_force_pair(int node, const double* force, double* father_force, double* w) const;

  double* mass(int slot) { return mass_.data() + slot * packed; }
  double* force(int slot) { return force_.data() + slot * Width; }
  double* acceleration(int slot) { return acceleration_.data() + slot * Width; }
  const TreePlan::Node& node(int k) const { return plan_.nodes[static_cast<std::size_t>(k)]; }
  bool& is_pair(int k) { return is_pair_[k]; }

  /// One row of G on the node's father: Width numbers, zeros behind the father's size and on the ground.
  void read_father_row(const TreePlan::Node& at, int row, const double* G, double* C) const {
    const int offset = plan_.father[static_cast<std::size_t>(at.first_row + row)];
    if (offset >= 0 && at.father_size == Width) {
      for (int c = 0; c < Width; ++c) C[c] = G[offset + c];
    } else {
      for (int c = 0; c < Width; ++c) C[c] = offset >= 0 && c < at.father_size ? G[offset + c] : 0.0;
    }
  }

  TreePlan plan_;
  std::vector<Run> runs_;
  std::vector<double> records_;
  std::vector<double> mass_;          ///< by slot: what the sons add to M^
  std::vector<double> force_;         ///< by slot: what the sons take from f; then y = D^-1 L^-1 f
  std::vector<double> acceleration_;  ///< by slot: w
  std::vector<double> joint_;         ///< by row: N^-1 (Q^T y - R^-T g)
  std::unique_ptr<bool[]> is_pair_;
  std::unique_ptr<Pair[]> pairs_;  ///< touched for nodes that are pairs only
  bool is_delicate_ = false;
  std::vector<std::size_t> record_of_;
  std::vector<const Kernel*> kernel_of_;
};

/// The elimination of one node of `Size` freedoms with `Rows` rows, all loops of fixed length. A record holds
/// L (strictly lower, row by row), D^-1, P = D^-1 Q (by row of G), N^-1, R (strictly upper, column by column), E = N^-1
/// C.
template <int Width>
template <int Size, int Rows>
struct BlockTreeElimination<Width>::Shape {
  static constexpr int lower = Size * (Size - 1) / 2, upper = Rows * (Rows - 1) / 2;
  static constexpr int at_D = lower, at_P = at_D + Size, at_N = at_P + Rows * Size, at_R = at_N + Rows,
                       at_E = at_R + upper, record_size = at_E + Rows * Width;

  static constexpr int strict(int i, int j) { return i * (i - 1) / 2 + j; }

  /// @return whether the node could be eliminated without its joint
  [[gnu::always_inline]] static bool eliminate(const double* light, const double* mass, const double* son_mass,
                                               const double (&G)[Rows + 1][Size], double (&C)[Rows + 1][Width],
                                               double* record, double* father_mass) {
    double A[Size][Size], L[Size][Size], inverse[Size];
    bool safe = true;
    for (int i = 0; i < Size; ++i)
      for (int j = 0; j <= i; ++j) A[i][j] = son_mass[i * (i + 1) / 2 + j] + (mass ? mass[i * Size + j] : 0.0);
    double diagonal[Size];
    for (int i = 0; i < Size; ++i) diagonal[i] = A[i][i];
    for (int k = 0; k < Size; ++k) {
      safe = safe && A[k][k] > safe_pivot * diagonal[k] && A[k][k] > light[k];
      inverse[k] = 1 / A[k][k];
      for (int i = k + 1; i < Size; ++i) {
        L[i][k] = A[i][k] * inverse[k];
        for (int j = k + 1; j <= i; ++j) A[i][j] -= L[i][k] * A[j][k];
      }
    }
    double Q[Rows + 1][Size], P[Rows + 1][Size], norm[Rows + 1];
    for (int a = 0; a < Rows; ++a) {
      norm[a] = 0;
      for (int i = 0; i < Size; ++i) {
        Q[a][i] = G[a][i];
        for (int j = 0; j < i; ++j) Q[a][i] -= L[i][j] * Q[a][j];
        P[a][i] = Q[a][i] * inverse[i];
        norm[a] += Q[a][i] * P[a][i];
      }
    }
    for (int a = 0; a < Rows; ++a) {
      double N = norm[a];
      if (a > 0) {
        N = 0;
        for (int i = 0; i < Size; ++i) N += Q[a][i] * P[a][i];
      }
      safe = safe && N > safe_pivot * norm[a];
      const double inverse_N = 1 / N;
      record[at_N + a] = inverse_N;
      for (int c = a + 1; c < Rows; ++c) {
        double R = 0;
        for (int i = 0; i < Size; ++i) R += Q[c][i] * P[a][i];
        R *= inverse_N;
        for (int i = 0; i < Size; ++i) {
          Q[c][i] -= R * Q[a][i];
          P[c][i] -= R * P[a][i];
        }
        for (int i = 0; i < Width; ++i) C[c][i] -= R * C[a][i];
        record[at_R + strict(c, a)] = R;
      }
      for (int i = 0; i < Size; ++i) record[at_P + a * Size + i] = P[a][i];
      for (int i = 0; i < Width; ++i) record[at_E + a * Width + i] = C[a][i] * inverse_N;
    }
    for (int i = 0; i < Size; ++i) {
      record[at_D + i] = inverse[i];
      for (int j = 0; j < i; ++j) record[strict(i, j)] = L[i][j];
    }
    if (safe && Rows > 0) {
      for (int i = 0; i < Width; ++i)
        for (int j = 0; j <= i; ++j) {
          double sum = father_mass[i * (i + 1) / 2 + j];
          for (int a = 0; a < Rows; ++a) sum += C[a][i] * record[at_E + a * Width + j];
          father_mass[i * (i + 1) / 2 + j] = sum;
        }
    }
    return safe;
  }

  [[gnu::flatten]] static int factor(BlockTreeElimination& self, const Run& run, const double* M, const double* G) {
    double* record = self.records_.data() + run.record + static_cast<std::size_t>((run.last - run.first) * record_size);
    for (int k = run.last; k >= run.first; --k, record -= record_size) {
      const TreePlan::Node& at = self.node(k);
      const int* own = self.plan_.own.data() + at.first_row;
      double own_rows[Rows + 1][Size], C[Rows + 1][Width];
      for (int a = 0; a < Rows; ++a) {
        for (int i = 0; i < Size; ++i) own_rows[a][i] = G[own[a] + i];
        self.read_father_row(at, a, G, C[a]);
      }
      const bool safe = eliminate(self.plan_.light.data() + at.column, at.mass >= 0 ? M + at.mass : nullptr,
                                  self.mass(k + 1), own_rows, C, record, self.mass(at.father));
      self.is_pair(k) = !safe;
      if (!safe && !self.factor_pair(k, M, G)) return k;
    }
    return -1;
  }

  [[gnu::flatten]] static void forward(BlockTreeElimination& self, const Run& run, const double* f, const double* g) {
    const double* record =
        self.records_.data() + run.record + static_cast<std::size_t>((run.last - run.first) * record_size);
    for (int k = run.last; k >= run.first; --k, record -= record_size) {
      if (self.is_pair(k)) {
        self.forward_pair(k, f, g);
        continue;
      }
      const TreePlan::Node& at = self.node(k);
      double* stored = self.force(k + 1);
      double force[Size], joint[Rows + 1];
      for (int i = 0; i < Size; ++i) force[i] = f[at.column + i] - stored[i];
      for (int i = 0; i < Size; ++i)
        for (int j = 0; j < i; ++j) force[i] -= record[strict(i, j)] * force[j];
      for (int i = 0; i < Size; ++i) stored[i] = force[i] * record[at_D + i];
      const int* row = self.plan_.row.data() + at.first_row;
      double* kept = self.joint_.data() + at.first_row;
      double t[Rows + 1];
      for (int a = 0; a < Rows; ++a) {
        t[a] = g[row[a]];
        for (int b = 0; b < a; ++b) t[a] -= record[at_R + strict(a, b)] * t[b];
        joint[a] = -t[a];
        for (int i = 0; i < Size; ++i) joint[a] += record[at_P + a * Size + i] * force[i];
        kept[a] = joint[a] * record[at_N + a];
      }
      if (Rows > 0) {
        double* father = self.force(at.father);
        for (int i = 0; i < Width; ++i) {
          double sum = father[i];
          for (int a = 0; a < Rows; ++a) sum += record[at_E + a * Width + i] * joint[a];
          father[i] = sum;
        }
      }
    }
  }

  [[gnu::flatten]] static void backward(BlockTreeElimination& self, const Run& run, double* w, double* lambda) {
    const double* record = self.records_.data() + run.record;
    for (int k = run.first; k <= run.last; ++k, record += record_size) {
      if (self.is_pair(k)) {
        self.backward_pair(k, w, lambda);
        continue;
      }
      const TreePlan::Node& at = self.node(k);
      const double* father = self.acceleration(at.father);
      const double* y = self.force(k + 1);
      const double* kept = self.joint_.data() + at.first_row;
      const int* row = self.plan_.row.data() + at.first_row;
      double* own = self.acceleration(k + 1);
      double joint[Rows + 1], z[Size];
      for (int a = 0; a < Rows; ++a) {
        joint[a] = kept[a];
        for (int i = 0; i < Width; ++i) joint[a] += record[at_E + a * Width + i] * father[i];
      }
      for (int i = 0; i < Size; ++i) {
        z[i] = y[i];
        for (int a = 0; a < Rows; ++a) z[i] -= record[at_P + a * Size + i] * joint[a];
      }
      for (int i = Size - 1; i >= 0; --i) {
        for (int j = i + 1; j < Size; ++j) z[i] -= record[strict(j, i)] * z[j];
        own[i] = z[i];
        w[at.column + i] = z[i];
      }
      for (int a = Rows - 1; a >= 0; --a) {
        for (int b = a + 1; b < Rows; ++b) joint[a] -= record[at_R + strict(b, a)] * joint[b];
        lambda[row[a]] = joint[a];
      }
    }
  }

  static void pass_force(const double* record, const double* force_in, double* father_force, double* w) {
    double force[Size], z[Size];
    for (int i = 0; i < Size; ++i) {
      force[i] = force_in[i];
      for (int j = 0; j < i; ++j) force[i] -= record[strict(i, j)] * force[j];
      z[i] = force[i] * record[at_D + i];
    }
    for (int a = 0; a < Rows; ++a) {
      double joint = 0;
      for (int i = 0; i < Size; ++i) joint += record[at_P + a * Size + i] * force[i];
      for (int i = 0; i < Width; ++i) father_force[i] -= record[at_E + a * Width + i] * joint;
      joint *= record[at_N + a];
      for (int i = 0; i < Size; ++i) z[i] -= record[at_P + a * Size + i] * joint;
    }
    for (int i = Size - 1; i >= 0; --i) {
      for (int j = i + 1; j < Size; ++j) z[i] -= record[strict(j, i)] * z[j];
      w[i] = z[i];
    }
  }
};

template <int Width>
template <int Size, int Rows>
auto BlockTreeElimination<Width>::kernel_of() -> const Kernel* {
  using S = Shape<Size, Rows>;
  static const Kernel kernel{S::record_size, S::factor, S::forward, S::backward, S::pass_force};
  return &kernel;
}

/// For shapes without a kernel of their own: every node is a pair.
template <int Width>
auto BlockTreeElimination<Width>::pair_kernel() -> const Kernel* {
  static const Kernel kernel{0, factor_pairs, forward_pairs, backward_pairs, nullptr};
  return &kernel;
}

template <int Width>
int BlockTreeElimination<Width>::factor_pairs(BlockTreeElimination& self, const Run& run, const double* M,
                                              const double* G) {
  for (int k = run.last; k >= run.first; --k) {
    self.is_pair(k) = true;
    if (!self.factor_pair(k, M, G)) return k;
  }
  return -1;
}
template <int Width>
void BlockTreeElimination<Width>::forward_pairs(BlockTreeElimination& self, const Run& run, const double* f,
                                                const double* g) {
  for (int k = run.last; k >= run.first; --k) self.forward_pair(k, f, g);
}
template <int Width>
void BlockTreeElimination<Width>::backward_pairs(BlockTreeElimination& self, const Run& run, double* w,
                                                 double* lambda) {
  for (int k = run.first; k <= run.last; ++k) self.backward_pair(k, w, lambda);
}

template <int Width>
BlockTreeElimination<Width>::BlockTreeElimination(TreePlan plan) : plan_(std::move(plan)) {
  const std::size_t nodes = plan_.nodes.size(), slots = nodes + 1;
  std::size_t records = 0;
  for (std::size_t k = 0; k < nodes; ++k) {
    const Kernel* kernel = choose_kernel(plan_.nodes[k].size, plan_.nodes[k].rows);
    if (runs_.empty() || runs_.back().kernel != kernel) runs_.push_back({static_cast<int>(k), 0, kernel, records});
    runs_.back().last = static_cast<int>(k);
    kernel_of_.push_back(kernel);
    record_of_.push_back(records);
    records += static_cast<std::size_t>(kernel->record_size);
  }
  records_.assign(records, 0.0);
  mass_.assign(slots * packed, 0.0);
  force_.assign(slots * Width, 0.0);
  acceleration_.assign(slots * Width, 0.0);
  joint_.assign(plan_.row.size(), 0.0);
  is_pair_ = std::make_unique<bool[]>(nodes);
  pairs_ = std::make_unique_for_overwrite<Pair[]>(nodes);
}

template <int Width>
int BlockTreeElimination<Width>::factor(const double* M, const double* G) {
  std::fill(mass_.begin(), mass_.end(), 0.0);
  is_delicate_ = false;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    const int failed = run->kernel->factor(*this, *run, M, G);
    if (failed >= 0) return failed;
  }
  return -1;
}

template <int Width>
void BlockTreeElimination<Width>::solve(const double* f, const double* g, double* w, double* lambda) {
  std::fill(force_.begin(), force_.end(), 0.0);
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) run->kernel->forward(*this, *run, f, g);
  for (const Run& run : runs_) run.kernel->backward(*this, run, w, lambda);
}

template <int Width>
void BlockTreeElimination<Width>::pass_force(int k, const double* force, double* father_force, double* w) const {
  if (is_pair_[k])
    pass_force_pair(k, force, father_force, w);
  else
    kernel_of_[static_cast<std::size_t>(k)]->pass_force(records_.data() + record_of_[static_cast<std::size_t>(k)],
                                                        force, father_force, w);
}

template <int Width>
bool BlockTreeElimination<Width>::factor_pair(int k, const double* M, const double* G) {
  const TreePlan::Node& at = node(k);
  Pair& pair = pairs_[k];
  const int size = at.size, rows = at.rows, n = size + rows;
  const double* sons = mass(k + 1);
  double A[pair_width * pair_width], scale[pair_width];
  std::copy_n(plan_.scale.data() + at.column, size, scale);
  for (int a = 0; a < rows; ++a)
    scale[size + a] = plan_.scale[plan_.light.size() +
                                  static_cast<std::size_t>(plan_.row[static_cast<std::size_t>(at.first_row + a)])];
  for (int i = 0; i < size; ++i)
    for (int j = 0; j <= i; ++j)
      A[i * n + j] = A[j * n + i] = sons[i * (i + 1) / 2 + j] + (at.mass >= 0 ? M[at.mass + i * size + j] : 0.0);
  for (int a = 0; a < rows; ++a) {
    const double* own = G + plan_.own[static_cast<std::size_t>(at.first_row + a)];
    for (int i = 0; i < size; ++i) A[(size + a) * n + i] = A[i * n + size + a] = own[i];
    for (int b = 0; b < rows; ++b) A[(size + a) * n + size + b] = 0;
    read_father_row(at, a, G, pair.C + a * Width);
  }
  if (!pair.factors.factor(A, n, scale)) return false;
  is_delicate_ = is_delicate_ || pair.factors.pivot_ratio() < safe_pivot;
  double* father = mass(at.father);
  for (int c = 0; c < Width; ++c) {
    double* X = pair.X + c * n;
    std::fill(X, X + size, 0.0);
    for (int a = 0; a < rows; ++a) X[size + a] = pair.C[a * Width + c];
    pair.factors.solve(X);
    for (int i = c; i < Width; ++i)
      for (int a = 0; a < rows; ++a) father[i * (i + 1) / 2 + c] -= pair.C[a * Width + i] * X[size + a];
  }
  return true;
}

template <int Width>
void BlockTreeElimination<Width>::forward_pair(int k, const double* f, const double* g) {
  const TreePlan::Node& at = node(k);
  Pair& pair = pairs_[k];
  for (int i = 0; i < at.size; ++i) pair.y[i] = f[at.column + i] - force(k + 1)[i];
  for (int a = 0; a < at.rows; ++a) pair.y[at.size + a] = g[plan_.row[static_cast<std::size_t>(at.first_row + a)]];
  pair.factors.solve(pair.y);
  double* father = force(at.father);
  for (int a = 0; a < at.rows; ++a)
    for (int c = 0; c < Width; ++c) father[c] += pair.C[a * Width + c] * pair.y[at.size + a];
}

template <int Width>
void BlockTreeElimination<Width>::backward_pair(int k, double* w, double* lambda) {
  const TreePlan::Node& at = node(k);
  const Pair& pair = pairs_[k];
  const double* father = acceleration(at.father);
  const int n = at.size + at.rows;
  for (int i = 0; i < n; ++i) {
    double value = pair.y[i];
    for (int c = 0; c < Width; ++c) value -= pair.X[c * n + i] * father[c];
    if (i < at.size)
      acceleration(k + 1)[i] = w[at.column + i] = value;
    else
      lambda[plan_.row[static_cast<std::size_t>(at.first_row + i - at.size)]] = value;
  }
}

template <int Width>
void BlockTreeElimination<Width>::pass_force_pair(int k, const double* force, double* father_force, double* w) const {
  const TreePlan::Node& at = node(k);
  const Pair& pair = pairs_[k];
  double x[pair_width];
  std::copy_n(force, at.size, x);
  std::fill(x + at.size, x + at.size + at.rows, 0.0);
  pair.factors.solve(x);
  std::copy_n(x, at.size, w);
  for (int a = 0; a < at.rows; ++a)
    for (int c = 0; c < Width; ++c) father_force[c] -= pair.C[a * Width + c] * x[at.size + a];
}

}  // namespace linkwork
