// How long the steps are that are to pass a singular position.

#include <linkwork/solvers/integrators/singular_passage.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace linkwork {
namespace singular_passage_test {

/// The lengths that are tried before a shorter step.
std::vector<double> lengths(SingularPassage& passage, double shorter) {
  std::vector<double> all;
  passage.come_nearer_by(shorter);
  for (double length = passage.next(); passage.is_under_way(); length = passage.next()) all.push_back(length);
  EXPECT_EQ(passage.next(), shorter);
  return all;
}

void expect_powers(const std::vector<double>& all, int first, int last) {
  ASSERT_EQ(all.size(), last - first);
  for (int i = first; i < last; ++i) EXPECT_NEAR(all[static_cast<std::size_t>(i - first)], std::pow(0.7, i), 1e-15);
}

// Three before each shorter step, none below a sixteenth of the usual one or twice the shorter one.
TEST(SingularPassage, TriesLengthsBeforeItComesNearer) {
  SingularPassage passage;
  passage.begin(1);
  EXPECT_FALSE(passage.is_under_way());
  expect_powers(lengths(passage, 1e-3), 0, 3);
  expect_powers(lengths(passage, 0.15), 3, 4);
  expect_powers(lengths(passage, 1e-6), 4, 7);
  expect_powers(lengths(passage, 1e-6), 7, 8);
  expect_powers(lengths(passage, 1e-6), 8, 8);
}

// An attempt that failed by its error, or was cut at the end of a run, says what is too long.
TEST(SingularPassage, TriesNothingLongerThanItIsTold) {
  SingularPassage passage;
  passage.begin(1);
  passage.come_nearer_by(1e-3);
  EXPECT_EQ(passage.next(), 1);
  passage.shorten_to(0.3);
  EXPECT_EQ(passage.next(), 0.3);
  passage.shorten_to(1e-3);
  EXPECT_EQ(passage.next(), 1e-3);
  EXPECT_FALSE(passage.is_under_way());
}

}  // namespace singular_passage_test
}  // namespace linkwork
