#pragma once

#include "zoo/zoo.hpp"

namespace linkwork::apps {

ZooModel pendulum_model();
ZooModel double_pendulum_model();
ZooModel double_rod_pendulum_model();
ZooModel spatial_slider_crank_model();
ZooModel cartesian_pendulum_model();
ZooModel cable_drum_model();
ZooModel cam_follower_model();
ZooModel four_bar_model();
ZooModel rolling_disc_model();
ZooModel truck_model();
ZooModel truck9_model();
ZooModel andrews_model();
ZooModel insulator_chain_model();
ZooModel chaplygin_sleigh_model();
ZooModel pendulum_chain_model();
ZooModel n_four_bar_model();
ZooModel bricard_model();
ZooModel heavy_top_model();
ZooModel humanoid_model();
ZooModel ring_model();
ZooModel ladder_model();
ZooModel ladder3d_model();
ZooModel mesh_model();
ZooModel train_carriage_model();
ZooModel axle_on_stamp_model();
ZooModel lane_change_car_model();
ZooModel appell_hamel_model();
ZooModel sprocket_chain_model();
ZooModel gimbal_model();
ZooModel atv_model();

}  // namespace linkwork::apps
