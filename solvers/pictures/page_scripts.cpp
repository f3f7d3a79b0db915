#include <linkwork/solvers/pictures/page_parts.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/pictures/web_page.hpp>

#include <boost/algorithm/string/replace.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace linkwork {
namespace {

/// Where the packages are looked for: where they were when this was built, unless the environment says otherwise.
std::string script_folder() {
  const char* const given = std::getenv("LINKWORK_JAVASCRIPT");
  return given && *given ? given : LINKWORK_JAVASCRIPT_FOLDER;
}

/// Its text inside of a page: no end of the element it stands in, and no address that a browser would ask for.
std::string script(const char* file, const char* package) {
  const std::string path = concat(script_folder(), '/', file);
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.empty())
    throw ModelError(concat("a page needs '", path, "' of Debian's package ", package,
                            ", which can't be read; install it: apt-get install ", package, "."));
  boost::replace_all(text, "</script", "<\\/script");
  boost::replace_all(text, "</style", "<\\/style");
  boost::replace_all(text, "<!--", "<\\!--");
  for (std::size_t at; (at = text.rfind("sourceMappingURL=")) != std::string::npos;) text.replace(at, 17, "map of ");
  return text;
}

}  // namespace

std::string three_js() { return script("three/three.min.js", "libjs-three"); }
std::string orbit_controls_js() { return script("three/examples/js/controls/OrbitControls.js", "libjs-three"); }
std::string dygraphs_js() { return script("dygraphs/dygraph.min.js", "libjs-dygraphs"); }
std::string dygraphs_css() { return script("dygraphs/dygraph.min.css", "libjs-dygraphs"); }

void require_page_scripts() {
  orbit_controls_js();
  three_js();
  dygraphs_js();
  dygraphs_css();
}

}  // namespace linkwork
