#include <linkwork/solvers/integrators/foresight.hpp>

#include <linkwork/solvers/manifold/projection.hpp>

namespace linkwork {

BasicScheme::Surprise Foresight::surprise(const Eigen::VectorXd& found, double h, const Eigen::VectorXd& weights,
                                          double share) const {
  constexpr double least = 3;  // tolerances
  const Eigen::VectorXd difference = found - expected;
  const double size = h * scaled_norm(difference, weights);
  const double doubt = h * scaled_norm(expected - by_one_line_less, weights);
  BasicScheme::Surprise out;
  if (size <= least || size <= share * doubt) return out;
  out.size = size;
  Eigen::Index worst = 0;
  difference.cwiseQuotient(weights).cwiseAbs().maxCoeff(&worst);
  out.component = static_cast<int>(worst);
  return out;
}

}  // namespace linkwork
