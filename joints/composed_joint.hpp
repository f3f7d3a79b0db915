#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/joints/pieces.hpp>

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace linkwork {

/// A joint whose rows are those of its pieces, one after another. What is left to say is type() and X(q).
template <class Space, class... Pieces>
class ComposedJoint : public Joint<Space> {
 public:
  int freedoms() const final { return Space::n - (Pieces::count + ... + 0); }
  bool is_angular(int row) const final {
    int last = 0;
    bool found = false, angular = false;
    const auto look = [&](int count, bool of_piece) {
      last += count;
      if (!found && row < last) {
        found = true;
        angular = of_piece;
      }
    };
    (look(Pieces::count, Pieces::is_angular), ...);
    return angular;
  }
  int memory_size() const final { return 0; }
  std::vector<Input> inputs() const final {
    std::vector<Input> out;
    for_each([&](const auto& piece, int) {
      if constexpr (requires { piece.inputs(); })
        for (const Input& input : piece.inputs()) out.push_back(input);
    });
    return out;
  }
  bool is_invariant() const final { return (piece_is_invariant<Pieces>() && ...); }
  RowUse row_use(int row, int frame) const final {
    RowUse out;
    for_each([&](const auto& piece, int first) {
      if constexpr (requires { piece.use(frame); })
        if (row >= first && row < first + piece.count) out = piece.use(frame);
    });
    return out;
  }

 protected:
  explicit ComposedJoint(Pieces... pieces) : pieces_(std::move(pieces)...) {}
  template <std::size_t index>
  const auto& piece() const {
    return std::get<index>(pieces_);
  }

 private:
  void do_residual(const Motion<Space>& m, double* g) const final {
    for_each([&](const auto& piece, int first) { piece.residual(m, g + first); });
  }
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const final {
    for_each([&](const auto& piece, int first) { piece.rows(m, first, out); });
  }
  void do_bias(const Motion<Space>& m, double* bias) const final {
    for_each([&](const auto& piece, int first) { piece.bias(m, bias + first); });
  }
  void do_remember(const Motion<Space>&, bool, double*) const final {}

  template <class Piece>
  static constexpr bool piece_is_invariant() {
    if constexpr (requires { Piece::is_invariant; })
      return Piece::is_invariant;
    else
      return false;
  }
  /// Calls function(piece, number of its first row).
  template <class Function>
  void for_each(Function&& function) const {
    int first = 0;
    std::apply(
        [&](const Pieces&... piece) {
          const auto visit = [&](const auto& one, int count) {
            function(one, first);
            first += count;
          };
          (visit(piece, Pieces::count), ...);
        },
        pieces_);
  }

  std::tuple<Pieces...> pieces_;
};

}  // namespace linkwork
