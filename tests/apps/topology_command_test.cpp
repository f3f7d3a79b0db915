#include "command.hpp"

#include <string>

namespace {

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

}  // namespace
