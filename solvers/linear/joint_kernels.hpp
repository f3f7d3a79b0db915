#pragma once

#include <linkwork/solvers/linear/joint_recursion.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

// Included by the files that instantiate the elimination of joint trees only. Everything here works on plain numbers of
// fixed count: matrices column by column, symmetric ones as their lower triangle row by row.

namespace linkwork::joint_kernels {

/// Place of an entry in a symmetric matrix.
constexpr int packed(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

/// Inertia of a link, articulated or its own, as the blocks of  [torque; force] = [A B; B^T M] [angular; linear].
template <class Space>
struct Blocks {
  static constexpr int a = Space::angular, d = Space::dimension;
  double A[a * (a + 1) / 2];
  double B[a * d];
  double M[d * (d + 1) / 2];
  /// Size of the numbers that A and M come from, before joints took inertia away.
  double A_scale, M_scale;

  double entry(int row, int column) const {
    if (row < a && column < a) return A[packed(row, column)];
    if (row >= a && column >= a) return M[packed(row - a, column - a)];
    return row < a ? B[(column - a) * a + row] : B[(row - a) * a + column];
  }
  void add(int row, int column, double value) {
    if (row < a && column < a)
      A[packed(row, column)] += value;
    else if (row >= a && column >= a)
      M[packed(row - a, column - a)] += value;
    else if (row < a)
      B[(column - a) * a + row] += value;
  }
};

#define LINKWORK_KERNEL [[gnu::always_inline]] static inline

/// The operations of a kernel in one space. `skip`: a component of twists for which the inertia has no row and column
/// left (and the numbers there are not valid), or -1. `is_level`: the link turns about that component's axis, which is
/// an axis of its father too; then R stands for the cosine and the sine of the angle, and products with it are short.
template <class Space, int skip, bool is_level = false>
struct Operations;

template <int skip>
struct Operations<Planar, skip, false> {
  static constexpr int n = 3;

  LINKWORK_KERNEL void store_rotation(const double* R, double* out) {
    for (int i = 0; i < 4; ++i) out[i] = R[i];
  }
  static constexpr bool spins = skip != 0;
  static constexpr int no_travel = skip - 1;

  LINKWORK_KERNEL void product(const Blocks<Planar>& I, const double* x, double* y) {
    y[0] = I.A[0] * x[0] + I.B[0] * x[1] + I.B[1] * x[2];
    y[1] = I.B[0] * x[0] + I.M[0] * x[1] + I.M[1] * x[2];
    y[2] = I.B[1] * x[0] + I.M[1] * x[1] + I.M[2] * x[2];
  }

  /// I - U scaled^T
  LINKWORK_KERNEL void subtract(const double* U, const double* scaled, Blocks<Planar>& I) {
    if constexpr (spins) I.A[0] -= U[0] * scaled[0];
    for (int i = 0; i < 2; ++i) {
      if (i == no_travel) continue;
      if constexpr (spins) I.B[i] -= U[0] * scaled[1 + i];
      for (int j = 0; j <= i; ++j)
        if (j != no_travel) I.M[packed(i, j)] -= U[1 + i] * scaled[1 + j];
    }
  }

  /// out = base + X^T I X
  LINKWORK_KERNEL void pass(const Blocks<Planar>& I, const double* R, const double* r, const Blocks<Planar>& base,
                            Blocks<Planar>& out) {
    const double x = -r[1], y = r[0];  // the velocity of the link's origin when the father turns
    double T[2][2] = {}, b[2] = {};
    for (int k = 0; k < 2; ++k) {
      if (k == no_travel) continue;
      for (int j = 0; j < 2; ++j) {
        for (int l = 0; l < 2; ++l)
          if (l != no_travel) T[k][j] += I.M[packed(k, l)] * R[2 * l + j];
        if constexpr (spins) b[j] += R[2 * k + j] * I.B[k];
      }
    }
    double M[3] = {};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k < 2; ++k)
          if (k != no_travel) M[packed(i, j)] += R[2 * k + i] * T[k][j];
    const double B[2] = {b[0] + x * M[0] + y * M[1], b[1] + x * M[1] + y * M[2]};
    double A = (b[0] + B[0]) * x + (b[1] + B[1]) * y;
    if constexpr (spins) A += I.A[0];
    out.A[0] = base.A[0] + A;
    for (int i = 0; i < 2; ++i) out.B[i] = base.B[i] + B[i];
    for (int i = 0; i < 3; ++i) out.M[i] = base.M[i] + M[i];
  }

  /// Twist of the father, in the link's axes at its origin.
  LINKWORK_KERNEL void to_link(const double* R, const double* r, const double* of_father, double* out) {
    const double x = of_father[1] - of_father[0] * r[1], y = of_father[2] + of_father[0] * r[0];
    out[0] = of_father[0];
    out[1] = R[0] * x + R[1] * y;
    out[2] = R[2] * x + R[3] * y;
  }
  /// Adds a wrench on the link to that of the father.
  LINKWORK_KERNEL void to_father(const double* R, const double* r, const double* wrench, double* of_father) {
    const double x = R[0] * wrench[1] + R[2] * wrench[2], y = R[1] * wrench[1] + R[3] * wrench[2];
    of_father[0] += wrench[0] + r[0] * y - r[1] * x;
    of_father[1] += x;
    of_father[2] += y;
  }
};

template <int skip, bool is_level>
struct Operations<Spatial, skip, is_level> {
  static constexpr int n = 6;
  // The other two axes of a level link.
  static constexpr int first = skip == 2 ? 0 : skip + 1, second = skip == 0 ? 2 : skip - 1;

  LINKWORK_KERNEL void store_rotation(const double* R, double* out) {
    if constexpr (is_level) {
      out[0] = R[4 * first];
      out[1] = R[3 * first + second];
    } else {
      for (int i = 0; i < 9; ++i) out[i] = R[i];
    }
  }
  /// From the axes of a level link to the father's.
  LINKWORK_KERNEL void turn(const double* cs, double& x, double& y) {
    const double turned = cs[0] * x - cs[1] * y;
    y = cs[1] * x + cs[0] * y;
    x = turned;
  }
  LINKWORK_KERNEL void turn_symmetric(const double* cs, double& xx, double& xy, double& yy) {
    const double p = cs[0] * xx - cs[1] * xy, q = cs[0] * xy - cs[1] * yy, sum = xx + yy;
    xy = cs[1] * p + cs[0] * q;
    xx = cs[0] * p - cs[1] * q;
    yy = sum - xx;
  }
  /// The blocks of a level link, which has no inertia about its axis, in the father's axes.
  LINKWORK_KERNEL void turn_blocks(const Blocks<Spatial>& I, const double* cs, double* A, double* B, double* M) {
    for (int i = 0; i < 3; ++i) {
      A[packed(skip, i)] = B[3 * i + skip] = 0;
      B[3 * i + first] = I.B[3 * i + first];
      B[3 * i + second] = I.B[3 * i + second];
      turn(cs, B[3 * i + first], B[3 * i + second]);
    }
    for (const int i : {first, second}) turn(cs, B[3 * first + i], B[3 * second + i]);
    A[packed(first, first)] = I.A[packed(first, first)];
    A[packed(first, second)] = I.A[packed(first, second)];
    A[packed(second, second)] = I.A[packed(second, second)];
    turn_symmetric(cs, A[packed(first, first)], A[packed(first, second)], A[packed(second, second)]);
    for (int i = 0; i < 6; ++i) M[i] = I.M[i];
    turn(cs, M[packed(skip, first)], M[packed(skip, second)]);
    turn_symmetric(cs, M[packed(first, first)], M[packed(first, second)], M[packed(second, second)]);
  }
  static constexpr int no_turn = skip < 3 ? skip : -1;
  static constexpr int no_travel = skip < 3 ? -1 : skip - 3;

  LINKWORK_KERNEL void product(const Blocks<Spatial>& I, const double* x, double* y) {
    for (int i = 0; i < 3; ++i) {
      y[i] = y[3 + i] = 0;
      for (int j = 0; j < 3; ++j) {
        y[i] += I.A[packed(i, j)] * x[j] + I.B[3 * j + i] * x[3 + j];
        y[3 + i] += I.B[3 * i + j] * x[j] + I.M[packed(i, j)] * x[3 + j];
      }
    }
  }

  LINKWORK_KERNEL void subtract(const double* U, const double* scaled, Blocks<Spatial>& I) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (j <= i && i != no_turn && j != no_turn) I.A[packed(i, j)] -= U[i] * scaled[j];
        if (j <= i && i != no_travel && j != no_travel) I.M[packed(i, j)] -= U[3 + i] * scaled[3 + j];
        if (i != no_turn && j != no_travel) I.B[3 * j + i] -= U[i] * scaled[3 + j];
      }
    }
  }

  /// The blocks in the father's axes.
  LINKWORK_KERNEL void rotate_blocks(const Blocks<Spatial>& I, const double* R, double* A, double* B, double* M) {
    double T[9];
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        T[3 * j + i] = 0;
        for (int k = 0; k < 3; ++k)
          if (i != no_travel && k != no_travel) T[3 * j + i] += I.M[packed(i, k)] * R[3 * k + j];
      }
    for (int j = 0; j < 3; ++j)
      for (int i = j; i < 3; ++i) {
        M[packed(i, j)] = 0;
        for (int k = 0; k < 3; ++k)
          if (k != no_travel) M[packed(i, j)] += R[3 * k + i] * T[3 * j + k];
      }
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        T[3 * j + i] = 0;
        for (int k = 0; k < 3; ++k)
          if (i != no_turn && k != no_travel) T[3 * j + i] += I.B[3 * k + i] * R[3 * k + j];
      }
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        B[3 * j + i] = 0;
        for (int k = 0; k < 3; ++k)
          if (k != no_turn) B[3 * j + i] += R[3 * k + i] * T[3 * j + k];
      }
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        T[3 * j + i] = 0;
        for (int k = 0; k < 3; ++k)
          if (i != no_turn && k != no_turn) T[3 * j + i] += I.A[packed(i, k)] * R[3 * k + j];
      }
    for (int j = 0; j < 3; ++j)
      for (int i = j; i < 3; ++i) {
        A[packed(i, j)] = 0;
        for (int k = 0; k < 3; ++k)
          if (k != no_turn) A[packed(i, j)] += R[3 * k + i] * T[3 * j + k];
      }
  }

  LINKWORK_KERNEL void pass(const Blocks<Spatial>& I, const double* R, const double* r, const Blocks<Spatial>& base,
                            Blocks<Spatial>& out) {
    double A[6], B[9], M[6], T[9];
    if constexpr (is_level)
      turn_blocks(I, R, A, B, M);
    else
      rotate_blocks(I, R, A, B, M);
    // Father's origin:  B' = B + [r] M,  A' = A + [r] B'^T + ([r] B^T)^T.
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const int p = i == 2 ? 0 : i + 1, q = i == 0 ? 2 : i - 1;
        T[3 * j + i] = B[3 * j + i] + r[p] * M[packed(q, j)] - r[q] * M[packed(p, j)];
        out.B[3 * j + i] = base.B[3 * j + i] + T[3 * j + i];
      }
    for (int j = 0; j < 3; ++j)
      for (int i = j; i < 3; ++i) {
        const int ip = i == 2 ? 0 : i + 1, iq = i == 0 ? 2 : i - 1;
        const int jp = j == 2 ? 0 : j + 1, jq = j == 0 ? 2 : j - 1;
        out.A[packed(i, j)] = base.A[packed(i, j)] + A[packed(i, j)] + r[ip] * T[3 * iq + j] - r[iq] * T[3 * ip + j] +
                              r[jp] * B[3 * jq + i] - r[jq] * B[3 * jp + i];
      }
    for (int i = 0; i < 6; ++i) out.M[i] = base.M[i] + M[i];
  }

  LINKWORK_KERNEL void to_link(const double* R, const double* r, const double* of_father, double* out) {
    double v[3];
    for (int i = 0; i < 3; ++i) {
      const int p = i == 2 ? 0 : i + 1, q = i == 0 ? 2 : i - 1;
      v[i] = of_father[3 + i] + of_father[p] * r[q] - of_father[q] * r[p];
    }
    if constexpr (is_level) {
      for (int i = 0; i < 3; ++i) {
        out[i] = of_father[i];
        out[3 + i] = v[i];
      }
      const double back[2] = {R[0], -R[1]};
      turn(back, out[first], out[second]);
      turn(back, out[3 + first], out[3 + second]);
      return;
    }
    for (int i = 0; i < 3; ++i) {
      out[i] = R[3 * i] * of_father[0] + R[3 * i + 1] * of_father[1] + R[3 * i + 2] * of_father[2];
      out[3 + i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
    }
  }

  LINKWORK_KERNEL void to_father(const double* R, const double* r, const double* wrench, double* of_father) {
    double torque[3], force[3];
    if constexpr (is_level) {
      for (int i = 0; i < 3; ++i) {
        torque[i] = wrench[i];
        force[i] = wrench[3 + i];
      }
      turn(R, torque[first], torque[second]);
      turn(R, force[first], force[second]);
    } else {
      for (int i = 0; i < 3; ++i) {
        torque[i] = R[i] * wrench[0] + R[3 + i] * wrench[1] + R[6 + i] * wrench[2];
        force[i] = R[i] * wrench[3] + R[3 + i] * wrench[4] + R[6 + i] * wrench[5];
      }
    }
    for (int i = 0; i < 3; ++i) {
      const int p = i == 2 ? 0 : i + 1, q = i == 0 ? 2 : i - 1;
      of_father[i] += torque[i] + r[p] * force[q] - r[q] * force[p];
      of_father[3 + i] += force[i];
    }
  }
};

template <class Space>
struct Kernel;

/// What the elimination of a tree keeps.
template <class Space>
struct Workspace {
  static constexpr int n = Space::n;
  static constexpr int pose_size = Space::dimension * (Space::dimension + 1);

  struct Plan {
    int father = 0, column = 0, subspace = 0;
    int record = 0;             ///< place in `records`
    bool is_first_son = false;  ///< the first to reach its father
  };
  /// Consecutive labels with equal kernels.
  struct Run {
    int first = 0, last = 0;
    const Kernel<Space>* kernel = nullptr;
  };

  const JointTree<Space>* tree = nullptr;
  std::vector<Plan> plan;
  std::vector<Run> runs;
  std::vector<int> run_of;             ///< by label
  std::vector<Blocks<Space>> own;      ///< inertia of the link
  std::vector<Blocks<Space>> inertia;  ///< articulated, before the link's joint is eliminated
  /// By label: rotation and origin as they were factored, then of each freedom U, 1 / d and, where S is no unit vector,
  /// S. A factorisation so outlives the position it was made at.
  std::vector<double> records;
  std::vector<double> wrench;  ///< w^ by label, n each
  std::vector<double> twist;   ///< A by label, n each
  std::vector<double> response;
  const double* force = nullptr;  ///< of the load; null: zeros
  bool is_delicate = false;       ///< the last factorisation

  const double* rotation(int label) const { return tree->rotation[static_cast<std::size_t>(label)].data(); }
  const double* origin(int label) const { return tree->origin[static_cast<std::size_t>(label)].data(); }
  const double* subspace(const Plan& at) const { return tree->subspace.data()->data() + n * at.subspace; }
  const double* record(int label) const { return records.data() + plan[static_cast<std::size_t>(label)].record; }
  static constexpr int freedom_size(bool is_unit) { return is_unit ? n + 1 : 2 * n + 1; }
};

/// The elimination of the joints of one shape, over a run of labels.
template <class Space>
struct Kernel {
  using Data = Workspace<Space>;
  int (*factor)(Data&, int first, int last);           ///< the first link without inertia, or -1
  int (*factor_and_load)(Data&, int first, int last);  ///< with the inward sweep of the load
  void (*inward)(Data&, int first, int last);
  void (*outward)(Data&, int first, int last, double* acceleration);
  void (*pass_wrench)(const Data&, int link, const double* wrench, double* impulse, double* response, double* father);
  void (*to_father)(const Data&, int link, const double* wrench, double* father);  ///< the joint locked
};

/// @tparam axis      the joint's S is this unit vector; -1: it stands in the tree
/// @tparam is_level  see Operations
template <class Space, int freedoms, int axis, bool is_level = false>
struct Shape {
  using Data = Workspace<Space>;
  using Plan = typename Data::Plan;
  static constexpr int n = Space::n, a = Space::angular;
  static constexpr bool is_unit = axis >= 0;
  static constexpr int dimension = Space::dimension;
  // Places in a record.
  static constexpr int at_origin = dimension * dimension, at_freedoms = Data::pose_size;
  static constexpr int stride = Data::freedom_size(is_unit), at_inverse = n, at_S = n + 1;
  using Do = Operations<Space, axis, is_level>;

  /// S^T x of one freedom.
  LINKWORK_KERNEL double along(const double* freedom, const double* x) {
    if constexpr (is_unit) return x[axis];
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += freedom[at_S + i] * x[i];
    return sum;
  }
  /// Size of the inertia along S that the articulated one came from.
  LINKWORK_KERNEL double scale(const Blocks<Space>& I, const double* freedom) {
    if constexpr (is_unit) return axis < a ? I.A_scale : I.M_scale;
    double angular = 0, linear = 0;
    for (int i = 0; i < a; ++i) angular += freedom[at_S + i] * freedom[at_S + i];
    for (int i = a; i < n; ++i) linear += freedom[at_S + i] * freedom[at_S + i];
    return angular * I.A_scale + linear * I.M_scale;
  }

  template <bool with_load>
  LINKWORK_KERNEL bool eliminate(Data& data, int label) {
    const Plan& at = data.plan[static_cast<std::size_t>(label)];
    const Blocks<Space>& articulated = data.inertia[static_cast<std::size_t>(label)];
    const double* r = data.origin(label);
    double* record = data.records.data() + at.record;
    const double* R = record;
    Do::store_rotation(data.rotation(label), record);
    for (int i = 0; i < dimension; ++i) record[at_origin + i] = r[i];
    Blocks<Space> I = articulated;
    double w[n];
    if constexpr (with_load)
      for (int i = 0; i < n; ++i) w[i] = data.wrench[static_cast<std::size_t>(n * label + i)];
    bool meets_inertia = true;
    for (int k = freedoms - 1; k >= 0; --k) {
      double* freedom = record + at_freedoms + stride * k;
      double U[n], scaled[n];
      if constexpr (is_unit) {
        for (int i = 0; i < n; ++i) U[i] = I.entry(i, axis);
      } else {
        const double* S = data.subspace(at) + n * k;
        Do::product(I, S, U);
        for (int i = 0; i < n; ++i) freedom[at_S + i] = S[i];
      }
      const double d = along(freedom, U);
      if (!(d > delicate_inertia_pivot * scale(articulated, freedom))) {
        data.is_delicate = true;
        meets_inertia = meets_inertia && d > inertia_pivot * scale(articulated, freedom);
      }
      const double inverse = 1 / d;
      for (int i = 0; i < n; ++i) freedom[i] = U[i];
      freedom[at_inverse] = inverse;
      for (int i = 0; i < n; ++i) scaled[i] = inverse * U[i];
      Do::subtract(U, scaled, I);
      if constexpr (with_load) respond(data, at.column + k, freedom, w);
    }
    if (at.father == 0) return meets_inertia;
    const auto father = static_cast<std::size_t>(at.father);
    if constexpr (with_load) Do::to_father(R, r, w, data.wrench.data() + n * at.father);
    Blocks<Space>& out = data.inertia[father];
    const Blocks<Space>& base = at.is_first_son ? data.own[father] : out;
    if constexpr (freedoms == n) {  // nothing is left
      if (at.is_first_son) out = base;
      return meets_inertia;
    }
    double squared = 0, A_trace = 0, M_trace = 0;
    for (int i = 0; i < a; ++i) A_trace += articulated.A[packed(i, i)];
    for (int i = 0; i < n - a; ++i) {
      M_trace += articulated.M[packed(i, i)];
      squared += r[i] * r[i];
    }
    const double A_scale = base.A_scale + A_trace + squared * M_trace;
    out.M_scale = base.M_scale + M_trace;
    out.A_scale = A_scale;
    Do::pass(I, R, r, base, out);
    return meets_inertia;
  }

  /// The response of one freedom, which leaves its part of w^ to the force.
  LINKWORK_KERNEL void respond(Data& data, int column, const double* freedom, double* w) {
    const double force = data.force ? data.force[column] : 0.0;
    const double y = (force - along(freedom, w)) * freedom[at_inverse];
    data.response[static_cast<std::size_t>(column)] = y;
    for (int i = 0; i < n; ++i) w[i] += freedom[i] * y;
    if constexpr (is_unit) w[axis] = force;
  }

  template <bool with_load>
  [[gnu::flatten]] static int factor(Data& data, int first, int last) {
    for (int label = last; label >= first; --label)
      if (!eliminate<with_load>(data, label)) return label;
    return -1;
  }

  [[gnu::flatten]] static void inward(Data& data, int first, int last) {
    for (int label = last; label >= first; --label) {
      const Plan& at = data.plan[static_cast<std::size_t>(label)];
      const double* record = data.records.data() + at.record;
      double w[n];
      for (int i = 0; i < n; ++i) w[i] = data.wrench[static_cast<std::size_t>(n * label + i)];
      for (int k = freedoms - 1; k >= 0; --k) respond(data, at.column + k, record + at_freedoms + stride * k, w);
      Do::to_father(record, record + at_origin, w, data.wrench.data() + n * at.father);
    }
  }

  [[gnu::flatten]] static void outward(Data& data, int first, int last, double* acceleration) {
    for (int label = first; label <= last; ++label) {
      const Plan& at = data.plan[static_cast<std::size_t>(label)];
      const double* record = data.records.data() + at.record;
      double A[n];
      Do::to_link(record, record + at_origin, data.twist.data() + n * at.father, A);
      for (int k = 0; k < freedoms; ++k) {
        const double* freedom = record + at_freedoms + stride * k;
        double product = 0;
        for (int i = 0; i < n; ++i) product += freedom[i] * A[i];
        const double value = data.response[static_cast<std::size_t>(at.column + k)] - product * freedom[at_inverse];
        acceleration[at.column + k] = value;
        if constexpr (is_unit)
          A[axis] += value;
        else
          for (int i = 0; i < n; ++i) A[i] += freedom[at_S + i] * value;
      }
      for (int i = 0; i < n; ++i) data.twist[static_cast<std::size_t>(n * label + i)] = A[i];
    }
  }

  [[gnu::flatten]] static void pass_wrench(const Data& data, int label, const double* wrench, double* impulse,
                                           double* response, double* father) {
    const double* record = data.record(label);
    double w[n];
    for (int i = 0; i < n; ++i) w[i] = wrench[i];
    for (int k = freedoms - 1; k >= 0; --k) {
      const double* freedom = record + at_freedoms + stride * k;
      impulse[k] = along(freedom, w);
      response[k] = impulse[k] * freedom[at_inverse];
      for (int i = 0; i < n; ++i) w[i] -= freedom[i] * response[k];
      if constexpr (is_unit) w[axis] = 0;
    }
    Do::to_father(record, record + at_origin, w, father);
  }

  static void to_father(const Data& data, int label, const double* wrench, double* father) {
    const double* record = data.record(label);
    Do::to_father(record, record + at_origin, wrench, father);
  }

  static constexpr Kernel<Space> kernel = {factor<false>, factor<true>, inward, outward, pass_wrench, to_father};
};

#undef LINKWORK_KERNEL

/// Kernels of joints of one freedom along a unit axis, and of joints whose S stands in the tree.
/// @param is_level  the link turns about the axis, which is one of its father's too
template <class Space>
const Kernel<Space>& unit_kernel(int axis, bool is_level);
template <class Space>
const Kernel<Space>& subspace_kernel(int freedoms);

}  // namespace linkwork::joint_kernels
