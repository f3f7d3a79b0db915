#pragma once

#include <linkwork/solvers/pictures/drawing.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

struct WebPageOptions {
  /// Frames that are stored per second of the motion; the page moves smoothly between them. None: 30, but 300 to 3000
  /// over the run.
  std::optional<double> frames_per_second = {};
  /// What is shown as curves, by patterns as Trajectory::write_csv has them: observables, coordinates, what elements
  /// tell, "buffer: force". Empty: all observables, or where there are none the coordinates.
  std::vector<std::string> curves = {};
  /// Arrows of what force elements put on bodies, and of reactions. Where some of more than 60 constraint rows depend
  /// on others, which reactions of least norm there are is found in as many frames as a second or so allows, ten at
  /// least; between them lie lines.
  bool forces = true;
  Drawing drawing = {};
  std::string subtitle = {};         ///< a line about the run
  std::optional<double> t_end = {};  ///< that was asked for [s], where the run may have ended before
  std::string reason = {};           ///< why it did
};

/// Writes a run as one HTML file that needs no other, and no network: the mechanism in motion with the forces on it,
/// and curves of observables, energy, residuals of the constraints at ends of steps, orders and lengths of steps that
/// share its time. A file is whole or not there. The page holds three.js and dygraphs, which are read from where
/// Debian's packages libjs-three and libjs-dygraphs put them. Positions are kept to about 1e-7 of the distances between
/// bodies, attitudes to 1e-7.
/// @throws ModelError if these packages are not installed, the file can't be written, the trajectory is empty, a
/// pattern fits nothing, a drawing does not fit (make_scene), and for the reasons of Trajectory::visit
void write_html(const Trajectory& path, const std::string& file, const WebPageOptions& options = {});
void write_html(const Trajectory& path, std::ostream& out, const WebPageOptions& options = {});
/// That write_html has what it needs, before a long run. @throws ModelError naming the package that is not installed
void require_page_scripts();

}  // namespace linkwork
