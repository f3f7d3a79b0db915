#include <linkwork/solvers/newton/stage_system.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>
#include <linkwork/solvers/newton/pivot_columns.hpp>

#include <algorithm>
#include <vector>

namespace linkwork {

namespace {

using Rows = MotionResidual::Rows;

/// KLU's factors of one of the two systems.
template <class Scalar>
class StageFactors {
 public:
  void analyze(const SparseMatrix& places) { factors_.analyze(places); }
  std::vector<Scalar>& values() { return values_; }
  bool has_pivots() const { return factors_.has_pivots(); }
  /// Values are scaled. @return whether the pivots of before are still good
  bool refactor(const SparseMatrix& places) {
    is_stale_ = true;
    return has_pivots() && factors_.refactor(places, values_.data());
  }
  /// @return the column whose pivot vanished, or -1
  int choose_pivots(const SparseMatrix& places) {
    is_stale_ = true;
    return factors_.choose_pivots(places, values_.data());
  }
  /// @param tolerance  of entries that are left out; 0: none
  void solve(std::vector<Scalar>& x, double tolerance = 0) {
    if (tolerance == 0) return factors_.solve(x.data());
    if (is_stale_) factors_.extract(all_);
    if (is_stale_ || tolerance != tolerance_) dropped_.drop(all_, tolerance);
    is_stale_ = false;
    tolerance_ = tolerance;
    if (dropped_.drops_nothing())
      factors_.solve(x.data());
    else
      dropped_.solve(x.data());
  }

 private:
  // The chosen rows do not stand beside their unknowns, and a block triangular form would order them for little fill
  // along the diagonal only.
  KluFactorsOf<Scalar> factors_{false};
  std::vector<Scalar> values_;
  TriangularFactorsOf<Scalar> all_;
  DroppedFactorsOf<Scalar> dropped_;
  double tolerance_ = 0;
  bool is_stale_ = true;  // the copy is that of other factors
};

/// Selectors are Boolean: the differential equations of the unknowns that are no pivots of the algebraic ones. All
/// unknowns are solved for at once. Rows and columns are brought to equal size, which does for constraints what
/// dividing them by h would.
class SparseStageSystem final : public StageSystem {
 public:
  SparseStageSystem(const MotionResidual& equations, const StageSystemOptions& options)
      : equations_(equations),
        options_(options),
        at_(equations.layout()),
        position_sizes_(position_sizes(equations.equations_of_motion())),
        velocity_sizes_(velocity_sizes(equations.equations_of_motion())),
        closes_alone_(equations.selects_velocities()) {}
  Outcome decompose(const SparseMatrix& J, int pattern_version) override;
  void renew_selectors() override;
  Outcome factor(double c_real, std::complex<double> c_complex) override;
  void solve(const Eigen::VectorXd& F, Eigen::VectorXd& dy) override;
  void solve(const Eigen::VectorXd& F_real, const Eigen::VectorXd& F_imaginary, Eigen::VectorXd& dy_real,
             Eigen::VectorXd& dy_imaginary) override;
  bool drop(double tolerance) override {
    drop_tolerance_ = tolerance;
    return true;
  }
  void solve_algebraic(const Eigen::VectorXd& F, Eigen::VectorXd& dy) override;
  void keep_chosen(Eigen::VectorXd& F) const override;
  SparseMatrix selection() const override;

 private:
  Outcome choose_pivots(const SparseMatrix& J, const Rows& leading, const Rows& rows, int leading_first,
                        int leading_count, int first, const Eigen::VectorXd& sizes, std::vector<char>& pivots) const;
  Outcome choose_selectors();
  void choose_rows();
  void build_matrix(const SparseMatrix& J);
  void build_closing_matrix(const SparseMatrix& J);
  bool is_rate_row(int row) const { return row < at_.differential(); }
  template <class Scalar>
  void fill(StageFactors<Scalar>& factors, Scalar c);
  void begin_scaling();
  Outcome factor_closing();

  const MotionResidual& equations_;
  StageSystemOptions options_;
  MotionLayout at_;
  Eigen::VectorXd position_sizes_, velocity_sizes_;
  std::vector<char> position_pivots_, velocity_pivots_;  // by position, by velocity
  std::vector<int> rows_;                                // of all equations, those that are kept
  int pattern_version_ = -1;
  double drop_tolerance_ = 0;
  const SparseMatrix* J_ = nullptr;  // values are read at each factorisation
  SparseMatrix matrix_;              // J of the kept rows
  std::vector<int> places_in_J_;     // by place of matrix_, -1 for entries of E alone
  std::vector<char> is_rate_;        // by place of matrix_: whether E has an entry 1 there
  RowColumnScaling scaling_;
  StageFactors<double> real_;
  StageFactors<std::complex<double>> complex_;
  // The algebraic rows with those unknowns held whose differential equations were chosen, where all levels are there.
  bool closes_alone_ = false, closing_is_stale_ = true;
  SparseMatrix closing_matrix_;
  std::vector<int> closing_places_in_J_;  // by place of closing_matrix_, -1 for the ones of held unknowns
  RowColumnScaling closing_scaling_;
  StageFactors<double> closing_;
  Eigen::VectorXd first_rows_, first_columns_;  // where scalings begin
  std::vector<double> x_;
  std::vector<std::complex<double>> z_;
};

/// Pivots among the unknowns from `first` on, after those of the leading rows.
/// @param sizes  of these unknowns, in which their entries are compared
Outcome SparseStageSystem::choose_pivots(const SparseMatrix& J, const Rows& leading, const Rows& rows,
                                         int leading_first, int leading_count, int first, const Eigen::VectorXd& sizes,
                                         std::vector<char>& pivots) const {
  std::vector<PivotColumns::Row> entries(detail::at(leading.count + rows.count));
  const auto gather = [&](int from, int shift, const Eigen::VectorXd& unit) {
    for (int i = 0; i < unit.size(); ++i)
      for (int k = J.begin(from + i); k < J.end(from + i); ++k)
        if (const int row = J.row(k) - leading.first; row >= 0 && row < leading.count + rows.count && J.value(k) != 0)
          entries[detail::at(row)].emplace_back(i + shift, J.value(k) * unit[i]);
  };
  const auto count = static_cast<int>(sizes.size());
  gather(leading_first, 0, Eigen::VectorXd::Ones(leading_count));
  gather(first, leading_count, sizes);
  std::vector<char> preferred(detail::at(leading_count + count), 0);
  std::copy(pivots.begin(), pivots.end(), preferred.begin() + leading_count);
  PivotColumns columns(std::move(entries), leading.count, leading_count, leading_count + count);
  if (!columns.choose(preferred)) {
    const int row = columns.dependent_row();
    const bool is_leading = columns.is_leading(row);
    return algebraic_defect(equations_, is_leading ? AlgebraicDefect::leading_block : AlgebraicDefect::rank, leading,
                            {leading.first + row});
  }
  pivots.assign(columns.is_pivot().begin() + leading_count, columns.is_pivot().end());
  return {};
}

Outcome SparseStageSystem::decompose(const SparseMatrix& J, int pattern_version) {
  ++decompositions_;
  J_ = &J;
  const std::int64_t updates_before = selector_updates_;
  if (Outcome chosen = choose_selectors(); !chosen) return chosen;
  const bool differ = selector_updates_ != updates_before;
  if (!differ && options_.selectors == SelectorRenewal::every_step) ++selector_updates_;
  if (differ || pattern_version != pattern_version_) build_matrix(J);
  pattern_version_ = pattern_version;
  closing_is_stale_ = true;
  return {};
}

/// Without a preference for those that did not serve.
void SparseStageSystem::renew_selectors() {
  position_pivots_.clear();
  velocity_pivots_.clear();
  if (choose_selectors()) build_matrix(*J_);
}

/// Chooses from J_; counts an update where the choice is another one.
Outcome SparseStageSystem::choose_selectors() {
  const SparseMatrix& J = *J_;
  std::vector<char> positions = position_pivots_, velocities = velocity_pivots_;
  positions.resize(detail::at(at_.v - at_.p), 0);
  velocities.resize(detail::at(at_.r - at_.v), 0);
  if (const Rows auxiliary = equations_.auxiliary();
      auxiliary.count > 0) {  // nothing is chosen, but d_w must be regular
    std::vector<char> none;
    if (Outcome regular = choose_pivots(J, auxiliary, {auxiliary.last(), 0}, at_.w, at_.s - at_.w, 0, {}, none);
        !regular)
      return regular;
  }
  if (equations_.selects_positions())
    if (Outcome chosen = choose_pivots(J, equations_.contact(), equations_.position(), at_.s, at_.lambda - at_.s, at_.p,
                                       position_sizes_, positions);
        !chosen)
      return chosen;
  if (equations_.selects_velocities())
    if (Outcome chosen = choose_pivots(J, {equations_.velocity().first, 0}, equations_.velocity(), 0, 0, at_.v,
                                       velocity_sizes_, velocities);
        !chosen)
      return chosen;
  if (positions == position_pivots_ && velocities == velocity_pivots_) return {};
  position_pivots_ = std::move(positions);
  velocity_pivots_ = std::move(velocities);
  ++selector_updates_;
  choose_rows();
  return {};
}

void SparseStageSystem::choose_rows() {
  rows_.clear();
  const auto add = [&](const Rows& rows, const std::vector<char>* pivots) {
    for (int i = 0; i < rows.count; ++i)
      if (!pivots || (*pivots)[detail::at(i)] == 0) rows_.push_back(rows.first + i);
  };
  add(equations_.position_rate(), &position_pivots_);
  add(equations_.velocity_rate(), &velocity_pivots_);
  for (const Rows& rows : {equations_.state_rate(), equations_.contact(), equations_.position(), equations_.velocity(),
                           equations_.auxiliary(), equations_.acceleration()})
    add(rows, nullptr);
}

void SparseStageSystem::build_matrix(const SparseMatrix& J) {
  std::vector<int> number(detail::at(J.rows()), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i) number[detail::at(rows_[i])] = static_cast<int>(i);
  SparsityPattern pattern(static_cast<int>(rows_.size()), J.columns());
  for (int j = 0; j < J.columns(); ++j)
    for (int k = J.begin(j); k < J.end(j); ++k)
      if (const int row = number[detail::at(J.row(k))]; row >= 0) pattern.rows[detail::at(row)].push_back(j);
  matrix_ = SparseMatrix(pattern);
  places_in_J_.clear();
  is_rate_.clear();
  for (int j = 0; j < matrix_.columns(); ++j)
    for (int k = matrix_.begin(j); k < matrix_.end(j); ++k) {
      const int row = rows_[detail::at(matrix_.row(k))];
      places_in_J_.push_back(J.place(row, j));
      is_rate_.push_back(row == j && j < at_.differential() ? 1 : 0);
    }
  real_.analyze(matrix_);
  complex_.analyze(matrix_);
  x_.resize(rows_.size());
  z_.resize(rows_.size());
  if (closes_alone_) build_closing_matrix(J);
}

void SparseStageSystem::build_closing_matrix(const SparseMatrix& J) {
  SparsityPattern pattern(matrix_.rows(), matrix_.columns());
  for (int j = 0; j < matrix_.columns(); ++j)
    for (int k = matrix_.begin(j); k < matrix_.end(j); ++k)
      if (const int row = matrix_.row(k); !is_rate_row(rows_[detail::at(row)]))
        pattern.rows[detail::at(row)].push_back(j);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (is_rate_row(rows_[i])) pattern.rows[i].push_back(rows_[i]);
  closing_matrix_ = SparseMatrix(pattern);
  closing_places_in_J_.clear();
  for (int j = 0; j < closing_matrix_.columns(); ++j)
    for (int k = closing_matrix_.begin(j); k < closing_matrix_.end(j); ++k) {
      const int row = rows_[detail::at(closing_matrix_.row(k))];
      closing_places_in_J_.push_back(is_rate_row(row) ? -1 : J.place(row, j));
    }
  closing_.analyze(closing_matrix_);
  closing_is_stale_ = true;
}

template <class Scalar>
void SparseStageSystem::fill(StageFactors<Scalar>& factors, Scalar c) {
  std::vector<Scalar>& values = factors.values();
  values.resize(places_in_J_.size());
  for (int j = 0; j < matrix_.columns(); ++j)
    for (int k = matrix_.begin(j); k < matrix_.end(j); ++k) {
      const std::size_t place = detail::at(k);
      Scalar value = J_->value(places_in_J_[place]);
      if (is_rate_[place] != 0) value += c;
      values[place] = value * (scaling_.rows()[matrix_.row(k)] * scaling_.columns()[j]);
    }
}

void SparseStageSystem::begin_scaling() {
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(equations_.equations());
  first_columns_.setZero(matrix_.columns());
  equations_.scale_by_coefficient(1, rows, first_columns_);
  first_rows_ = rows(rows_);
}

Outcome SparseStageSystem::factor_closing() {
  const auto fill = [&] {
    std::vector<double>& values = closing_.values();
    values.resize(closing_places_in_J_.size());
    for (int j = 0; j < closing_matrix_.columns(); ++j)
      for (int k = closing_matrix_.begin(j); k < closing_matrix_.end(j); ++k)
        values[detail::at(k)] =
            closing_matrix_.value(k) * closing_scaling_.rows()[closing_matrix_.row(k)] * closing_scaling_.columns()[j];
  };
  for (std::size_t place = 0; place < closing_places_in_J_.size(); ++place)
    closing_matrix_.values()[place] = closing_places_in_J_[place] < 0 ? 1 : J_->value(closing_places_in_J_[place]);
  closing_is_stale_ = false;
  if (closing_.has_pivots()) {
    fill();
    if (closing_.refactor(closing_matrix_)) return {};
  }
  begin_scaling();
  closing_scaling_.compute(closing_matrix_, first_rows_, first_columns_);
  fill();
  if (const int column = closing_.choose_pivots(closing_matrix_); column >= 0)
    return vanished_pivot(equations_, column);
  return {};
}

/// One scaling serves both systems: it is renewed with the pivots of either.
Outcome SparseStageSystem::factor(double c_real, std::complex<double> c_complex) {
  ++factorizations_;
  if (closes_alone_ && closing_is_stale_)
    if (Outcome factored = factor_closing(); !factored) return factored;
  if (real_.has_pivots() && complex_.has_pivots()) {
    fill(real_, c_real);
    fill(complex_, c_complex);
    if (real_.refactor(matrix_) && complex_.refactor(matrix_)) return {};
  }
  for (std::size_t place = 0; place < places_in_J_.size(); ++place)
    matrix_.values()[place] = J_->value(places_in_J_[place]) + (is_rate_[place] != 0 ? c_real : 0.0);
  begin_scaling();
  scaling_.compute(matrix_, first_rows_, first_columns_);
  fill(real_, c_real);
  fill(complex_, c_complex);
  if (const int column = real_.choose_pivots(matrix_); column >= 0) return vanished_pivot(equations_, column);
  if (const int column = complex_.choose_pivots(matrix_); column >= 0) return vanished_pivot(equations_, column);
  return {};
}

void SparseStageSystem::solve(const Eigen::VectorXd& F, Eigen::VectorXd& dy) {
  ++solves_;
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = -F[rows_[i]] * scaling_.rows()[static_cast<Eigen::Index>(i)];
  real_.solve(x_, drop_tolerance_);
  dy = Eigen::VectorXd::Map(x_.data(), static_cast<Eigen::Index>(x_.size())).cwiseProduct(scaling_.columns());
}

void SparseStageSystem::solve(const Eigen::VectorXd& F_real, const Eigen::VectorXd& F_imaginary,
                              Eigen::VectorXd& dy_real, Eigen::VectorXd& dy_imaginary) {
  ++solves_;
  for (std::size_t i = 0; i < z_.size(); ++i)
    z_[i] =
        -std::complex<double>(F_real[rows_[i]], F_imaginary[rows_[i]]) * scaling_.rows()[static_cast<Eigen::Index>(i)];
  complex_.solve(z_, drop_tolerance_);
  const auto z = Eigen::VectorXcd::Map(z_.data(), static_cast<Eigen::Index>(z_.size()));
  dy_real = z.real().cwiseProduct(scaling_.columns());
  dy_imaginary = z.imag().cwiseProduct(scaling_.columns());
}

/// Positions and velocities that the algebraic rows leave free stay. Where a form lacks a level, its unknowns follow
/// from differential equations, which are met then: they move p, v and r by h times what their rates change.
void SparseStageSystem::solve_algebraic(const Eigen::VectorXd& F, Eigen::VectorXd& dy) {
  if (!closes_alone_) {
    Eigen::VectorXd algebraic = F;
    algebraic.head(at_.differential()).setZero();
    return solve(algebraic, dy);
  }
  ++solves_;
  for (std::size_t i = 0; i < x_.size(); ++i)
    x_[i] = is_rate_row(rows_[i]) ? 0 : -F[rows_[i]] * closing_scaling_.rows()[static_cast<Eigen::Index>(i)];
  closing_.solve(x_);
  dy = Eigen::VectorXd::Map(x_.data(), static_cast<Eigen::Index>(x_.size())).cwiseProduct(closing_scaling_.columns());
}

void SparseStageSystem::keep_chosen(Eigen::VectorXd& F) const {
  for (int i = at_.p; i < at_.v; ++i)
    if (equations_.selects_positions() && position_pivots_[detail::at(i - at_.p)] != 0) F[i] = 0;
  for (int i = at_.v; i < at_.r; ++i)
    if (equations_.selects_velocities() && velocity_pivots_[detail::at(i - at_.v)] != 0) F[i] = 0;
}

SparseMatrix SparseStageSystem::selection() const {
  SparsityPattern places(static_cast<int>(rows_.size()), equations_.equations());
  for (std::size_t i = 0; i < rows_.size(); ++i) places.rows[i] = {rows_[i]};
  SparseMatrix S(places);
  std::fill(S.values().begin(), S.values().end(), 1.0);
  return S;
}

}  // namespace

std::unique_ptr<StageSystem> make_sparse_stage_system(const MotionResidual& equations,
                                                      const StageSystemOptions& options) {
  return std::make_unique<SparseStageSystem>(equations, options);
}

}  // namespace linkwork
