#include <linkwork/solvers/analyses/row_wrenches.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>

namespace linkwork {

using detail::at;

template <class Space>
RowWrenches<Space>::RowWrenches(const ModelData<Space>& data, const Topology& topology, EquationsOfMotion& equations,
                                const RowGroups& groups, double length)
    : data_(data), topology_(topology), equations_(equations), groups_(groups), length_(length) {
  int p = 0;
  for (const Topology::Node& node : topology_.nodes) {
    position_of_.push_back(p);
    if (node.body >= 0) p += data_.bodies[at(node.body)].body->coordinates();
  }
}

template <class Space>
Pose<Space> RowWrenches<Space>::body_pose(int label) const {
  Pose<Space> out;
  const Topology::Node& node = topology_.nodes[at(label)];
  if (node.body < 0) return out;
  const double* p = equations_.position().data() + position_of_[at(label)];
  if (data_.bodies[at(node.body)].body->rotates()) {
    if constexpr (Space::dimension == 2) {
      out.rotation = rotation_matrix(p[0]);
      p += 1;
    } else {
      out.rotation = rotation_matrix(Eigen::Quaterniond(p[0], p[1], p[2], p[3]));
      p += 4;
    }
  }
  out.position = Vector<Space>::Map(p);
  return out;
}

template <class Space>
auto RowWrenches<Space>::place(const Frame<Space>& frame) const -> FramePlace {
  FramePlace out;
  out.label = frame.body < 0 ? 0 : topology_.label_of_body[at(frame.body)];
  const Pose<Space> body = body_pose(out.label);
  out.body_axes = body.rotation;
  out.arm = body.rotation * frame.offset;
  if (frame.body >= 0) out.arm -= body.rotation * data_.bodies[at(frame.body)].body->center_of_mass();
  out.pose.position = body.position + out.arm;
  out.pose.rotation = body.rotation * rotation_matrix(frame.orientation);
  return out;
}

template <class Space>
std::vector<NamedAxes<Space>> RowWrenches<Space>::axes_of(int element) const {
  const std::vector<Frame<Space>>& frames = data_.constraints[at(element)].constraint->frames();
  return {{Rotation<Space>::Identity(), ""},
          {place(frames.front()).pose.rotation, " of the joint frame"},
          {place(frames.back()).pose.rotation, " of the son's joint frame"}};
}

template <class Space>
Eigen::MatrixXd RowWrenches<Space>::wrenches(int element, const Eigen::MatrixXd& combinations) const {
  const std::vector<Frame<Space>>& frames = data_.constraints[at(element)].constraint->frames();
  const auto frame = std::find_if(frames.rbegin(), frames.rend(), [](const auto& f) { return f.body >= 0; });
  const FramePlace where = place(*frame);
  const int column = groups_.column_of(where.label);
  const int angular = topology_.nodes[at(where.label)].freedoms - Space::dimension;
  const std::vector<int>& rows = groups_.rows_of(element);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(Space::n, combinations.cols());
  for (Eigen::Index k = 0; k < combinations.cols(); ++k) {
    Eigen::Matrix<double, Space::n, 1> sum = Eigen::Matrix<double, Space::n, 1>::Zero();
    const BlockMatrix& G = equations_.G();
    for (std::size_t b = 0; b < G.blocks().size(); ++b) {
      const BlockMatrix::Block& block = G.blocks()[b];
      if (block.column < column || block.column >= column + angular + Space::dimension) continue;
      for (int r = 0; r < block.height; ++r) {
        const auto row = std::find(rows.begin(), rows.end(), block.row + r);
        if (row == rows.end()) continue;
        for (int c = 0; c < block.width; ++c)
          sum[block.column - column + c + Space::angular - angular] +=
              G.values(static_cast<int>(b))[r * block.width + c] * combinations(row - rows.begin(), k);
      }
    }
    const Vector<Space> force = sum.template tail<Space::dimension>();
    Angular<Space> torque;
    if constexpr (Space::dimension == 2)
      torque = sum[0] - cross(where.arm, force);
    else
      torque = where.body_axes * sum.template head<3>() - cross(where.arm, force);
    if constexpr (Space::dimension == 2)
      out(0, k) = torque / length_;
    else
      out.col(k).template head<3>() = torque / length_;
    out.col(k).template tail<Space::dimension>() = force;
  }
  return out;
}

template class RowWrenches<Planar>;
template class RowWrenches<Spatial>;

}  // namespace linkwork
