// odd_page FILE: writes a page of a run whose names and numbers are no easy ones, for browser_test.py.

#include <linkwork/linkwork.hpp>

#include <iostream>
#include <limits>

int main(int, char** argv) {
  using namespace linkwork;
  PlanarModel model("<b>bold</b> & \"quoted\" é 輪");
  model.set_gravity({0, -9.81});
  auto bar = model.add_body("</script><script>window.injected = true</script>", MassProperties::rod(1, 1));
  bar.place({0.5, 0});
  model.add_joint<Revolute>("<img src=x onerror='window.injected = true'>", model.ground().origin(), bar.at({-0.5, 0}));
  model.add_observable("\"];window.injected = true;//<!--", "", [](const auto& now) {
    return now.time() > 0.2 && now.time() < 0.3 ? std::numeric_limits<double>::quiet_NaN() : now.time();
  });
  model.add_observable("endless", "", [](const auto& now) {
    return now.time() > 0.2 && now.time() < 0.3 ? std::numeric_limits<double>::infinity() : now.time();
  });
  Simulation simulation(model);
  write_html(simulation.run(0, 0.5), argv[1], {.t_end = 2.0, .reason = "it was <stopped>"});
}
