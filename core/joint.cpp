#include <linkwork/core/joint.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/differences.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/core/small_system.hpp>

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

using Coordinates = boost::container::small_vector<double, 8>;

/// Sizes are known only at run time but never exceed n, so that nothing is allocated.
template <class Space>
using Freedoms = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Space::n, 1>;
template <class Space>
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Space::n, Space::n>;

/// Derivative at zero of a function of one number.
template <class Space, class Function>
Components<Space> derivative(double step, Function&& function) {
  Components<Space> out = Components<Space>::Zero();
  for (int k = 1; k <= 3; ++k)
    out += (detail::difference_weights[k - 1] / step) * (function(k * step) - function(-k * step));
  return out;
}

/// Twist of the joint per unit of each freedom, at q, in the axes of X = X(q).
template <class Space>
Subspace<Space> motion_subspace(const Joint<Space>& joint, Instant time, const double* q, const Pose<Space>& X) {
  const int freedoms = joint.freedoms();
  Subspace<Space> S(Space::n, freedoms);
  Coordinates shifted(static_cast<std::size_t>(joint.coordinates()));
  for (int j = 0; j < freedoms; ++j) {
    std::array<double, Space::n> direction{};
    S.col(j) = derivative<Space>(joint.difference_step(), [&](double step) {
      direction[static_cast<std::size_t>(j)] = step;
      joint.retract(q, direction.data(), shifted.data());
      return logarithm(relative_pose(X, joint.pose(time, shifted.data())));
    });
  }
  return S;
}

/// Twist of the joint at fixed q, in the axes of X = X(t, q).
template <class Space>
Components<Space> drift(const Joint<Space>& joint, Instant time, const double* q, const Pose<Space>& X) {
  return derivative<Space>(joint.difference_step(),
                           [&](double step) { return logarithm(relative_pose(X, joint.pose(time + step, q))); });
}

/// What a twist of this size moves in unit time [m, rad].
template <class Space>
double size_of(const Components<Space>& twist) {
  return std::max(twist.template head<Space::angular>().norm(), twist.template tail<Space::dimension>().norm());
}

template <class Space>
struct Nearest {
  Coordinates q;
  Pose<Space> X;
  Components<Space> e;  ///< from X to the present pose
  Subspace<Space> S;
};

/// The largest displacement that goes with a turn of one [m/rad]; 0 where none does.
template <class Space>
double longest_arm(const Subspace<Space>& S) {
  double longest = 0;
  for (int j = 0; j < S.cols(); ++j)
    if (const double turn = S.col(j).template head<Space::angular>().norm(); turn > 0)
      longest = std::max(longest, S.col(j).template tail<Space::dimension>().norm() / turn);
  return longest;
}

/// A twist [rad] and displacement in units of `length`: no unit of length decides what is small.
template <class Space>
double size_in_lengths(const Components<Space>& twist, double length) {
  const double turn = twist.template head<Space::angular>().norm();
  const double shift = twist.template tail<Space::dimension>().norm();
  return shift > 0 ? std::hypot(turn, shift / length) : turn;
}

/// The change of the freedoms with S^T (S step - e) = 0.
template <class Space>
Freedoms<Space> gauss_newton_step(const Subspace<Space>& S, const Components<Space>& e) {
  const auto freedoms = static_cast<int>(S.cols());
  SmallMatrix<Space> normal(freedoms, freedoms);
  Freedoms<Space> step(freedoms);
  for (int i = 0; i < freedoms; ++i) {
    step[i] = S.col(i).dot(e);
    for (int j = 0; j < freedoms; ++j) normal(i, j) = S.col(i).dot(S.col(j));
  }
  SmallMatrix<Space> factors = normal;  // symmetric: rows are columns
  const Freedoms<Space> right_side = step;
  if (detail::solve_in_place(factors.data(), freedoms, step.data(), 1)) return step;
  LdltFactors semidefinite;  // freedoms that are not independent here: one of the solutions
  semidefinite.compute(normal);
  Eigen::VectorXd one = right_side;
  semidefinite.solve_in_place(one);
  return one;
}

/// Solves S^T e = 0 by Gauss-Newton from `start`; a step that makes |e| much larger is halved (off the
/// manifold the solution is not exactly the smallest |e|). Displacements are measured by the distance of the poses from
/// their origins and by the arms of S.
template <class Space>
Nearest<Space> find_nearest(const Joint<Space>& joint, Instant time, const Pose<Space>& target, Coordinates start) {
  constexpr int max_iterations = 50;
  Nearest<Space> now{std::move(start), {}, {}, {}};
  const auto evaluate = [&](const Coordinates& q, Pose<Space>& X, Components<Space>& e) {
    X = joint.pose(time, q.data());
    e = logarithm(relative_pose(X, target));
  };
  evaluate(now.q, now.X, now.e);
  now.S.resize(Space::n, 0);
  if (joint.freedoms() == 0) return now;
  Nearest<Space> trial = now;
  JointMotion<Space> motion;
  Freedoms<Space> step(joint.freedoms());
  double last_size = 1e-8;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    joint.motion(time, now.q.data(), motion);
    now.S = motion.S;
    step = gauss_newton_step<Space>(now.S, now.e);
    const double length = std::max({now.X.position.norm(), target.position.norm(), longest_arm<Space>(now.S)});
    const Components<Space> moved = now.S * step;
    const double size = size_in_lengths<Space>(moved, length);
    // The second case: rounding of poses far from the origin stops the progress.
    if (size < 1e-12 || (size < 1e-9 && size > 0.5 * last_size)) return now;
    if (!std::isfinite(size)) break;
    last_size = size;
    for (int halvings = 0;; ++halvings) {
      joint.retract(now.q.data(), step.data(), trial.q.data());
      evaluate(trial.q, trial.X, trial.e);
      if (size_in_lengths<Space>(trial.e, length) <= 1.1 * size_in_lengths<Space>(now.e, length) + 1e-12 ||
          halvings == 10)
        break;
      step *= 0.5;
    }
    std::swap(now.q, trial.q);
    now.X = trial.X;
    now.e = trial.e;
  }
  throw RecoverableFailure(concat("joint of type '", joint.type(), "': no coordinates were found at t = ", time,
                                  " s that bring the joint near the pose of its frames (rotation and distance are (",
                                  now.e.transpose(), ") [rad, m] off after ", max_iterations,
                                  " iterations); place the bodies nearer to the joint, or check do_pose, do_home and "
                                  "do_retract."));
}

/// Which components of a twist the joint's freedoms determine, in ascending order, and which the rest.
template <class Space>
struct Split {
  std::array<int, Space::n> dependent{}, rest{};
  int freedoms = 0;
  int rows() const { return Space::n - freedoms; }

  /// Sorts the components of a twist into the two lists.
  void choose(const std::array<bool, Space::n>& is_dependent) {
    std::size_t next_dependent = 0, next_rest = 0;
    for (int i = 0; i < Space::n; ++i) {
      if (is_dependent[static_cast<std::size_t>(i)])
        dependent[next_dependent++] = i;
      else
        rest[next_rest++] = i;
    }
    freedoms = static_cast<int>(next_dependent);
  }
};

/// The split with well-conditioned dependent part: the pivots of a QR factorisation of S^T, which Gram and Schmidt's
/// orthogonalisation finds.
template <class Space>
Split<Space> choose_split(const Joint<Space>& joint, Instant time, const Subspace<Space>& S) {
  Split<Space> out;
  std::array<bool, Space::n> is_dependent{};
  out.freedoms = static_cast<int>(S.cols());
  Subspace<Space> rest = S;
  double largest = 0;
  for (int k = 0; k < out.freedoms; ++k) {
    int pivot = 0;
    double size = -1;
    for (int i = 0; i < Space::n; ++i)
      if (!is_dependent[static_cast<std::size_t>(i)] && rest.row(i).norm() > size) {
        pivot = i;
        size = rest.row(i).norm();
      }
    largest = std::max(largest, size);
    if (!(size > 1e-8 * largest))
      throw RecoverableFailure(concat("joint of type '", joint.type(), "': at t = ", time, " s its motions are not ",
                                      out.freedoms,
                                      " independent ones; this is a singular configuration, or "
                                      "freedoms() is too large."));
    is_dependent[static_cast<std::size_t>(pivot)] = true;
    const Freedoms<Space> direction = rest.row(pivot).transpose() / size;
    for (int i = 0; i < Space::n; ++i) rest.row(i) -= rest.row(i).dot(direction) * direction.transpose();
  }
  out.choose(is_dependent);
  return out;
}

/// Rows N^T with N^T S = 0: the identity on the rest, -S_rest S_dependent^-1 on the dependent components, which is
/// infinite where another split has to be chosen.
template <class Space>
SmallMatrix<Space> complement(const Subspace<Space>& S, const Split<Space>& split) {
  const int freedoms = split.freedoms, rows = split.rows();
  SmallMatrix<Space> N = SmallMatrix<Space>::Zero(rows, Space::n);
  for (int i = 0; i < rows; ++i) N(i, split.rest[static_cast<std::size_t>(i)]) = 1;
  if (freedoms == 0) return N;
  // factors S_dependent = S_rest. Transposed, by rows, these are the matrices themselves, by columns.
  SmallMatrix<Space> dependent(freedoms, freedoms), factors(rows, freedoms);
  for (int j = 0; j < freedoms; ++j) dependent.row(j) = S.row(split.dependent[static_cast<std::size_t>(j)]);
  for (int i = 0; i < rows; ++i) factors.row(i) = S.row(split.rest[static_cast<std::size_t>(i)]);
  if (!detail::solve_in_place(dependent.data(), freedoms, factors.data(), rows))
    factors.setConstant(std::numeric_limits<double>::infinity());
  for (int j = 0; j < freedoms; ++j) N.col(split.dependent[static_cast<std::size_t>(j)]) = -factors.col(j);
  return N;
}

/// What a derived joint remembers: the nearest coordinates, then each dependent component plus one, so that a memory of
/// zeros is an empty one.
template <class Space>
struct Memory {
  Coordinates q;
  Split<Space> split;
  bool is_empty = false;
};
template <class Space, class Number>
Memory<Space> read_memory(const Joint<Space>& joint, Number&& number) {
  Memory<Space> out;
  const int coordinates = joint.coordinates(), freedoms = joint.freedoms();
  out.q.resize(static_cast<std::size_t>(coordinates));
  if (freedoms > 0)
    for (int i = 0; i < coordinates; ++i) out.q[static_cast<std::size_t>(i)] = number(i);
  std::array<bool, Space::n> is_dependent{};
  for (int j = 0; j < freedoms; ++j) {
    const int component = static_cast<int>(number(coordinates + j)) - 1;
    if (component < 0)
      out.is_empty = true;
    else
      is_dependent[static_cast<std::size_t>(component)] = true;
  }
  out.split.choose(is_dependent);
  return out;
}
template <class Space>
Memory<Space> filled_memory(const Joint<Space>& joint, const Motion<Space>& m) {
  Memory<Space> out = read_memory(joint, [&](int i) { return m.memory(i); });
  if (out.is_empty)
    throw ModelError(concat("joint of type '", joint.type(),
                            "': its memory is empty; call remember(m, true, memory) before rows or residuals."));
  return out;
}

template <class Space>
Pose<Space> present_pose(const Motion<Space>& m) {
  return relative_pose(m.frame(0).pose, m.frame(1).pose);
}

/// A matrix that is no rotation would give wrong rows without a word, so it is looked for once per start.
template <class Space>
void check_pose(const Joint<Space>& joint, const Pose<Space>& X) {
  const Rotation<Space> deviation = X.rotation.transpose() * X.rotation - Rotation<Space>::Identity();
  if (!(X.position.allFinite() && deviation.cwiseAbs().maxCoeff() < 1e-9 && X.rotation.determinant() > 0))
    throw ModelError(concat("joint of type '", joint.type(), "': do_pose gives position (", X.position.transpose(),
                            ") m and a rotation matrix that is ", deviation.cwiseAbs().maxCoeff(),
                            " from orthogonal; expected finite numbers and a rotation."));
}

template <class Space>
void need_own_function(const Joint<Space>& joint, const char* function) {
  if (joint.coordinates() != joint.freedoms())
    throw ModelError(concat("joint of type '", joint.type(), "': it has ", joint.coordinates(), " coordinates and ",
                            joint.freedoms(), " freedoms, so it must override ", function, "."));
}

}  // namespace

template <class Space>
Pose<Space> Joint<Space>::pose(Instant time, const double* q) const {
  Pose<Space> X;
  do_pose(time, q, X);
  return X;
}

template <class Space>
void Joint<Space>::do_home(double* q) const {
  need_own_function(*this, "do_home");
  std::fill_n(q, coordinates(), 0.0);
}

template <class Space>
void Joint<Space>::do_retract(const double* q, const double* step, double* q_new) const {
  need_own_function(*this, "do_retract");
  for (int i = 0; i < coordinates(); ++i) q_new[i] = q[i] + step[i];
}

template <class Space>
void Joint<Space>::do_motion(Instant time, const double* q, JointMotion<Space>& out) const {
  if (const std::optional<ConstantMotion<Space>> constant = constant_motion()) {
    const Eigen::Map<const Freedoms<Space>> coordinates(q, freedoms());
    out.S = constant->S;
    const Components<Space> twist = out.S * coordinates;
    out.X = compose(constant->X, exponential(twist));
    out.drift.setZero();
    return;
  }
  out.X = pose(time, q);
  out.S = motion_subspace(*this, time, q, out.X);
  out.drift = drift(*this, time, q, out.X);
}

/// The second derivative of e(h) = log(X(t, q)^-1 X(t + h, q "plus" h v)) at h = 0, which is that of the twist's
/// components: e' = V - [e, V] / 2 + ... and the bracket of e' = V with V vanishes.
template <class Space>
void Joint<Space>::do_motion_bias(Instant time, const double* q, const double* v, Components<Space>& bias) const {
  bias.setZero();
  if (constant_motion()) return;
  JointMotion<Space> here;
  motion(time, q, here);
  const Eigen::Map<const Freedoms<Space>> velocity(v, freedoms());
  const Components<Space> twist = here.S * velocity + here.drift;
  const double step = this->difference_step() / std::max(1.0, size_of<Space>(twist));
  Coordinates shifted(static_cast<std::size_t>(coordinates()));
  std::array<double, Space::n> direction{};
  const auto moved_by = [&](double h) {
    for (int j = 0; j < freedoms(); ++j) direction[static_cast<std::size_t>(j)] = h * v[j];
    retract(q, direction.data(), shifted.data());
    return logarithm(relative_pose(here.X, pose(time + h, shifted.data())));
  };
  for (int k = 1; k <= 3; ++k)
    bias += (detail::second_difference_weights[k - 1] / (step * step)) * (moved_by(k * step) + moved_by(-k * step));
}

template <class Space>
void Joint<Space>::do_rate(const double* q, const double* v, double* q_rate) const {
  const int count = coordinates();
  if (count == freedoms()) {
    std::copy_n(v, count, q_rate);
    return;
  }
  double speed = 1;
  for (int j = 0; j < freedoms(); ++j) speed = std::max(speed, std::abs(v[j]));
  const double step = this->difference_step() / speed;
  Coordinates shifted(static_cast<std::size_t>(count));
  std::array<double, Space::n> direction{};
  std::fill_n(q_rate, count, 0.0);
  for (int k = -3; k <= 3; ++k) {
    if (k == 0) continue;
    for (int j = 0; j < freedoms(); ++j) direction[static_cast<std::size_t>(j)] = k * step * v[j];
    retract(q, direction.data(), shifted.data());
    const double weight = (k > 0 ? 1 : -1) * detail::difference_weights[std::abs(k) - 1] / step;
    for (int i = 0; i < count; ++i) q_rate[i] += weight * shifted[static_cast<std::size_t>(i)];
  }
}

template <class Space>
void Joint<Space>::do_locate(Instant time, const Pose<Space>& X, double* q) const {
  Coordinates start(q, q + coordinates());
  const Nearest<Space> nearest = find_nearest(*this, time, X, std::move(start));
  std::copy(nearest.q.begin(), nearest.q.end(), q);
}

template <class Space>
int Joint<Space>::memory_size() const {
  const bool sizes_fit = freedoms() == 0 ? coordinates() == 0 : coordinates() >= freedoms();
  if (freedoms() < 0 || freedoms() > Space::n || !sizes_fit)
    throw ModelError(concat("joint of type '", this->type(), "': freedoms() is ", freedoms(), " and coordinates() is ",
                            coordinates(), "; expected 0 <= freedoms <= ", Space::n,
                            " and coordinates >= freedoms (0 where there are no freedoms)."));
  return freedoms() == 0 ? 0 : coordinates() + freedoms();
}

template <class Space>
bool Joint<Space>::is_angular(int row) const {
  Coordinates q(static_cast<std::size_t>(coordinates()));
  home(q.data());
  JointMotion<Space> at_home;
  motion(0.0, q.data(), at_home);
  const Split<Space> split = choose_split(*this, 0.0, at_home.S);
  return split.rest[static_cast<std::size_t>(row)] < Space::angular;
}

template <class Space>
void Joint<Space>::do_residual(const Motion<Space>& m, double* g) const {
  Memory<Space> memory = filled_memory(*this, m);
  const Nearest<Space> nearest = find_nearest(*this, m.time(), present_pose(m), std::move(memory.q));
  Eigen::Map<Eigen::VectorXd>(g, rows()) = complement(nearest.S, memory.split) * nearest.e;
}

template <class Space>
void Joint<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  Memory<Space> memory = filled_memory(*this, m);
  const Nearest<Space> nearest = find_nearest(*this, m.time(), present_pose(m), std::move(memory.q));
  const SmallMatrix<Space> N = complement(nearest.S, memory.split);
  JointMotion<Space> explicit_side;
  motion(m.time(), nearest.q.data(), explicit_side);
  const Freedoms<Space> rate = -N * explicit_side.drift;
  const Vector<Space> arm = m.frame(1).pose.position - m.frame(0).pose.position;
  const Rotation<Space>& axes = m.frame(1).pose.rotation;
  for (int i = 0; i < rows(); ++i) {
    const Vector<Space> linear = axes * N.row(i).template tail<Space::dimension>().transpose();
    Angular<Space> angular;
    if constexpr (Space::dimension == 2)
      angular = N(i, 0);
    else
      angular = axes * N.row(i).template head<3>().transpose();
    out.add(i, 1, angular, linear);
    // The father's point under the son's origin moves with it: V = V_son - V_father - omega_father x arm.
    out.add(i, 0, -angular - cross(arm, linear), -linear);
    out.rate(i) = rate[i];
  }
}

template <class Space>
void Joint<Space>::do_remember(const Motion<Space>& m, bool restart, double* memory) const {
  // Rows whose entries exceed this lose two digits and are worth a jump of the multipliers.
  constexpr double largest_entry = 100;
  Memory<Space> old = read_memory(*this, [&](int i) { return memory[i]; });
  if (old.is_empty) home(old.q.data());
  if (restart) check_pose(*this, pose(m.time(), old.q.data()));
  const Nearest<Space> nearest = find_nearest(*this, m.time(), present_pose(m), std::move(old.q));
  Split<Space> split = old.split;
  if (old.is_empty || restart || !(complement(nearest.S, split).cwiseAbs().maxCoeff() < largest_entry))
    split = choose_split(*this, m.time(), nearest.S);
  if (freedoms() == 0) return;
  std::copy(nearest.q.begin(), nearest.q.end(), memory);
  for (int j = 0; j < freedoms(); ++j) memory[coordinates() + j] = split.dependent[static_cast<std::size_t>(j)] + 1;
}

template class Joint<Planar>;
template class Joint<Spatial>;

}  // namespace linkwork
