#include <linkwork/core/errors.hpp>
#include <linkwork/topology/column_groups.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace linkwork {
namespace column_groups_test {

SparsityPattern tridiagonal(int size) {
  SparsityPattern pattern(size, size);
  for (int i = 0; i < size; ++i)
    for (int j = std::max(0, i - 1); j <= std::min(size - 1, i + 1); ++j)
      pattern.rows[static_cast<std::size_t>(i)].push_back(j);
  return pattern;
}

/// Entries in the first row, the first column and the diagonal.
SparsityPattern arrow(int size) {
  SparsityPattern pattern(size, size);
  for (int i = 0; i < size; ++i) {
    pattern.rows[0].push_back(i);
    if (i > 0) pattern.rows[static_cast<std::size_t>(i)] = {0, i};
  }
  return pattern;
}

SparsityPattern random_pattern(int rows, int columns, int entries, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> column(0, columns - 1);
  SparsityPattern pattern(rows, columns);
  for (std::vector<int>& row : pattern.rows) {
    std::set<int> chosen;
    for (int k = 0; k < entries; ++k) chosen.insert(column(generator));
    row.assign(chosen.begin(), chosen.end());
  }
  return pattern;
}

TEST(ColumnGroups, AreThreeForATridiagonalMatrix) {
  const ColumnGroups groups = group_columns(tridiagonal(50));
  EXPECT_EQ(groups.count, 3);
  EXPECT_EQ(groups.lower_bound, 3);
  EXPECT_TRUE(is_consistent(tridiagonal(50), groups));
}

TEST(ColumnGroups, AreAsManyAsColumnsWhereARowIsFull) {
  const ColumnGroups groups = group_columns(arrow(40));
  EXPECT_EQ(groups.count, 40);
  EXPECT_EQ(groups.lower_bound, 40);
}

TEST(ColumnGroups, AreTwoForAnArrowThatPointsTheOtherWay) {
  SparsityPattern pattern = arrow(40);
  pattern.rows[0] = {0};
  const ColumnGroups groups = group_columns(pattern);
  EXPECT_EQ(groups.count, 2);
  EXPECT_EQ(std::count(groups.group_of_column.begin(), groups.group_of_column.end(), groups.group_of_column[0]), 1);
}

// Columns 2, 4 and 6 as in CORR's example (19), which are one of its three groups.
TEST(ColumnGroups, AreThreeWhereThreeColumnsShareADifference) {
  SparsityPattern pattern(6, 6);
  pattern.rows = {{0, 2, 3}, {1, 2, 4}, {0, 5}, {3, 4}, {1, 2}, {0, 1}};
  const ColumnGroups groups = group_columns(pattern);
  EXPECT_EQ(groups.count, 3);
  EXPECT_TRUE(is_consistent(pattern, groups));
}

/// The train carriage of CORR 4.1: a car body with 5 coordinates, two bogies and four wheelsets with 6, and two
/// contacts for each wheelset; unknowns p, v, lambda, eta. Bodies: 0 car, 1 and 4 bogies, the rest wheelsets.
SparsityPattern train_carriage() {
  constexpr int bodies = 7, freedoms = 41, contacts = 8;
  constexpr int bogie_of[] = {0, 1, 1, 1, 4, 4, 4};  // and a bogie's own
  const auto first = [](int body) { return body == 0 ? 0 : 6 * body - 1; };
  const auto is_bogie = [](int body) { return body == 1 || body == 4; };
  const auto is_wheelset = [&](int body) { return body > 0 && !is_bogie(body); };
  const auto interact = [&](int a, int b) {
    if (a == 0 || b == 0) return a + b == 0 || is_bogie(a + b);
    return a == b || (bogie_of[a] == bogie_of[b] && (is_bogie(a) || is_bogie(b)));
  };
  SparsityPattern pattern(2 * (freedoms + contacts), 2 * (freedoms + contacts));
  const auto add = [&](int row, int column) { pattern.rows[static_cast<std::size_t>(row)].push_back(column); };
  int contact = 0;
  for (int body = 0; body < bodies; ++body) {
    for (int i = first(body); i < first(body + 1); ++i) {
      add(i, i);
      add(i, freedoms + i);
      for (int level : {0, freedoms})
        for (int other = 0; other < bodies; ++other)
          if (interact(body, other))
            for (int j = first(other); j < first(other + 1); ++j) add(freedoms + i, level + j);
      for (int k = contact; is_wheelset(body) && k < contact + 2; ++k) {
        add(i, 2 * freedoms + contacts + k);  // G^T eta
        add(freedoms + i, 2 * freedoms + k);  // G^T lambda
      }
    }
    if (!is_wheelset(body)) continue;
    for (int k = contact; k < contact + 2; ++k) {
      for (int level : {0, freedoms})
        for (int j = first(body); j < first(body + 1); ++j) add(2 * freedoms + k, level + j);
      for (int j = first(body); j < first(body + 1); ++j) add(2 * freedoms + contacts + k, j);
    }
    contact += 2;
  }
  return pattern;
}

TEST(ColumnGroups, OfTheTrainCarriageAreAsPublished) {
  const SparsityPattern pattern = train_carriage();
  std::size_t nonzeros = 0;
  for (const std::vector<int>& row : pattern.rows) nonzeros += row.size();
  ASSERT_EQ(nonzeros, 1620U);
  const ColumnGroups groups = group_columns(pattern);
  EXPECT_EQ(groups.count, 46);
  EXPECT_EQ(groups.lower_bound, 46);
}

TEST(ColumnGroups, ReachTheLowerBoundOfABlockChain) {
  // Blocks of 6 with their two neighbours: 18 columns in a row.
  constexpr int blocks = 30, width = 6;
  SparsityPattern pattern(blocks * width, blocks * width);
  for (int i = 0; i < blocks * width; ++i)
    for (int j = std::max(0, i / width - 1) * width; j < std::min(blocks, i / width + 2) * width; ++j)
      pattern.rows[static_cast<std::size_t>(i)].push_back(j);
  const ColumnGroups groups = group_columns(pattern);
  EXPECT_EQ(groups.lower_bound, 18);
  EXPECT_EQ(groups.count, 18);
}

TEST(ColumnGroups, LeaveColumnsWithoutEntriesOut) {
  SparsityPattern pattern(2, 4);
  pattern.rows = {{1}, {1, 3}};
  const ColumnGroups groups = group_columns(pattern);
  EXPECT_EQ(groups.count, 2);
  EXPECT_EQ(groups.group_of_column, (std::vector<int>{-1, 0, -1, 1}));
}

TEST(ColumnGroups, AreNoneForEmptyPatterns) {
  for (const SparsityPattern& pattern :
       {SparsityPattern(), SparsityPattern(3, 0), SparsityPattern(0, 3), SparsityPattern(3, 3)}) {
    const ColumnGroups groups = group_columns(pattern);
    EXPECT_EQ(groups.count, 0);
    EXPECT_EQ(groups.lower_bound, 0);
    EXPECT_EQ(groups.group_of_column, std::vector<int>(static_cast<std::size_t>(pattern.columns), -1));
  }
}

TEST(ColumnGroups, OfRandomPatternsAreConsistentAndRepeatThemselves) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const SparsityPattern pattern = random_pattern(60, 80, 5, seed);
    const ColumnGroups groups = group_columns(pattern);
    EXPECT_TRUE(is_consistent(pattern, groups));
    EXPECT_GE(groups.count, groups.lower_bound);
    EXPECT_EQ(group_columns(pattern).group_of_column, groups.group_of_column);
  }
}

TEST(ColumnGroups, AreTheSameInEveryThread) {
  const SparsityPattern pattern = random_pattern(3000, 3000, 4, 7);
  const ColumnGroups groups = group_columns(pattern);
  std::vector<ColumnGroups> others(3);
  std::vector<std::thread> threads;
  for (ColumnGroups& other : others) threads.emplace_back([&] { other = group_columns(pattern); });
  for (std::thread& thread : threads) thread.join();
  for (const ColumnGroups& other : others) EXPECT_EQ(other.group_of_column, groups.group_of_column);
}

TEST(ColumnGroups, OfALongChainStayFew) {
  const ColumnGroups groups = group_columns(tridiagonal(100000));
  EXPECT_EQ(groups.count, 3);
}

TEST(ColumnGroups, AreInconsistentWhereARowMeetsAGroupTwice) {
  ColumnGroups groups = group_columns(tridiagonal(5));
  groups.group_of_column[1] = groups.group_of_column[0];
  EXPECT_FALSE(is_consistent(tridiagonal(5), groups));
  groups.group_of_column[1] = -1;
  EXPECT_FALSE(is_consistent(tridiagonal(5), groups));
}

TEST(ColumnGroups, RefuseColumnsOutOfOrderAndOutOfRange) {
  SparsityPattern pattern(1, 3);
  const auto message = [&] {
    try {
      group_columns(pattern);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  pattern.rows = {{2, 1}};
  EXPECT_EQ(message(), "group_columns: row 0 has column 1 after column 2; expected ascending columns below 3.");
  pattern.rows = {{1, 3}};
  EXPECT_EQ(message(), "group_columns: row 0 has column 3 after column 1; expected ascending columns below 3.");
}

}  // namespace column_groups_test
}  // namespace linkwork
