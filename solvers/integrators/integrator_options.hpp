#pragma once

#include <linkwork/solvers/integrators/integrator.hpp>

#include <any>
#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace linkwork {

/// Makes a new integrator for every run.
using IntegratorFactory = std::function<std::unique_ptr<Integrator>()>;

/// Options of an integrator, the library's or one's own: a function `make_integrator` stands beside them.
template <class Options>
concept MakesIntegrator = requires(const Options& options) {
  { make_integrator(options) } -> std::convertible_to<std::unique_ptr<Integrator>>;
};

/// The integrator of a run, as a value: the options of one choose it, and a factory brings one's own. A new integrator
/// is made for every run, and to answer what is asked of it before.
class IntegratorOptions {
 public:
  template <MakesIntegrator Options>
  IntegratorOptions(Options options)
      : options_(std::move(options)), make_([](const std::any& any) -> std::unique_ptr<Integrator> {
          return make_integrator(*std::any_cast<Options>(&any));
        }) {}
  template <class Factory>
  requires std::is_invocable_r_v < std::unique_ptr<Integrator>,
  const Factory& > IntegratorOptions(Factory factory) : IntegratorOptions(Made{std::move(factory)}) {}

  /// @throws ModelError for options that make no sense, and for a factory that gives nothing
  std::unique_ptr<Integrator> make() const;

  /// The options themselves; null where they are those of another integrator.
  template <class Options>
  Options* get_if() {
    return std::any_cast<Options>(&options_);
  }
  template <class Options>
  const Options* get_if() const {
    return std::any_cast<Options>(&options_);
  }

 private:
  struct Made {
    IntegratorFactory factory;
    friend std::unique_ptr<Integrator> make_integrator(const Made& made) {
      return made.factory ? made.factory() : nullptr;
    }
  };

  std::any options_;
  std::unique_ptr<Integrator> (*make_)(const std::any& options);
};

}  // namespace linkwork
