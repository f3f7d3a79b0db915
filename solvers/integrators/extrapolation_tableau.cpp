#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>

namespace linkwork {

void ExtrapolationTableau::add(Eigen::VectorXd& value) {
  ++lines_;
  const auto count = static_cast<std::size_t>(lines_);
  if (entries_.size() < count) {
    entries_.resize(count);
    differences_.resize(count);
  }
  const int line = first_line_ + lines_ - 1;
  entries_[count - 1].swap(value);
  // The newest entry walks down the line; entry k of the line before makes room for entry k of this one.
  for (int k = 1; k < lines_; ++k) {
    const double quotient = static_cast<double>(sequence_->steps(line)) / sequence_->steps(line - k);
    const double ratio = (sequence_->power == 1 ? quotient : quotient * quotient) - 1.0;
    Eigen::VectorXd& newest = entries_[count - 1];
    Eigen::VectorXd& above = entries_[static_cast<std::size_t>(k - 1)];
    Eigen::VectorXd& difference = differences_[static_cast<std::size_t>(k - 1)];
    difference = (newest - above) / ratio;
    above = newest;
    newest += difference;
  }
}

}  // namespace linkwork
