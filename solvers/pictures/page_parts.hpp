#pragma once

#include <string>

// Internal: the fixed parts of a page.

namespace linkwork {

// Ours, from the files beside this one.
extern const char* const page_css;
extern const char* const page_body;
extern const char* const page_js;
extern const char* const page_graph_js;

/// A script or a style sheet of a Debian package, as it may stand inside of a page.
/// @throws ModelError naming the package that is not installed
std::string three_js();
std::string orbit_controls_js();
std::string dygraphs_js();
std::string dygraphs_css();

}  // namespace linkwork
