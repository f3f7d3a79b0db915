#include <linkwork/solvers/newton/corrector_instruments.hpp>

#include <linkwork/solvers/newton/spectral_radius.hpp>

namespace linkwork {

CorrectorInstruments::CorrectorInstruments(ResidualFunction& system, const CorrectorOptions& options,
                                           const JacobianOptions& jacobian)
    : observe_(options.observe), product_(Eigen::VectorXd::Zero(system.size())) {
  if (options.measures_spectral_radius) jacobian_.emplace(system, jacobian);
}

/// Where F can't be evaluated beside the point, nothing is measured.
void CorrectorInstruments::look(const JacobianPoint& point, const Eigen::VectorXd& F, const Solve& solve) {
  if (!jacobian_ || spectral_radius_ >= 0) return;
  if (!jacobian_->difference(point, F)) return;
  spectral_radius_ = spectral_radius(static_cast<int>(product_.size()), [&](Eigen::VectorXd& x) {
    product_.setZero();
    jacobian_->matrix().multiply_add(1, x, product_);
    solve(product_);
    x -= product_;
  });
}

void CorrectorInstruments::end(CorrectorRecord record) {
  record.spectral_radius = spectral_radius_;
  observe_(record);
}

}  // namespace linkwork
