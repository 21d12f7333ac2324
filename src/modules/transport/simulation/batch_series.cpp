#include "src/modules/transport/simulation/batch_series.hpp"

#include <span>
#include <string>

namespace gsim::transport {
namespace {

/// Calls on_series(name, values) for each series of `s` and on_total(name, value) for each total.
template <class Series, class OnSeries, class OnTotal>
void for_each(Series& s, const OnSeries& on_series, const OnTotal& on_total) {
  on_series("k_collision", s.k_collision);
  on_series("k_absorption", s.k_absorption);
  on_series("k_track_length", s.k_track_length);
  on_series("leakage", s.leakage);
  on_series("timed_out", s.timed_out);
  on_total("collisions", s.collisions);
  on_total("flights", s.flights);
  on_total("secondaries", s.secondaries);
  on_total("lost", s.lost);
}

}  // namespace

void BatchSeries::add(const BatchSums& sums) {
  k_collision.push_back(sums.k_collision);
  k_absorption.push_back(sums.k_absorption);
  k_track_length.push_back(sums.k_track_length);
  leakage.push_back(sums.leakage);
  timed_out.push_back(sums.timed_out);
  collisions += sums.collisions;
  flights += sums.flights;
  secondaries += sums.secondaries;
  add_lost(sums);
}

void BatchSeries::add_lost(const BatchSums& sums) {
  if (lost == 0 && sums.lost != 0) first_lost = sums.first_lost;
  lost += sums.lost;
  overlapping += sums.overlapping;
}

void BatchSeries::save(DatasetWriter& writer, const std::string& group) const {
  const auto write = [&](const char* name, const auto& value) {
    writer.write(group + "/" + name, value);
  };
  for_each(*this, write, write);
  if (lost == 0) return;
  const LostParticle& p = first_lost;
  const std::string at = group + "/first_lost";
  writer.write(at + "/history", p.history);
  writer.write(at + "/cell", std::int64_t{p.cell});
  writer.write(at + "/reason", static_cast<std::int64_t>(p.reason));
  writer.write(at + "/position", std::vector<double>{p.position.x, p.position.y, p.position.z});
  writer.write(at + "/direction", std::vector<double>{p.direction.x, p.direction.y, p.direction.z});
}

void BatchSeries::restore(DatasetReader& reader, const std::string& group) {
  for_each(
      *this,
      [&](const char* name, std::vector<double>& series) {
        series = reader.read<double>(group + "/" + name);
      },
      [&](const char* name, std::int64_t& total) {
        total = reader.read_value<std::int64_t>(group + "/" + name);
      });
  if (lost == 0) return;
  const std::string at = group + "/first_lost";
  const auto vector = [&](const char* name) {
    const auto v = reader.read<double>(at + name);
    return Vector3{v.at(0), v.at(1), v.at(2)};
  };
  first_lost.history = reader.read_value<std::int64_t>(at + "/history");
  first_lost.cell = static_cast<std::int32_t>(reader.read_value<std::int64_t>(at + "/cell"));
  first_lost.reason =
      static_cast<LostParticle::Reason>(reader.read_value<std::int64_t>(at + "/reason"));
  first_lost.position = vector("/position");
  first_lost.direction = vector("/direction");
}

void BatchSeries::add_to(Digest& digest) const {
  for_each(
      *this,
      [&](const char*, const std::vector<double>& series) {
        digest.add(std::span<const double>(series));
      },
      [&](const char*, std::int64_t total) { digest.add(total); });
}

}  // namespace gsim::transport
