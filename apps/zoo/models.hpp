#pragma once

#include "zoo/zoo.hpp"

namespace linkwork::apps {

ZooModel pendulum_model();
ZooModel double_pendulum_model();
ZooModel cable_drum_model();
ZooModel andrews_model();
ZooModel insulator_chain_model();
ZooModel chaplygin_sleigh_model();

}  // namespace linkwork::apps
