#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>
#include <linkwork/solvers/jacobian/difference_quotients.hpp>
#include <linkwork/solvers/jacobian/jacobian_options.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace linkwork {

/// Why a new Jacobian is wanted.
enum class JacobianCause {
  start,        ///< there is none, or everything has changed (a restart)
  coefficient,  ///< alpha has changed
  convergence   ///< Newton's iteration is slow or fails
};

/// The Jacobian J = alpha dF/dy' + dF/dy of a residual function (CORR 15), kept up to date by the cheapest means that
/// may help: all strategies of CORR 3, and the refresh of single blocks. Where the function knows dF/dy', both parts
/// are kept apart: differences leave y' alone, so that dF/dy does not drown in alpha dF/dy' at a step of 1e-10 s.
///
/// One object per run and thread. Differences and updates allocate nothing once the pattern is found.
class Jacobian {
 public:
  /// @throws ModelError for options that are out of range, or that the function can't serve
  Jacobian(ResidualFunction& function, const JacobianOptions& options);

  /// A new Jacobian at a point, by the cheapest means that `cause` allows and that has not been tried at this time:
  /// update, changed blocks, all columns, a new pattern. `F` is F(t, y, y'). Fails where F can't be evaluated beside
  /// the point, naming the unknown; some columns may be new then.
  Outcome renew(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause);
  /// Whether renew, called at time t for the sake of convergence, has anything better left; if not, the step is too
  /// large.
  bool can_improve(double t) const;

  // The means by themselves.
  /// Differences of all columns; finds the pattern first where there is none yet.
  Outcome difference(const JacobianPoint& point, const Eigen::VectorXd& F);
  /// CORR (22) to (26). Needs an earlier difference and PartitionedUpdates `on` or `extended`.
  Outcome update(const JacobianPoint& point);
  /// Differences of the blocks that have changed. A block is made of columns with entries in the same rows, such as the
  /// velocities of a body. Needs an earlier difference.
  Outcome refresh_blocks(const JacobianPoint& point, const Eigen::VectorXd& F);
  /// Dense differences, whose entries are added to the pattern. Also the first thing done where the pattern is not
  /// declared; a pattern that is declared in part then takes a second look, at random values nearby, for entries that
  /// are zero by chance, as much is at rest.
  Outcome search_pattern(const JacobianPoint& point, const Eigen::VectorXd& F);

  const SparseMatrix& matrix() const { return matrix_; }
  /// Of matrix().
  double alpha() const { return alpha_; }
  /// Changes when the places of matrix() do.
  int pattern_version() const { return pattern_version_; }
  const JacobianOptions& options() const { return options_; }
  const JacobianStatistics& statistics() const { return statistics_; }

 private:
  /// In the order in which they are tried.
  enum class Means { none, update, blocks, difference, pattern };
  /// Numbers in lists one after another.
  struct Lists {
    std::vector<int> starts = {0}, items;
    int count() const { return static_cast<int>(starts.size()) - 1; }
    const int* begin(int list) const { return items.data() + starts[static_cast<std::size_t>(list)]; }
    const int* end(int list) const { return items.data() + starts[static_cast<std::size_t>(list) + 1]; }
    /// The numbers i with list_of[i] >= 0, by list.
    void sort(const std::vector<int>& list_of, int lists);
  };
  /// Derivative of dF/dy by u, u' or u'' of an input.
  struct InputDerivative {
    int input = 0;
    double InputValue::*order = nullptr;
    bool is_zero = true;
    std::vector<double> values;  // by place of matrix_
  };

  /// How long something that did not pay is not tried again: for twice as many evaluations each time.
  struct Waits {
    int vain = 0;
    std::int64_t evaluations = 0;  // when it was tried last
    bool are_over(std::int64_t evaluations_now) const;
    void note(bool has_paid, std::int64_t evaluations_now);
  };
  struct Quotient {
    int row = 0, column = 0;
    double value = 0;
  };

  std::int64_t evaluations() const { return statistics_.differenced + statistics_.refreshed; }
  bool updates_apart() const { return options_.partitioned != PartitionedUpdates::off; }
  Means next_means(const JacobianPoint& point, JacobianCause cause) const;
  Means after(Means tried) const;
  Outcome apply(Means means, const JacobianPoint& point, const Eigen::VectorXd& F);
  void note(Means means, double t);
  bool may_search() const;
  bool may_refresh() const;

  void set_pattern(const SparsityPattern& detected);
  SparsityPattern unknown_entries() const;
  void find_groups(const SparsityPattern& differenced);
  void find_blocks(const SparsityPattern& differenced);
  bool adds_entries(const SparsityPattern& detected) const;
  Outcome difference_densely(const Eigen::VectorXd& F, std::vector<Quotient>& found);
  void look_nearby(const JacobianPoint& point, SparsityPattern& detected);

  Outcome difference_columns(const Eigen::VectorXd& F, const int* first, const int* last, std::vector<double>& values);
  Outcome difference_groups(const Eigen::VectorXd& F, std::vector<double>& values);
  Outcome difference_inputs(const Eigen::VectorXd& F);
  void measure_rounding();
  Outcome difference_input(InputDerivative& derivative);
  Outcome finish_difference(const JacobianPoint& point, const Eigen::VectorXd& F, Means means);
  void mark_changed_blocks(const Eigen::VectorXd& F);
  void measure_rows(const std::vector<double>& values);
  Outcome renew_known_parts(const JacobianPoint& point);
  /// J from its parts. @return the largest change of an entry, relative to its row's largest term
  double combine(const JacobianPoint& point);

  ResidualFunction& function_;
  JacobianOptions options_;
  JacobianStatistics statistics_;
  DifferenceQuotients quotients_;

  bool pattern_is_whole_ = false;  // nothing outside can appear
  SparsityPattern pattern_;
  int pattern_version_ = 0;

  SparseMatrix matrix_, rate_, known_;            // J, dF/dy', the known entries of dF/dy
  std::vector<double> differenced_, state_part_;  // dF/dy when it was differenced, and now, by place of matrix_
  std::vector<double> combined_;                  // the next values of matrix_
  std::vector<int> rate_places_, known_places_;   // of the entries of rate_ and known_, in matrix_
  std::vector<char> is_known_;                    // by place of matrix_

  Lists groups_;        // columns by group
  Lists blocks_;        // columns by block
  Lists block_groups_;  // blocks by group
  std::vector<int> block_of_column_;
  std::vector<char> has_changed_;      // by block
  std::vector<int> probed_, changed_;  // columns
  Eigen::VectorXd expected_, largest_term_, F_of_input_;
  Eigen::VectorXd sizes_;  // what counts as one of each unknown

  std::vector<InputDerivative> input_derivatives_;
  std::vector<InputValue> inputs_, inputs_of_now_;                // when dF/dy was differenced, and at the last point
  std::vector<double> unshifted_quotients_, quotients_of_input_;  // with the increments of second derivatives
  Eigen::VectorXd rounding_;                                      // of F

  double alpha_ = 0, change_ = 0;
  Means tried_ = Means::none;  // at tried_time_
  double tried_time_ = 0;
  double differenced_time_ = 0;
  Waits searches_, refreshes_;
};

}  // namespace linkwork
