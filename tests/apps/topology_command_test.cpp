#include "command.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace topology_command_test {

using TopologyCommand = Command;

TEST_F(TopologyCommand, ReportsTheRedundantRowOfBricardByName) {
  const auto topology = json_of("topology bricard");
  EXPECT_EQ(topology["mobility"], 1);
  EXPECT_EQ(topology["counted_mobility"], 0);
  EXPECT_EQ(topology["redundant_rows"], 1);
  EXPECT_EQ(topology["permanently_redundant_rows"], 1);
  ASSERT_EQ(topology["diagnosis"]["loops"].size(), 1u);
  EXPECT_EQ(topology["diagnosis"]["loops"][0]["elements"].size(), 6u);
  EXPECT_EQ(topology["diagnosis"]["loops"][0]["closure_rows"].size(), 5u);
  EXPECT_EQ(topology["diagnosis"]["reactions_not_unique"].size(), 6u);
}

TEST_F(TopologyCommand, CutsAsItIsTold) {
  const std::string cut = json_of("topology bricard")["cuts"][0];
  const std::string other = cut == "joint 2" ? "joint 5" : "joint 2";
  const auto topology = json_of("topology bricard --formulation relative --cuts '" + other + "'");
  ASSERT_EQ(topology["cuts"].size(), 1u);
  EXPECT_EQ(topology["cuts"][0], other);
  EXPECT_GT(topology["elimination"]["width"], 0);
  expect_refused("topology bricard --cuts 'joint 7'", {"has no constraint 'joint 7'", "'joint 1'"});
  expect_refused("topology bricard --formulation hybrid", {"unknown formulation 'hybrid'"});
}

TEST_F(TopologyCommand, KeepsALadderNarrowWithShortestLoops) {
  const auto broad = json_of("topology ladder --set n=32"),
             narrow = json_of("topology ladder --set n=32 --cuts shortest-loops");
  EXPECT_LE(narrow["elimination"]["width"], 12) << "two loops of joints with up to 5 rows and what they share";
  EXPECT_LE(narrow["elimination"]["early_operations"], broad["elimination"]["early_operations"]);
}

TEST_F(TopologyCommand, DrawsTheEntriesOfTheJacobianAndItsGroups) {
  const Result drawn = run("topology pendulum --pattern -");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  const auto jacobian = json_of("topology pendulum")["jacobian"];
  EXPECT_EQ(std::count(drawn.out.begin(), drawn.out.end(), '*'), jacobian["nonzeros"].get<int>());
  EXPECT_EQ(std::count(drawn.out.begin(), drawn.out.end(), '\n'),
            jacobian["rows"].get<int>() + jacobian["groups"].get<int>());
}

// CORR 4.1 and figures 3 to 5.
TEST_F(TopologyCommand, ShowsThePublishedStructureOfTheTrainCarriage) {
  const Result shown = run("topology train_carriage --formulation relative");
  EXPECT_NE(shown.out.find("98 x 98, 1620 nonzeros (declared; 1740 with the derivative of Z D G^T eta), 46 groups of "
                           "columns (at least 46)\n"),
            std::string::npos)
      << shown.out;
  const auto jacobian = json_of("topology train_carriage --formulation relative")["jacobian"];
  EXPECT_EQ(jacobian["rows"], 98);
  EXPECT_EQ(jacobian["nonzeros"], 1620);
  EXPECT_EQ(jacobian["nonzeros_with_eta_derivative"], 1740);
  EXPECT_EQ(jacobian["groups"], 46);
  EXPECT_EQ(jacobian["lower_bound"], 46);
}

TEST_F(TopologyCommand, WritesTheJacobiansPatternForOtherPrograms) {
  const auto jacobian = json_of("topology pendulum --pattern " + path("pattern.mtx"))["jacobian"];
  std::istringstream text(text_of("pattern.mtx"));
  std::string banner;
  std::getline(text, banner);
  EXPECT_EQ(banner, "%%MatrixMarket matrix coordinate pattern general");
  int rows = 0, columns = 0, entries = 0;
  text >> rows >> columns >> entries;
  EXPECT_EQ(rows, jacobian["rows"]);
  EXPECT_EQ(columns, jacobian["columns"]);
  EXPECT_EQ(entries, jacobian["nonzeros"]);
  int row = 0, column = 0, count = 0;
  for (; text >> row >> column; ++count) EXPECT_TRUE(row >= 1 && row <= rows && column >= 1 && column <= columns);
  EXPECT_EQ(count, entries);
}

TEST_F(TopologyCommand, WritesOneThingToStandardOutput) {
  expect_refused("topology pendulum --dot - --pattern -",
                 {"--dot - and --pattern - can't both be standard output; give one of them a file."});
}

}  // namespace topology_command_test
