#include <linkwork/solvers/analyses/directions.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>

#include <Eigen/Core>
#include <array>
#include <cmath>

namespace linkwork {

namespace {

constexpr double negligible_share = 1e-5;  // of unit vectors
constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

/// Orthonormal basis of the columns.
Eigen::MatrixXd range(const Eigen::MatrixXd& vectors) {
  if (vectors.cols() == 0) return vectors;
  const SingularValues svd(vectors, Eigen::ComputeThinU);
  Eigen::Index rank = 0;
  while (rank < svd.values().size() && svd.values()[rank] > negligible_share * svd.values()[0]) ++rank;
  return svd.U().leftCols(svd.values()[0] > 0 ? rank : 0);
}

/// The vectors of an orthonormal basis's span that have nothing in the given rows.
Eigen::MatrixXd without(const Eigen::MatrixXd& basis, Eigen::Index first, Eigen::Index count) {
  const SingularValues svd(basis.middleRows(first, count), Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < svd.values().size() && svd.values()[rank] > negligible_share) ++rank;
  return basis * svd.V().rightCols(basis.cols() - rank);
}

/// Numbers of the coordinate axes that span the orthonormal columns; empty if they don't.
std::vector<int> spanning_axes(const Eigen::MatrixXd& part) {
  std::vector<int> out;
  for (Eigen::Index i = 0; i < part.rows(); ++i) {
    const double share = part.row(i).squaredNorm();
    if (share > 1 - negligible_share)
      out.push_back(static_cast<int>(i));
    else if (share > negligible_share)
      return {};
  }
  return out;
}

/// The vector or its opposite: whichever has a positive largest component.
Eigen::VectorXd upright(const Eigen::VectorXd& direction) {
  Eigen::Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  return direction[largest] < 0 ? Eigen::VectorXd(-direction) : direction;
}

/// Three digits, zeros clean.
std::string components(const Eigen::VectorXd& direction) {
  std::string out = "(";
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    const double rounded = std::round(1000 * direction[i]) / 1000;
    out += concat(i > 0 ? " " : "", rounded == 0 ? 0.0 : rounded);
  }
  return out + ")";
}

/// Names of an orthonormal basis of directions of one part.
template <class Space>
void add_names(const Eigen::MatrixXd& part, const char* word, const char* preposition,
               const std::vector<NamedAxes<Space>>& axes, std::vector<std::string>& names) {
  if (part.cols() == 0) return;
  if (part.rows() == 1) return names.emplace_back(word), void();
  for (const NamedAxes<Space>& candidate : axes) {
    const std::vector<int> found = spanning_axes(candidate.axes.transpose() * part);
    for (const int axis : found)
      names.push_back(
          concat(word, ' ', preposition, ' ', axis_names[static_cast<std::size_t>(axis)], candidate.suffix));
    if (!found.empty()) return;
  }
  for (Eigen::Index k = 0; k < part.cols(); ++k)
    names.push_back(concat(word, ' ', preposition, ' ', components(upright(part.col(k)))));
}

}  // namespace

template <class Space>
std::vector<std::string> direction_names(const Eigen::MatrixXd& vectors, const std::vector<NamedAxes<Space>>& axes,
                                         const DirectionWords& words) {
  constexpr Eigen::Index angular = Space::angular, linear = Space::dimension;
  std::vector<std::string> names;
  const Eigen::MatrixXd basis = range(vectors);
  if (basis.cols() == 0) return names;
  const Eigen::MatrixXd pure_linear = without(basis, 0, angular), pure_angular = without(basis, angular, linear);
  add_names<Space>(pure_linear.bottomRows(linear), words.linear, "along", axes, names);
  add_names<Space>(pure_angular.topRows(angular), words.angular, "about", axes, names);

  const Eigen::Index mixed = basis.cols() - pure_linear.cols() - pure_angular.cols();
  if (mixed == 0) return names;
  Eigen::MatrixXd pure(basis.rows(), pure_linear.cols() + pure_angular.cols());
  pure << pure_linear, pure_angular;
  const Eigen::MatrixXd rest = range(basis - pure * (pure.transpose() * basis));
  for (Eigen::Index k = 0; k < rest.cols(); ++k) {
    const Eigen::VectorXd vector = rest.col(k);
    const Eigen::VectorXd along = upright(vector.tail(linear));
    const double sign = along.dot(vector.tail(linear)) < 0 ? -1 : 1;
    std::string line = concat(words.linear, " along ", components(along.normalized()), " with ", words.angular);
    if (angular > 1) line += concat(" about ", components(sign * vector.head(angular).normalized()));
    names.push_back(std::move(line));
  }
  return names;
}

template std::vector<std::string> direction_names(const Eigen::MatrixXd&, const std::vector<NamedAxes<Planar>>&,
                                                  const DirectionWords&);
template std::vector<std::string> direction_names(const Eigen::MatrixXd&, const std::vector<NamedAxes<Spatial>>&,
                                                  const DirectionWords&);

}  // namespace linkwork
