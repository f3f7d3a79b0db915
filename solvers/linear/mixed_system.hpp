#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>
#include <linkwork/solvers/linear/split_subspace.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

/// [M G^T; G 0] in coordinates of bodies and of joints, by the joint tree that they make (see MixedTree). The right
/// side of a body is a wrench on its link, the right side of a relation an offset of the accelerations across the
/// joint, and minus the joint's wrench its multiplier. The relation of a cut joint is split by an orthogonal basis of
/// what its S reaches and what it does not: the first part gives the joint's own coordinates, the second one is a
/// closure. The joint tree may be eliminated in any way:
///
///   Elimination(const JointTree<Space>&, const Closures&)
///   JointSingularity factor()                              row: among those of the closures
///   std::string refusal(), bool is_delicate()              as in JointElimination
///   void solve(const TreeLoad<Space>&, const double* g, double* acceleration, double* lambda)
///   Twist<Space> link_acceleration(int link)
///   void joint_wrenches(Wrench<Space>*)                    of the last solution
template <class Space, class Elimination>
class MixedSystem final : public JointElimination {
 public:
  static constexpr int n = Space::n, angular = Space::angular, dimension = Space::dimension;

  explicit MixedSystem(const MixedTree<Space>& mixed) : mixed_(mixed), tree_(mixed.tree) {
    const std::size_t links = tree_.links.size();
    wrench_.resize(links);
    offset_.resize(links);
    joint_wrench_.resize(links);
  }

  JointSingularity factor(RowKind kind) override {
    std::unique_ptr<Kind>& of_kind = kinds_[static_cast<std::size_t>(kind)];
    if (!of_kind) of_kind = std::make_unique<Kind>(mixed_, tree_.closures_of(kind));
    current_ = of_kind.get();
    if (const int velocity = current_->refresh(mixed_, tree_.closures_of(kind)); velocity >= 0)
      return {velocity, -1, false};
    closures_ = &tree_.closures_of(kind);
    JointSingularity singularity = current_->elimination.factor();
    if (singularity.row >= 0) singularity.row = current_->matrix_row[detail::at(singularity.row)];
    return singularity;
  }

  std::string refusal() const override { return current_->elimination.refusal(); }
  bool is_delicate() const override { return current_->elimination.is_delicate(); }

  void solve(const double* f, const double* g, double* w, double* lambda) override {
    load_bodies(f);
    load_relations(f, g);
    Kind& kind = *current_;
    kind.elimination.solve({f, wrench_.data(), offset_.data()}, kind.g.data(), w, kind.lambda.data());
    kind.elimination.joint_wrenches(joint_wrench_.data());
    read_bodies(w);
    read_relations(w, lambda);
  }

 private:
  using Relation = typename MixedTree<Space>::Relation;
  using Closures = typename JointTree<Space>::Closures;

  /// A cut joint.
  struct Cut {
    int relation = 0;
    int first = 0;  ///< its rows in the closures of the elimination
    SplitSubspace<Space> subspace;
    Components<Space> own = Components<Space>::Zero();   ///< of the right side of its relation
    Components<Space> held = Components<Space>::Zero();  ///< the part of its multipliers that its own force gives
  };
  /// A constraint whose rows stay as they are.
  struct Kept {
    int closure = 0, first = 0;
  };
  /// Of one kind of rows.
  struct Kind {
    std::vector<Cut> cuts;
    std::vector<Kept> kept;
    std::vector<int> matrix_row;
    std::vector<double> g, lambda;
    Closures closures;  ///< without the coordinates of cut joints; laid out after the lists above
    Elimination elimination;
    double length = 0;  ///< that a radian counts, from the first factorisation on [m]

    Kind(const MixedTree<Space>& mixed, const Closures& from)
        : closures(lay_out(mixed, from)), elimination(mixed.tree, closures) {}

    Closures lay_out(const MixedTree<Space>& mixed, const Closures& from) {
      Closures out;
      const auto add = [&](const typename JointTree<Space>::Closure& closure, int count) {
        typename JointTree<Space>::Closure reduced{out.row_count, count, closure.meeting, {}};
        for (const auto& part : closure.parts) {
          reduced.parts.push_back({part.link, static_cast<int>(out.rows.size())});
          out.rows.resize(out.rows.size() + detail::at(count), Components<Space>::Zero());
        }
        for (int i = 0; i < count; ++i) matrix_row.push_back(closure.row + i);
        out.list.push_back(std::move(reduced));
        out.row_count += count;
      };
      std::vector<int> relation_of(from.list.size(), -1);
      for (std::size_t r = 0; r < mixed.relations.size(); ++r)
        if (mixed.relations[r].link == 0) relation_of[detail::at(mixed.relations[r].closure)] = static_cast<int>(r);
      for (std::size_t c = 0; c < from.list.size(); ++c) {
        const int relation = relation_of[c];
        if (relation < 0) {
          kept.push_back({static_cast<int>(c), out.row_count});
          add(from.list[c], from.list[c].count);
        } else {
          cuts.emplace_back();
          cuts.back().relation = relation;
          cuts.back().first = out.row_count;
          add(from.list[c], n - mixed.relations[detail::at(relation)].freedoms);
        }
      }
      g.resize(detail::at(out.row_count));
      lambda.resize(detail::at(out.row_count));
      return out;
    }

    /// @return the velocity of a cut joint that its S does not depend on, or -1
    int refresh(const MixedTree<Space>& mixed, const Closures& from) {
      if (length == 0) length = length_of(mixed.tree);
      for (Cut& cut : cuts) {
        const Relation& relation = mixed.relations[detail::at(cut.relation)];
        const int dependent = cut.subspace.split(relation.S, length);
        if (dependent >= 0) return relation.column + dependent;
        const auto& closure = from.list[detail::at(relation.closure)];
        const auto& reduced = closures.list[detail::at(relation.closure)];
        for (std::size_t p = 0; p < closure.parts.size(); ++p) {
          const Components<Space>* rows = from.rows.data() + closure.parts[p].first;
          for (int i = 0; i < reduced.count; ++i) {
            Components<Space>& row = closures.rows[detail::at(reduced.parts[p].first + i)];
            row.setZero();
            for (int k = 0; k < n; ++k) row += cut.subspace.basis()(k, relation.freedoms + i) * rows[k];
          }
        }
      }
      for (const Kept& each : kept) {
        const auto& closure = from.list[detail::at(each.closure)];
        const auto& same = closures.list[detail::at(each.closure)];
        for (std::size_t p = 0; p < closure.parts.size(); ++p)
          std::copy_n(from.rows.begin() + closure.parts[p].first, closure.count,
                      closures.rows.begin() + same.parts[p].first);
      }
      return -1;
    }
  };

  /// Right sides of bodies that joints lead to; those of the others are forces on the coordinates of their links.
  void load_bodies(const double* f) {
    for (std::size_t label = 1; label < wrench_.size(); ++label) {
      wrench_[label] = {};
      offset_[label] = {};
      if (tree_.links[label].is_free) continue;
      const double* of_body = f + mixed_.bodies[label].column;
      Components<Space> wrench;
      for (int i = 0; i < angular; ++i) wrench[i] = -of_body[i];
      wrench.template tail<dimension>() = -(mixed_.attitude[label].transpose() * Vector<Space>::Map(of_body + angular));
      assign(wrench, wrench_[label]);
    }
  }

  void load_relations(const double* f, const double* g) {
    for (const Relation& relation : mixed_.relations)
      if (relation.link > 0)
        assign(sign(relation) * carried<Space>(relation.frame, Components<Space>::Map(g + relation.row)),
               offset_[detail::at(relation.link)]);
    Kind& kind = *current_;
    for (const Kept& each : kind.kept) {
      const auto& closure = closures_->list[detail::at(each.closure)];
      std::copy_n(g + closure.row, closure.count, kind.g.begin() + each.first);
    }
    for (Cut& cut : kind.cuts) {
      const Relation& relation = mixed_.relations[detail::at(cut.relation)];
      const int freedoms = relation.freedoms;
      cut.own = Components<Space>::Map(g + relation.row);
      const Components<Space> split = cut.subspace.basis().transpose() * cut.own;
      std::copy_n(split.data() + freedoms, n - freedoms, kind.g.begin() + cut.first);
      cut.held = -cut.subspace.dual(f + relation.column);
      for (const auto& part : closures_->list[detail::at(relation.closure)].parts) {
        Components<Space> wrench = components(wrench_[detail::at(part.link)]);
        for (int k = 0; k < n; ++k) wrench += cut.held[k] * closures_->rows[detail::at(part.first + k)];
        assign(wrench, wrench_[detail::at(part.link)]);
      }
    }
  }

  void read_bodies(double* w) const {
    for (std::size_t label = 1; label < tree_.links.size(); ++label) {
      if (tree_.links[label].is_free) continue;
      const Components<Space> A = components(current_->elimination.link_acceleration(static_cast<int>(label)));
      double* of_body = w + mixed_.bodies[label].column;
      for (int i = 0; i < angular; ++i) of_body[i] = A[i];
      Vector<Space>::Map(of_body + angular) = mixed_.attitude[label] * A.template tail<dimension>();
    }
  }

  void read_relations(double* w, double* lambda) const {
    const Kind& kind = *current_;
    for (const Relation& relation : mixed_.relations)
      if (relation.link > 0)
        Components<Space>::Map(lambda + relation.row) =
            -sign(relation) * carried_back<Space>(relation.frame, components(joint_wrench_[detail::at(relation.link)]));
    for (const Kept& each : kind.kept) {
      const auto& closure = closures_->list[detail::at(each.closure)];
      std::copy_n(kind.lambda.begin() + each.first, closure.count, lambda + closure.row);
    }
    for (const Cut& cut : kind.cuts) {
      const Relation& relation = mixed_.relations[detail::at(cut.relation)];
      Components<Space> relative = -cut.own, multipliers = cut.held;
      for (const auto& part : closures_->list[detail::at(relation.closure)].parts) {
        const Components<Space> A = components(kind.elimination.link_acceleration(part.link));
        for (int k = 0; k < n; ++k) relative[k] += closures_->rows[detail::at(part.first + k)].dot(A);
      }
      cut.subspace.coordinates(relative, w + relation.column);
      for (int i = relation.freedoms; i < n; ++i)
        multipliers += kind.lambda[detail::at(cut.first + i - relation.freedoms)] * cut.subspace.basis().col(i);
      Components<Space>::Map(lambda + relation.row) = multipliers;
    }
  }

  static double sign(const Relation& relation) { return relation.reversed ? -1 : 1; }

  const MixedTree<Space>& mixed_;
  const JointTree<Space>& tree_;
  std::array<std::unique_ptr<Kind>, 2> kinds_;
  Kind* current_ = nullptr;
  const Closures* closures_ = nullptr;  ///< of the tree
  std::vector<Wrench<Space>> wrench_, joint_wrench_;
  std::vector<Twist<Space>> offset_;
};

}  // namespace linkwork
