#include "zoo/zoo.hpp"

#include "zoo/models.hpp"

namespace linkwork::apps {

const ModelList& zoo() {
  static const ModelList models({pendulum_model(),
                                 double_pendulum_model(),
                                 cable_drum_model(),
                                 andrews_model(),
                                 insulator_chain_model(),
                                 chaplygin_sleigh_model(),
                                 pendulum_chain_model(),
                                 n_four_bar_model(),
                                 bricard_model(),
                                 heavy_top_model(),
                                 humanoid_model(),
                                 ring_model(),
                                 ladder_model(),
                                 ladder3d_model(),
                                 mesh_model(),
                                 train_carriage_model(),
                                 axle_on_stamp_model(),
                                 lane_change_car_model(),
                                 cam_follower_model(),
                                 truck9_model(),
                                 truck_model(),
                                 rolling_disc_model(),
                                 four_bar_model(),
                                 cartesian_pendulum_model(),
                                 double_rod_pendulum_model(),
                                 spatial_slider_crank_model(),
                                 appell_hamel_model(),
                                 sprocket_chain_model(),
                                 gimbal_model(),
                                 atv_model()});
  return models;
}

const ZooModel& find_model(std::string_view name) { return zoo().find(name); }

}  // namespace linkwork::apps
