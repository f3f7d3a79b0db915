#pragma once

#include <linkwork/command.hpp>

#include <string_view>
#include <vector>

namespace linkwork::apps {

/// The models that a program offers, in the order in which they are listed. Each has a name of its own.
class ModelList {
 public:
  /// @throws ModelError where there is none, or two have one name; what building them for their names throws
  explicit ModelList(const std::vector<OfferedModel>& models);

  std::vector<CommandModel>::const_iterator begin() const { return models_.begin(); }
  std::vector<CommandModel>::const_iterator end() const { return models_.end(); }
  std::size_t size() const { return models_.size(); }
  /// @throws ModelError for an unknown name, listing the known ones
  const CommandModel& find(std::string_view name) const;

 private:
  std::vector<CommandModel> models_;
};

/// max |x - x_ref| / max(1, |x_ref|) over the values of `point` among observables given by name.
/// @throws ModelError for a value of an observable that is not among them
double reference_error(const ReferencePoint& point, const std::vector<std::string>& names,
                       const Eigen::VectorXd& values);

}  // namespace linkwork::apps
