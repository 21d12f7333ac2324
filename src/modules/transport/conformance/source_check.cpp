#include "source_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "example.hpp"
#include "gsim/transport/source_kind.hpp"
#include "src/modules/transport/sources/plugin_source.hpp"

namespace gsim::transport {
namespace {

constexpr Index checked_histories = 5000;
// In standard errors; a larger deviation occurs by chance once in two million runs.
constexpr double largest_deviation = 5;

bool same(const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same(const SourceParticle& a, const SourceParticle& b) {
  return same(a.position, b.position) && same(a.direction, b.direction) && a.weight == b.weight &&
         a.time == b.time && a.group == b.group;
}

/// Samples ranges of `size` histories, from the last range to the first, and compares with
/// `reference`, for which all histories were sampled by one call.
std::string order_problem(const std::vector<SourceParticle>& reference, PluginSource& source,
                          Index size, int threads) {
  for (Index first = (checked_histories - 1) / size * size; first >= 0; first -= size) {
    const Index last = std::min(first + size, checked_histories);
    const auto piece = source.particles({first, last});
    for (Index h = first; h < last; ++h)
      if (!same(piece[static_cast<std::size_t>(h - first)], reference[static_cast<std::size_t>(h)]))
        return fmt::format(
            "history {} starts another particle when histories are sampled in ranges of {}, from "
            "the last range to the first, on {}",
            h, size, threads == 1 ? "one thread" : fmt::format("{} threads", threads));
  }
  return {};
}

std::string weight_problem(const std::vector<SourceParticle>& particles) {
  const auto n = static_cast<double>(particles.size());
  double sum = 0, squares = 0;
  for (const SourceParticle& p : particles) sum += p.weight;
  const double mean = sum / n;
  for (const SourceParticle& p : particles) squares += (p.weight - mean) * (p.weight - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  if (std::fabs(mean - 1) <= largest_deviation * error + 1e-9) return {};
  return fmt::format("the mean weight is {:.6g} +- {:.2g}, and should be 1", mean, error);
}

std::string source_problem(const SourceKind& kind, const std::vector<double>& numbers,
                           std::int32_t groups) {
  constexpr std::uint64_t seed = 1;
  PluginSource on_one_thread(Executor::host(1), kind, numbers, groups, seed);
  PluginSource on_three_threads(Executor::host(3), kind, numbers, groups, seed);
  const auto reference = on_one_thread.particles({0, checked_histories});
  for (const Index size : {1, 7, 800})
    if (std::string found = order_problem(reference, on_one_thread, size, 1); !found.empty())
      return found;
  if (std::string found = order_problem(reference, on_three_threads, 800, 3); !found.empty())
    return found;
  return weight_problem(reference);
}

}  // namespace

void check_source(const ConformanceSubject& subject, const ReportFinding& report) {
  report_problem(report, "samples the same particle for a history in any order, with mean weight 1",
                 [&]() -> std::string {
                   const TransportConfig example = read_example(subject);
                   const SourceKind& kind = subject.part_as<SourceKind>();
                   for (const SourceConfig& source : example.sources.list)
                     if (source.sampler == &kind)
                       return source_problem(kind, source.numbers,
                                             static_cast<std::int32_t>(example.materials.groups));
                   return {};
                 });
}

void register_source_check(Registry& registry);
void register_source_check(Registry& registry) {
  registry.extend(ConformanceCheck{
      .module = "transport",
      .name = "particles_of_sources",
      .doc = "samples the same particle for a history in any order, with mean weight 1",
      .kind = SourceKind::extends,
      .check = check_source});
}

}  // namespace gsim::transport
