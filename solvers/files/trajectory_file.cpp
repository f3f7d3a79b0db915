#include <linkwork/solvers/files/trajectory_file.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/files/trajectory_bytes.hpp>

#include <algorithm>
#include <boost/crc.hpp>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <string_view>

namespace linkwork {
namespace {

using Json = nlohmann::ordered_json;

// "linkwork trajectory 3\n", the run as CBOR, and the checksum of all that, most significant byte first. Versions 1 and
// 2 were CBOR alone.
constexpr std::string_view format_name = "linkwork trajectory";
constexpr int format_version = 3;
constexpr std::size_t checksum_bytes = 8;

std::string header() { return concat(format_name, ' ', format_version, '\n'); }

/// CRC-64/XZ: finds every damage that is shorter than 64 bits, and others but for one of 2^64.
std::string checksum(std::string_view bytes) {
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  std::string out;
  for (std::size_t byte = checksum_bytes; byte-- > 0;) out += static_cast<char>(crc.checksum() >> (8 * byte) & 0xff);
  return out;
}

Json numbers(const double* values, Eigen::Index count) { return std::vector<double>(values, values + count); }

Eigen::VectorXd vector_from(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Json to_json(const Eigen::VectorXd& vector) { return numbers(vector.data(), vector.size()); }
void read(const Json& json, Eigen::VectorXd& vector) { vector = vector_from(json); }

/// Coefficients column by column.
Json to_json(const DensePolynomial::Group& group) {
  return {{"components", group.components},
          {"left_nodes", group.left_nodes},
          {"middle_nodes", group.middle_nodes},
          {"columns", group.coefficients.cols()},
          {"coefficients", numbers(group.coefficients.data(), group.coefficients.size())}};
}

DensePolynomial::Group group_from(const Json& json) {
  DensePolynomial::Group group;
  group.components = json.at("components").get<std::vector<int>>();
  group.left_nodes = json.at("left_nodes");
  group.middle_nodes = json.value("middle_nodes", 0);
  const Eigen::VectorXd values = vector_from(json.at("coefficients"));
  const auto rows = static_cast<Eigen::Index>(group.components.size()),
             columns = json.at("columns").get<Eigen::Index>();
  if (rows * columns != values.size()) throw ModelError("the number of coefficients of a polynomial is wrong");
  group.coefficients = Eigen::Map<const Eigen::MatrixXd>(values.data(), rows, columns);
  return group;
}

void read(const Json& json, DensePolynomial::Group& group) { group = group_from(json); }

/// Calls a function with the name and the value of each part of a State or a DensePolynomial, which have the same ones.
template <class Parts, class Function>
void for_each_part(Parts& of, const Function& function) {
  function("p", of.p);
  function("v", of.v);
  function("r", of.r);
  function("w", of.w);
  function("s", of.s);
  function("a", of.a);
  function("lambda", of.lambda);
}
template <class Parts>
void add_parts(const Parts& of, Json& json) {
  for_each_part(of, [&](const char* name, const auto& part) { json[name] = to_json(part); });
}
template <class Parts>
void read_parts(const Json& json, Parts& of) {
  for_each_part(of, [&](const char* name, auto& part) { read(json.at(name), part); });
}

Json to_json(const State& state) {
  Json json = {{"t", state.t}};
  add_parts(state, json);
  return json;
}

State state_from(const Json& json) {
  State state;
  state.t = json.at("t");
  read_parts(json, state);
  return state;
}

Json to_json(const DensePolynomial& dense) {
  Json json = {{"t_begin", dense.t_begin}, {"t_end", dense.t_end}};
  add_parts(dense, json);
  return json;
}

DensePolynomial dense_from(const Json& json) {
  DensePolynomial dense;
  dense.t_begin = json.at("t_begin");
  dense.t_end = json.at("t_end");
  read_parts(json, dense);
  return dense;
}

Json to_json(const TrajectorySegment& segment) {
  Json json = {{"begin", to_json(segment.begin)}, {"end", to_json(segment.end)}};
  if (segment.dense) json["dense"] = to_json(*segment.dense);
  return json;
}

TrajectorySegment segment_from(const Json& json) {
  TrajectorySegment segment{state_from(json.at("begin")), state_from(json.at("end")), {}, {}};
  if (json.contains("dense")) segment.dense = dense_from(json["dense"]);
  if (json.contains("memory")) segment.memory = std::make_shared<Eigen::VectorXd>(vector_from(json["memory"]));
  return segment;
}

/// The memory is written where it is not that of the segment before.
Json to_json(const std::vector<TrajectorySegment>& segments) {
  Json json = Json::array();
  const Eigen::VectorXd* memory = nullptr;
  for (const TrajectorySegment& segment : segments) {
    json.push_back(to_json(segment));
    if (segment.memory && segment.memory.get() != memory)
      json.back()["memory"] = numbers(segment.memory->data(), segment.memory->size());
    memory = segment.memory.get();
  }
  return json;
}

std::vector<TrajectorySegment> segments_from(const Json& json) {
  std::vector<TrajectorySegment> segments;
  for (const Json& segment : json) {
    segments.push_back(segment_from(segment));
    if (!segments.back().memory && segments.size() > 1) segments.back().memory = segments[segments.size() - 2].memory;
  }
  return segments;
}

Json to_json(const std::vector<StepAttempt>& attempts) {
  Json json = Json::array();
  for (const StepAttempt& each : attempts) json.push_back({each.t, each.step, each.order, each.accepted});
  return json;
}

std::vector<StepAttempt> attempts_from(const Json& json) {
  std::vector<StepAttempt> out;
  for (const Json& each : json) out.push_back({each.at(0), each.at(1), each.at(2), each.at(3)});
  return out;
}

TrajectoryBytes bytes_from(const Json& json) {
  TrajectoryBytes out;
  out.description = json;
  for (const char* part : {"events", "segments", "attempts"}) out.description.erase(part);
  out.segments = segments_from(json.at("segments"));
  for (const Json& event : json.at("events")) out.events.push_back({event.at("name"), event.at("t")});
  out.attempts = attempts_from(json.value("attempts", Json::array()));  // earlier files have none
  return out;
}

constexpr const char* how_to_make_one = "give a file written by write_trajectory, or by 'run MODEL --save FILE'";

/// Of a file that begins otherwise only its beginning, which tells what it is: it may have no end.
std::string bytes_of(const std::string& file) {
  constexpr std::streamsize beginning = 256;
  std::ifstream in(file, std::ios::binary);
  try {
    if (in) {
      std::string out(beginning, '\0');
      in.read(out.data(), beginning);
      out.resize(static_cast<std::size_t>(in.gcount()));
      if (out.starts_with(header())) out.append(std::istreambuf_iterator<char>(in), {});
      if (!in.bad()) return out;  // as a folder is
    }
  } catch (const std::ios_base::failure&) {
  }
  throw ModelError(concat("can't read '", file, "'; ", how_to_make_one, '.'));
}

/// Why bytes that don't begin as this program writes them are no trajectory.
std::string why_foreign(std::string_view bytes) {
  if (bytes.starts_with(format_name)) {
    const std::string_view rest = bytes.substr(format_name.size()).substr(0, 12),
                           version = rest.substr(0, rest.find('\n'));
    if (version.size() > 1 && version.find_first_not_of(" 0123456789") == std::string_view::npos)
      return concat("has format version", version, "; this program reads ", format_version,
                    ": sample it with the program that wrote it, or run it again with --save");
    return "is damaged: run it again with --save, or write_trajectory";
  }
  constexpr std::size_t of_cbor = 64;  // bytes in which versions 1 and 2 told their format
  if (bytes.substr(0, of_cbor).find(format_name) != std::string_view::npos)
    return concat(
        "was written by an earlier Linkwork in format version 1 or 2, which has no checksum; this program reads ",
        format_version, ": run it again with --save");
  return concat("is damaged, or no trajectory; ", how_to_make_one);
}

/// What stands between header and checksum.
/// @throws ModelError naming the file, for every other one than those of write_trajectory_bytes
std::string_view content_of(const std::string& file, std::string_view bytes) {
  const std::size_t begin = header().size();
  if (!bytes.starts_with(header())) throw ModelError(concat('\'', file, "' ", why_foreign(bytes), '.'));
  const std::size_t size = std::max(bytes.size(), begin + checksum_bytes) - checksum_bytes;
  if (checksum(bytes.substr(0, size)) != bytes.substr(size))
    throw ModelError(
        concat('\'', file, "' is damaged: its checksum is wrong; copy it again, or run it again with --save."));
  return bytes.substr(begin, size - begin);
}

/// Names of the coordinates: equations of another model, or with other cuts, have others.
std::vector<std::string> coordinate_names(const EquationsOfMotion& equations) {
  std::vector<std::string> out;
  for (int i = 0; i < equations.dimensions().p; ++i) out.push_back(equations.position_name(i));
  return out;
}

void expect_coordinates(const std::string& file, const Json& description, const EquationsOfMotion& equations) {
  const auto written = description.value("coordinates", std::vector<std::string>());
  if (written.empty()) return;  // of the linkwork command, which makes the model itself
  const std::vector<std::string> here = coordinate_names(equations);
  if (written == here) return;
  const auto [a, b] = std::mismatch(written.begin(), written.end(), here.begin(), here.end());
  throw ModelError(concat("'", file, "' is of another model, or of one with other cuts: it has ", written.size(),
                          " coordinates and model '", equations.model_name(), "' has ", here.size(),
                          "; the first that differ are '", a == written.end() ? "" : *a, "' and '",
                          b == here.end() ? "" : *b, "'; give the model that was run."));
}

}  // namespace

bool TrajectoryBytes::carries_unknowns() const {
  return std::any_of(segments.begin(), segments.end(), [](const TrajectorySegment& segment) {
    return segment.dense && !(segment.dense->w.components.empty() && segment.dense->s.components.empty());
  });
}

void write_trajectory_bytes(const Trajectory& path, const Json& description, std::ostream& out) {
  Json events = Json::array();
  for (const EventRecord& event : path.events()) events.push_back({{"name", event.name}, {"t", event.t}});
  Json file = description;
  file["events"] = std::move(events);
  file["segments"] = to_json(path.segments());
  file["attempts"] = to_json(path.attempts());
  std::string bytes = header();
  Json::to_cbor(file, bytes);
  out << bytes << checksum(bytes);
}

TrajectoryBytes read_trajectory_bytes(const std::string& file) {
  const std::string bytes = bytes_of(file);
  try {
    return bytes_from(Json::from_cbor(content_of(file, bytes)));
  } catch (const Json::exception& error) {
    refuse_content(file, error.what());
  }
}

void refuse_content(const std::string& file, const std::string& why) {
  throw ModelError(
      concat("'", file, "' is whole, but not as this program writes it: ", why, "; ", how_to_make_one, '.'));
}

void write_trajectory(const Trajectory& path, std::ostream& out) {
  const EquationsOfMotion& equations = path.equations();
  write_trajectory_bytes(path,
                         {{"model", equations.model_name()},
                          {"formulation", equations.formulation_name()},
                          {"linear_solver", path.linear_solver().name()},
                          {"coordinates", coordinate_names(equations)}},
                         out);
}

void write_trajectory(const Trajectory& path, const std::string& file) {
  AtomicFile out(file);
  write_trajectory(path, out.stream());
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
}

Trajectory read_trajectory(const std::string& file, const MakeReadEquations& make) {
  TrajectoryBytes read = read_trajectory_bytes(file);
  try {
    std::shared_ptr<EquationsOfMotion> equations =
        make(read.description.at("formulation"),
             read.carries_unknowns() ? AuxiliaryUnknowns::carried : AuxiliaryUnknowns::eliminated);
    expect_coordinates(file, read.description, *equations);
    return Trajectory(std::move(read.segments), std::move(read.events), std::move(equations),
                      read.description.at("linear_solver").get<std::string>(), std::move(read.attempts));
  } catch (const Json::exception& error) {
    refuse_content(file, error.what());
  }
}

}  // namespace linkwork
