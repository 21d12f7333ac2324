#include "src/modules/md/correlations/time_origins.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {

PlanProblem problem_of(const OriginPlan& plan) {
  if (plan.lags < 2) return {"lags", "`lags` must be 2 or more"};
  if (plan.levels < 1) return {"levels", "`levels` must be 1 or more"};
  if (plan.origins < 1 || plan.lags % plan.origins != 0)
    return {"origins",
            fmt::format("`origins` = {} does not divide `lags` = {}", plan.origins, plan.lags)};
  Index longest = 1;
  for (Index l = 0; l < plan.levels; ++l) {
    if (longest > (Index{1} << 40) / plan.lags)
      return {"levels",
              "`lags` to the power of `levels` is larger than 2^40 samples; choose fewer levels"};
    longest *= plan.lags;
  }
  return {};
}

TimeOrigins::TimeOrigins(const OriginPlan& plan, Index values, const std::string& observer)
    : plan_(plan), row_(0) {
  if (const PlanProblem problem = problem_of(plan); problem.key != nullptr)
    throw InputError(fmt::format("observer `{}`: {}", observer, problem.what));
  row_ = static_cast<std::size_t>((plan.lags + 1) * values);
  windows_.resize(static_cast<std::size_t>(plan.slots()) * row_);
}

std::vector<TimeOrigins::Visit> TimeOrigins::visits(Index sample) const {
  std::vector<Visit> all;
  Index level_sample = sample;
  for (Index level = 0; level < plan_.levels; ++level, level_sample /= plan_.lags) {
    for (Index j = 0; j < plan_.origins; ++j) {
      const Index age = level_sample - j * (plan_.lags / plan_.origins);
      if (age < 0) continue;
      const Index lag = age % plan_.lags;
      const Index slot = level * plan_.origins + j;
      if (lag > 0)
        all.push_back({slot, level, lag, false});
      else
        all.push_back({slot, level, age > 0 ? plan_.lags : 0, true});
    }
    if (level_sample % plan_.lags != 0) break;  // higher levels do not use this sample
  }
  return all;
}

void TimeOrigins::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path, windows_);
}

void TimeOrigins::restore(DatasetReader& reader, const std::string& path) {
  auto windows = reader.read<double>(path);
  if (windows.size() != windows_.size())
    throw IoError(path + " has another number of values than the windows of this run");
  windows_ = std::move(windows);
}

}  // namespace gsim::md
