#include <linkwork/solvers/pictures/poses.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/simulation/csv_samples.hpp>

#include <boost/io/ios_state.hpp>
#include <limits>
#include <ostream>

namespace linkwork {

void write_poses(const Trajectory& path, const std::string& file, double samples_per_second) {
  AtomicFile out(file);
  write_poses(path, out.stream(), samples_per_second);
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
}

void write_poses(const Trajectory& path, std::ostream& out, double samples_per_second) {
  const CsvSamples samples("write_poses", path, samples_per_second);
  out << 't';
  for (const std::string& name : body_names(path.equations()))
    for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz"}) out << ',' << csv_field(concat(name, ": ", part));
  out << '\n';
  const boost::io::ios_precision_saver precision(out, std::numeric_limits<double>::max_digits10);
  std::vector<BodyPose> poses;
  path.visit(samples.points(), [&](const State& state, EquationsOfMotion& equations) {
    read_poses(equations, state, poses);
    out << state.t;
    for (const auto& [x, q] : poses)
      for (const double value : {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()}) out << ',' << value;
    out << '\n';
  });
}

}  // namespace linkwork
