#include "rank_times.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "gsim/core/json.hpp"

namespace gsim::engine {
namespace {

/// Names of the regions of all ranks together; every rank gets the same list.
std::vector<std::string> all_names(const Communicator& communicator,
                                   const std::vector<RegionTime>& mine) {
  std::string text;
  for (const RegionTime& region : mine) text += region.name + '\n';
  std::vector<std::string> names;
  std::string name;
  for (const char c : communicator.allgather(std::span<const char>(text))) {
    if (c != '\n') {
      name += c;
      continue;
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    name.clear();
  }
  return names;
}

/// Minimum, mean and maximum of column `column`; `rows` holds a row of `width` numbers per rank.
Spread spread(const std::vector<double>& rows, std::size_t width, std::size_t column) {
  Spread s{rows[column], 0, rows[column]};
  const std::size_t ranks = rows.size() / width;
  for (std::size_t at = column; at < rows.size(); at += width) {
    s.min = std::min(s.min, rows[at]);
    s.max = std::max(s.max, rows[at]);
    s.mean += rows[at];
  }
  s.mean /= static_cast<double>(ranks);
  return s;
}

Json json_of(const Spread& s) {
  return Json::object().set("min", s.min).set("mean", s.mean).set("max", s.max);
}

}  // namespace

RankTimes rank_times(const Communicator& communicator, const std::vector<RegionTime>& before,
                     const std::vector<RegionTime>& after) {
  const std::vector<std::string> names = all_names(communicator, after);
  // A row for each rank: busy and waiting time of all regions, then of each region.
  std::vector<double> row(2 + 2 * names.size());
  for (std::size_t k = 0; k < after.size(); ++k) {
    const RegionTime none, &first = k < before.size() ? before[k] : none;
    const double waited = after[k].waited - first.waited;
    const double busy = after[k].seconds - first.seconds - waited;
    const auto name = std::find(names.begin(), names.end(), after[k].name) - names.begin();
    for (const std::size_t at : {std::size_t{0}, 2 + 2 * static_cast<std::size_t>(name)}) {
      row[at] += busy;
      row[at + 1] += waited;
    }
  }
  const std::vector<double> rows = communicator.gather(std::span<const double>(row));
  RankTimes times;
  times.ranks = communicator.size();
  if (!communicator.is_root()) return times;
  times.busy = spread(rows, row.size(), 0);
  times.waiting = spread(rows, row.size(), 1);
  for (std::size_t n = 0; n < names.size(); ++n)
    times.regions.push_back(
        {names[n], spread(rows, row.size(), 2 + 2 * n), spread(rows, row.size(), 3 + 2 * n)});
  return times;
}

Json RankTimes::json() const {
  Json parts = Json::object();
  for (const Region& region : regions)
    parts.set(
        region.name,
        Json::object().set("busy", json_of(region.busy)).set("waiting", json_of(region.waiting)));
  return Json::object()
      .set("busy", json_of(busy))
      .set("waiting", json_of(waiting))
      .set("regions", parts);
}

}  // namespace gsim::engine
