#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/newton/algebraic_block.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>
#include <linkwork/solvers/newton/stage_system.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace linkwork {

namespace {

using Rows = MotionResidual::Rows;

/// S for one of the first two parts of the equations: the numbers of rows, or combinations of all rows.
struct Selector {
  bool is_boolean = true;
  std::vector<int> rows;
  Eigen::MatrixXd combinations;

  Eigen::Index count() const { return is_boolean ? static_cast<Eigen::Index>(rows.size()) : combinations.rows(); }
  /// The part of F that is chosen, where it stands.
  void keep(Eigen::Ref<Eigen::VectorXd> F) const {
    Eigen::VectorXd kept = Eigen::VectorXd::Zero(F.size());
    if (is_boolean)
      for (const int row : rows) kept[row] = F[row];
    else
      kept = combinations.transpose() * (combinations * F);
    F = kept;
  }
  template <class In, class Out>
  void apply(const In& in, Out&& out) const {
    if (!is_boolean)
      out.noalias() = combinations * in;
    else
      for (Eigen::Index i = 0; i < count(); ++i) out.row(i) = in.row(rows[detail::at(i)]);
  }
};

/// LU or QR of the differential part, for real and complex numbers.
template <class Scalar>
class DifferentialFactors {
 public:
  using Matrix = typename LuFactorsOf<Scalar>::Matrix;
  using Vector = typename LuFactorsOf<Scalar>::Vector;
  /// @return whether all numbers are finite and no pivot vanishes
  bool compute(const Matrix& A, DifferentialDecomposition method) {
    method_ = method;
    if (A.rows() == 0) return true;
    const auto is_regular = [&](const auto& diagonal) { return A.allFinite() && diagonal.cwiseAbs().minCoeff() > 0; };
    if (method == DifferentialDecomposition::lu) {
      lu_.compute(A);
      return is_regular(lu_.packed().diagonal());
    }
    qr_.compute(A);
    return is_regular(qr_.packed().diagonal());
  }
  void solve(Vector& x) const {
    if (x.size() == 0) return;
    Vector solution(x.size());
    if (method_ == DifferentialDecomposition::lu)
      lu_.solve(x, solution);
    else
      qr_.solve(x, solution);
    x.swap(solution);
  }

 private:
  DifferentialDecomposition method_ = DifferentialDecomposition::lu;
  LuFactorsOf<Scalar> lu_;
  QrFactorsOf<Scalar> qr_;
};

/// out -= A x. A product with one or two columns is cheaper column by column: nothing is packed.
template <class Matrix>
void subtract_product(const Matrix& A, const Eigen::MatrixXd& x, Eigen::MatrixXd& out) {
  if (x.cols() > 2)
    out.noalias() -= A * x;
  else
    for (Eigen::Index j = 0; j < x.cols(); ++j) out.col(j).noalias() -= A * x.col(j);
}

/// The algebraic equations are solved level by level, dy = particular + K z with K their common kernel; what is left of
/// the differential ones is small: twice the freedoms of the mechanism.
class DenseStageSystem final : public StageSystem {
 public:
  DenseStageSystem(const MotionResidual& equations, const StageSystemOptions& options);
  Outcome decompose(const SparseMatrix& J, int pattern_version) override;
  void renew_selectors() override;
  Outcome factor(double c_real, std::complex<double> c_complex) override;
  void solve(const Eigen::VectorXd& F, Eigen::VectorXd& dy) override;
  void solve(const Eigen::VectorXd& F_real, const Eigen::VectorXd& F_imaginary, Eigen::VectorXd& dy_real,
             Eigen::VectorXd& dy_imaginary) override;
  void solve_algebraic(const Eigen::VectorXd& F, Eigen::VectorXd& dy) override;
  void keep_chosen(Eigen::VectorXd& F) const override;
  SparseMatrix selection() const override;

 private:
  /// Equations and unknowns of a level; the leading ones of both come first.
  struct Level {
    Rows leading_rows, rows;
    std::vector<int> unknowns;
    AlgebraicBlock block;
  };
  void describe_levels();
  Outcome decompose(Level& level);
  /// Adds to dy, given on some unknowns, what closes a level with right side R.
  void close(const Level& level, const Eigen::MatrixXd& R, Eigen::MatrixXd& dy) const;
  void find_kernel();
  bool selectors_are_stale() const;
  Selector choose(const Level& level, bool selects, int count) const;
  void select();
  /// out = S in, in has the rows of all differential equations.
  void apply_selectors(const Eigen::MatrixXd& in, Eigen::MatrixXd& out) const;
  void scale_reduced();
  /// c S E K + S J K
  template <class Scalar>
  typename LuFactorsOf<Scalar>::Matrix scaled(Scalar c) const {
    return reduced_scaling_.rows().asDiagonal() * (c * reduced_E_ + reduced_J_.cast<Scalar>()) *
           reduced_scaling_.columns().asDiagonal();
  }
  /// particular_ and selected_ for right sides -F.
  void prepare(const Eigen::MatrixXd& F);

  const MotionResidual& equations_;
  StageSystemOptions options_;
  MotionLayout at_;
  int differential_;
  Level position_, velocity_, acceleration_;
  Eigen::VectorXd position_sizes_, velocity_sizes_;
  Eigen::VectorXd rows_, columns_;  // factors in which entries of J are compared
  Eigen::MatrixXd J_, kernel_;
  Selector S_p_, S_v_;
  bool has_selectors_ = false;
  std::vector<int> pivots_of_selectors_, pivots_;
  Eigen::MatrixXd reduced_E_, reduced_J_;  // S E K and S J K
  RowColumnScaling reduced_scaling_;       // by which pivots are compared
  double c_real_ = 0;
  std::complex<double> c_complex_;
  DifferentialFactors<double> real_;
  DifferentialFactors<std::complex<double>> complex_;
  Eigen::MatrixXd R_, particular_, differential_part_, selected_, selected_E_;
};

DenseStageSystem::DenseStageSystem(const MotionResidual& equations, const StageSystemOptions& options)
    : equations_(equations), options_(options), at_(equations.layout()), differential_(at_.differential()) {
  const EquationsOfMotion& e = equations.equations_of_motion();
  position_sizes_ = position_sizes(e);
  velocity_sizes_ = velocity_sizes(e);
  describe_levels();
}

void DenseStageSystem::describe_levels() {
  const auto list = [](std::vector<int>& unknowns, int first, int last) {
    for (int j = first; j < last; ++j) unknowns.push_back(j);
  };
  position_.leading_rows = equations_.contact();
  position_.rows = equations_.position();
  list(position_.unknowns, at_.s, at_.lambda);
  list(position_.unknowns, at_.p, at_.v);
  velocity_.leading_rows = {equations_.velocity().first, 0};
  velocity_.rows = equations_.velocity();
  list(velocity_.unknowns, at_.v, at_.r);
  acceleration_.leading_rows = equations_.auxiliary();
  acceleration_.rows = equations_.acceleration();
  list(acceleration_.unknowns, at_.w, at_.s);
  list(acceleration_.unknowns, at_.lambda, at_.eta);
}

Outcome DenseStageSystem::decompose(Level& level) {
  const auto rows = level.leading_rows.count + level.rows.count;
  Eigen::MatrixXd A(rows, static_cast<Eigen::Index>(level.unknowns.size()));
  for (std::size_t j = 0; j < level.unknowns.size(); ++j)
    A.col(static_cast<Eigen::Index>(j)) = J_.col(level.unknowns[j]).segment(level.leading_rows.first, rows);
  const auto leading = level.leading_rows.count;
  const std::vector<int> unknowns(level.unknowns.begin() + leading, level.unknowns.end());
  const AlgebraicDefect defect =
      level.block.compute(A, leading, options_.algebraic, &level != &acceleration_, columns_(unknowns),
                          rows_.segment(level.leading_rows.first + leading, level.rows.count));
  std::vector<int> dependent;
  if (defect == AlgebraicDefect::rank)
    for (const int row : level.block.dependent_rows()) dependent.push_back(level.rows.first + row);
  return algebraic_defect(equations_, defect, level.leading_rows, dependent);
}

Outcome DenseStageSystem::decompose(const SparseMatrix& J, int) {
  ++decompositions_;
  J_.setZero(J.rows(), J.columns());
  for (int column = 0; column < J.columns(); ++column)
    for (int k = J.begin(column); k < J.end(column); ++k) J_(J.row(k), column) = J.value(k);
  rows_.setOnes(J.rows());
  columns_.setOnes(J.columns());
  equations_.scale_by_coefficient(1, rows_, columns_);
  columns_.segment(at_.v, velocity_sizes_.size()) = velocity_sizes_;  // selectors know nothing of inertias
  for (Level* level : {&position_, &velocity_, &acceleration_})
    if (Outcome done = decompose(*level); !done) return done;
  find_kernel();
  pivots_ = position_.block.pivots();
  pivots_.insert(pivots_.end(), velocity_.block.pivots().begin(), velocity_.block.pivots().end());
  if (selectors_are_stale())
    renew_selectors();
  else
    select();
  return {};
}

void DenseStageSystem::close(const Level& level, const Eigen::MatrixXd& R, Eigen::MatrixXd& dy) const {
  const auto first = level.leading_rows.first, rows = level.leading_rows.count + level.rows.count;
  if (level.unknowns.empty()) return;
  Eigen::MatrixXd left = R.middleRows(first, rows), x;
  subtract_product(J_.middleRows(first, rows), dy, left);
  level.block.solve(left, x);
  for (std::size_t j = 0; j < level.unknowns.size(); ++j)
    dy.row(level.unknowns[j]) += x.row(static_cast<Eigen::Index>(j));
}

/// Directions that a level leaves open, continued through the levels that depend on it.
void DenseStageSystem::find_kernel() {
  const Level* levels[] = {&position_, &velocity_, &acceleration_};
  Eigen::Index count = at_.w - at_.r + at_.size - at_.eta;
  for (const Level* level : levels) count += level->block.kernel().cols();
  kernel_.setZero(at_.size, count);
  Eigen::Index next = 0;
  const auto add_unit_vectors = [&](int first, int last) {
    for (int j = first; j < last; ++j) kernel_(j, next++) = 1;
  };
  for (const Level* level : levels) {
    const Eigen::MatrixXd& open = level->block.kernel();
    for (std::size_t j = 0; j < level->unknowns.size(); ++j)
      kernel_.row(level->unknowns[j]).segment(next, open.cols()) = open.row(static_cast<Eigen::Index>(j));
    next += open.cols();
  }
  add_unit_vectors(at_.r, at_.w);
  add_unit_vectors(at_.eta, at_.size);
  const Eigen::MatrixXd nothing = Eigen::MatrixXd::Zero(J_.rows(), count);
  close(velocity_, nothing, kernel_);
  close(acceleration_, nothing, kernel_);
}

/// With svd nothing is chosen; selectors are stale where they stand at less than 45 degrees to the kernels.
bool DenseStageSystem::selectors_are_stale() const {
  if (!has_selectors_ || options_.selectors == SelectorRenewal::every_step) return true;
  if (options_.algebraic != AlgebraicDecomposition::svd) return pivots_ != pivots_of_selectors_;
  const auto turned = [&](const Selector& S, const Level& level, int first, int count) {
    if (S.is_boolean || S.count() == 0) return false;
    const Eigen::VectorXd& sizes = first == at_.p ? position_sizes_ : velocity_sizes_;
    const Eigen::MatrixXd open =
        sizes.asDiagonal().inverse() * level.block.kernel().bottomRows(count);  // orthonormal columns
    const Eigen::MatrixXd chosen = S.combinations * sizes.asDiagonal() * open;
    return SingularValues(chosen, 0).values().minCoeff() < std::sqrt(0.5);
  };
  return turned(S_p_, position_, at_.p, at_.v - at_.p) || turned(S_v_, velocity_, at_.v, at_.r - at_.v);
}

Selector DenseStageSystem::choose(const Level& level, bool selects, int count) const {
  Selector S;
  if (selects && options_.algebraic == AlgebraicDecomposition::svd) {
    const Eigen::VectorXd& sizes = &level == &position_ ? position_sizes_ : velocity_sizes_;
    const Eigen::MatrixXd open = sizes.asDiagonal().inverse() * level.block.kernel().bottomRows(count);
    S.is_boolean = false;
    S.combinations = open.transpose() * sizes.asDiagonal().inverse();
    return S;
  }
  const std::vector<int>& pivots = level.block.pivots();
  for (int i = 0; i < count; ++i)
    if (!selects || !std::binary_search(pivots.begin(), pivots.end(), i)) S.rows.push_back(i);
  return S;
}

void DenseStageSystem::renew_selectors() {
  ++selector_updates_;
  has_selectors_ = true;
  S_p_ = choose(position_, equations_.selects_positions(), at_.v - at_.p);
  S_v_ = choose(velocity_, equations_.selects_velocities(), at_.r - at_.v);
  pivots_of_selectors_ = pivots_;
  select();
}

void DenseStageSystem::apply_selectors(const Eigen::MatrixXd& in, Eigen::MatrixXd& out) const {
  const Eigen::Index states = at_.w - at_.r;
  out.resize(S_p_.count() + S_v_.count() + states, in.cols());
  S_p_.apply(in.middleRows(at_.p, at_.v - at_.p), out.topRows(S_p_.count()));
  S_v_.apply(in.middleRows(at_.v, at_.r - at_.v), out.middleRows(S_p_.count(), S_v_.count()));
  out.bottomRows(states) = in.middleRows(at_.r, states);
}

/// The differential equations have the numbers of their unknowns, and E is the identity there.
void DenseStageSystem::select() {
  apply_selectors(kernel_.topRows(differential_), reduced_E_);
  apply_selectors(J_.topRows(differential_) * kernel_, reduced_J_);
  scale_reduced();
}

/// Rows in units of the mechanism; combinations of rows are in these already. Factors of columns, and of states, whose
/// unit only their element knows, are left zero, to be found beside these.
void DenseStageSystem::scale_reduced() {
  Eigen::VectorXd inverse_sizes = Eigen::VectorXd::Zero(differential_);
  inverse_sizes.segment(at_.p, at_.v - at_.p) = position_sizes_.cwiseInverse();
  inverse_sizes.segment(at_.v, at_.r - at_.v) = velocity_sizes_.cwiseInverse();
  Eigen::MatrixXd rows;
  apply_selectors(inverse_sizes, rows);
  if (!S_p_.is_boolean) rows.topRows(S_p_.count()).setOnes();
  if (!S_v_.is_boolean) rows.middleRows(S_p_.count(), S_v_.count()).setOnes();
  SparseMatrix sizes(SparsityPattern::full(static_cast<int>(rows.rows()), static_cast<int>(kernel_.cols())));
  Eigen::MatrixXd::Map(sizes.values().data(), rows.rows(), kernel_.cols()) =
      reduced_E_.cwiseAbs() + reduced_J_.cwiseAbs();
  reduced_scaling_.begin(sizes, rows, Eigen::VectorXd::Zero(kernel_.cols()));
}

Outcome DenseStageSystem::factor(double c_real, std::complex<double> c_complex) {
  ++factorizations_;
  c_real_ = c_real;
  c_complex_ = c_complex;
  if (reduced_E_.rows() == reduced_E_.cols() && real_.compute(scaled<double>(c_real), options_.differential) &&
      complex_.compute(scaled<std::complex<double>>(c_complex), options_.differential))
    return {};
  return Outcome::failure("the differential part of the iteration matrix is singular", Failure::singular);
}

void DenseStageSystem::prepare(const Eigen::MatrixXd& F) {
  ++solves_;
  R_ = -F;
  particular_.setZero(at_.size, F.cols());
  for (const Level* level : {&position_, &velocity_, &acceleration_}) close(*level, R_, particular_);
  differential_part_ = R_.topRows(differential_);
  subtract_product(J_.topRows(differential_), particular_, differential_part_);
  apply_selectors(differential_part_, selected_);
  apply_selectors(particular_.topRows(differential_), selected_E_);
}

void DenseStageSystem::solve(const Eigen::VectorXd& F, Eigen::VectorXd& dy) {
  prepare(F);
  Eigen::VectorXd z = reduced_scaling_.rows().cwiseProduct(selected_ - c_real_ * selected_E_);
  real_.solve(z);
  z.array() *= reduced_scaling_.columns().array();
  dy = particular_;
  dy.noalias() += kernel_ * z;
}

void DenseStageSystem::solve(const Eigen::VectorXd& F_real, const Eigen::VectorXd& F_imaginary,
                             Eigen::VectorXd& dy_real, Eigen::VectorXd& dy_imaginary) {
  Eigen::MatrixXd F(F_real.size(), 2);
  F << F_real, F_imaginary;
  prepare(F);
  const std::complex<double> i(0, 1);
  Eigen::VectorXcd z =
      selected_.col(0) + i * selected_.col(1) - c_complex_ * (selected_E_.col(0) + i * selected_E_.col(1));
  z.array() *= reduced_scaling_.rows().array();
  complex_.solve(z);
  z.array() *= reduced_scaling_.columns().array();
  dy_real = particular_.col(0);
  dy_real.noalias() += kernel_ * z.real();
  dy_imaginary = particular_.col(1);
  dy_imaginary.noalias() += kernel_ * z.imag();
}

void DenseStageSystem::solve_algebraic(const Eigen::VectorXd& F, Eigen::VectorXd& dy) {
  prepare(F);
  dy = particular_;
}

void DenseStageSystem::keep_chosen(Eigen::VectorXd& F) const {
  S_p_.keep(F.segment(at_.p, at_.v - at_.p));
  S_v_.keep(F.segment(at_.v, at_.r - at_.v));
}

SparseMatrix DenseStageSystem::selection() const {
  Eigen::MatrixXd of_differential;
  apply_selectors(Eigen::MatrixXd::Identity(differential_, differential_), of_differential);
  const auto chosen = static_cast<int>(of_differential.rows());
  SparsityPattern places(chosen + equations_.equations() - differential_, equations_.equations());
  for (int i = 0; i < chosen; ++i)
    for (int j = 0; j < differential_; ++j)
      if (of_differential(i, j) != 0) places.rows[detail::at(i)].push_back(j);
  for (int j = differential_; j < equations_.equations(); ++j)
    places.rows[detail::at(chosen + j - differential_)] = {j};
  SparseMatrix S(places);
  for (int j = 0; j < S.columns(); ++j)
    for (int k = S.begin(j); k < S.end(j); ++k) S.value(k) = S.row(k) < chosen ? of_differential(S.row(k), j) : 1;
  return S;
}

}  // namespace

std::unique_ptr<StageSystem> make_dense_stage_system(const MotionResidual& equations,
                                                     const StageSystemOptions& options) {
  return std::make_unique<DenseStageSystem>(equations, options);
}

}  // namespace linkwork
