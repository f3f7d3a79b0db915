// Files of trajectories that were damaged in any way are refused; no other is read than was written.

#include "trajectory_file.hpp"
#include "zoo_simulation.hpp"

#include "command.hpp"

#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <random>
#include <sstream>

namespace damaged_trajectory_test {

using namespace linkwork;
using namespace linkwork::apps;

class DamagedTrajectory : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    const ZooModel& model = find_model("cable_drum");
    const Parameters parameters = model.parameters_with({});
    Simulation simulation = make_simulation(model, parameters, {});
    simulation.run(0, 0.1);
    RunDescription description;
    description.model = model.name;
    description.parameters = parameters;
    description.formulation = "absolute";
    description.cuts = "fewest-rows";
    description.linear_solver = simulation.linear_solver_name();
    description.integrator = simulation.integrator_name();
    std::ostringstream out;
    write_trajectory(out, description, simulation.trajectory());
    whole_ = out.str();
    csv_ = samples_of(simulation.trajectory());
  }

  static std::string samples_of(const Trajectory& trajectory) {
    std::ostringstream out;
    trajectory.write_csv(out, 100);
    return out.str();
  }
  /// Why a file with these bytes is refused; "" where it is read.
  std::string refusal(const std::string& bytes) const {
    const std::string file = path("damaged.traj");
    std::ofstream(file, std::ios::binary) << bytes;
    try {
      read_trajectory(file, zoo());
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
      return error.what();
    }
    return "";
  }

  std::string whole_, csv_;
};

TEST_F(DamagedTrajectory, TheWholeFileIsRead) {
  std::ofstream(path("whole.traj"), std::ios::binary) << whole_;
  EXPECT_EQ(samples_of(read_trajectory(path("whole.traj"), zoo()).trajectory), csv_);
}

TEST_F(DamagedTrajectory, SingleBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = whole_;
    // Each bit of the first line and of the checksum would be too many: the ends get a part of the flips.
    const std::size_t place = i < 60   ? random() % 30
                              : i < 90 ? bytes.size() - 1 - random() % 8
                                       : random() % bytes.size();
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
    EXPECT_NE(refusal(bytes), "") << "place " << place;
  }
}

TEST_F(DamagedTrajectory, Truncated) {
  std::mt19937_64 random(2);
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{20}, std::size_t{22}, std::size_t{23},
                           whole_.size() - 1, whole_.size() - 8})
    EXPECT_NE(refusal(whole_.substr(0, size)), "") << size;
  for (int i = 0; i < 93; ++i) {
    const std::size_t size = random() % whole_.size();
    EXPECT_NE(refusal(whole_.substr(0, size)), "") << size;
  }
}

TEST_F(DamagedTrajectory, Appended) {
  std::mt19937_64 random(3);
  EXPECT_NE(refusal(whole_ + whole_), "");
  EXPECT_NE(refusal(whole_ + whole_.substr(whole_.size() - 8)), "");
  for (int i = 0; i < 98; ++i) {
    std::string bytes = whole_;
    for (std::size_t k = 0; k < 1 + random() % 100; ++k) bytes += i % 2 == 0 ? '\0' : static_cast<char>(random());
    EXPECT_NE(refusal(bytes), "") << bytes.size() - whole_.size();
  }
}

TEST_F(DamagedTrajectory, Blocks) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100; ++i) {
    std::string bytes = whole_;
    const std::size_t size = std::min<std::size_t>(512, bytes.size() / 4), from = random() % (bytes.size() - size),
                      to = random() % (bytes.size() - size);
    if (i % 3 == 0) bytes.replace(from, size, size, '\0');        // lost
    if (i % 3 == 1) bytes.replace(to, size, whole_, from, size);  // in the wrong place
    if (i % 3 == 2) bytes.erase(from, size);                      // left out
    if (bytes == whole_) continue;
    EXPECT_NE(refusal(bytes), "") << i;
  }
}

TEST_F(DamagedTrajectory, FormatsAreToldApart) {
  EXPECT_NE(refusal("").find("is damaged, or no trajectory; give a file written by"), std::string::npos);
  EXPECT_NE(refusal("linkwork trajectory 7\nmore").find("has format version 7; this program reads 3"),
            std::string::npos);
  EXPECT_NE(refusal("linkwork trajectory of old").find("is damaged: run it again with --save"), std::string::npos);
  std::string bytes = whole_;
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_NE(refusal(bytes).find("is damaged: its checksum is wrong; copy it again"), std::string::npos);
  std::ostringstream earlier;
  nlohmann::ordered_json::to_cbor({{"format", "linkwork trajectory"}, {"version", 2}, {"model", "cable_drum"}},
                                  earlier);
  EXPECT_NE(refusal(earlier.str()).find("was written by an earlier Linkwork in format version 1 or 2"),
            std::string::npos);
}

}  // namespace damaged_trajectory_test
