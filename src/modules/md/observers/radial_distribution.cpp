#include "src/modules/md/observers/radial_distribution.hpp"

#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

RadialDistribution::RadialDistribution(std::string name, const SampleSteps& steps,
                                       const RadialDistributionConfig& config,
                                       const ObserverSetup& setup)
    : name_(std::move(name)),
      steps_(steps),
      setup_(setup),
      types_(setup, name_, config.types),
      shape_{config.r_max, config.bins, types_.size()},
      totals_(static_cast<std::size_t>(shape_.pairs() * shape_.bins)),
      blocking_(2 * shape_.pairs() * shape_.bins) {}

double RadialDistribution::possible_pairs(Index a, Index b) const {
  const auto na = static_cast<double>(types_.atoms(a)), nb = static_cast<double>(types_.atoms(b));
  return a == b ? na * (na - 1) / 2 : na * nb;
}

void RadialDistribution::observe(const Snapshot& snapshot) {
  check_halo_width(snapshot.box, shape_.r_max);
  ParticleStore& store = snapshot.particles.store;
  const Index all = store.locals() + store.ghosts();
  const HostColumn<FixedPosition> positions(store, store.position(), all);
  const HostColumn<std::int32_t> types(store, snapshot.particles.type, all);
  const auto n = static_cast<std::size_t>(all);
  std::vector<std::int32_t> groups(n);
  for (std::size_t i = 0; i < n; ++i)
    groups[i] = types_.group_of_type()[static_cast<std::size_t>(types[static_cast<Index>(i)])];
  std::vector<Index> counts(totals_.size());
  count_pairs(setup_.executor.pool(), snapshot.box, {{positions.data(), n}, groups, store.locals()},
              shape_, counts);
  snapshot.communicator.backend().allreduce(std::span<Index>(counts), ReduceOp::sum);
  for (Index& c : counts) c /= 2;
  add(counts, snapshot.box.volume());
}

void RadialDistribution::add(std::span<const Index> counts, double volume) {
  std::vector<double> values;
  values.reserve(2 * counts.size());
  const double width = shape_.r_max / static_cast<double>(shape_.bins);
  for (Index b = 0; b < types_.size(); ++b)
    for (Index a = 0; a <= b; ++a) {
      const double possible = possible_pairs(a, b);
      const double per_atom = (a == b ? 2.0 : 1.0) / static_cast<double>(types_.atoms(a));
      Index within = 0;
      for (Index k = 0; k < shape_.bins; ++k) {
        const Index count =
            counts[static_cast<std::size_t>(HistogramShape::pair(a, b) * shape_.bins + k)];
        within += count;
        const auto i = static_cast<double>(k);
        const double shell = 4 * pi / 3 * (width * width * width) * (3 * i * (i + 1) + 1);
        values.push_back(possible > 0 ? static_cast<double>(count) * volume / (possible * shell)
                                      : 0.0);
        values.push_back(static_cast<double>(within) * per_atom);
      }
    }
  for (std::size_t k = 0; k < counts.size(); ++k) totals_[k] += counts[k];
  blocking_.add(values);
}

BlockedMean RadialDistribution::g(Index a, Index b, Index bin) const {
  return blocking_.mean(2 * (HistogramShape::pair(a, b) * shape_.bins + bin));
}

BlockedMean RadialDistribution::coordination(Index a, Index b, Index bin) const {
  return blocking_.mean(2 * (HistogramShape::pair(a, b) * shape_.bins + bin) + 1);
}

Index RadialDistribution::pairs(Index a, Index b, Index bin) const {
  return totals_[static_cast<std::size_t>(HistogramShape::pair(a, b) * shape_.bins + bin)];
}

std::vector<Estimate> RadialDistribution::estimates() const {
  std::vector<Estimate> all;
  if (blocking_.count() == 0) return all;
  for (Index b = 0; b < types_.size(); ++b)
    for (Index a = 0; a <= b; ++a) {
      Index peak = 0;
      double highest = 0;
      for (Index k = 0; k < shape_.bins; ++k)
        if (const double height = g(a, b, k).mean; height > highest) {
          highest = height;
          peak = k;
        }
      Estimate e =
          g(a, b, peak)
              .estimate(fmt::format("{}.peak.{}-{}", name_, types_.name(a), types_.name(b)), "");
      prepend_remark(e, fmt::format("{} at r = {:.4g}", e.name, centre(peak)));
      all.push_back(std::move(e));
    }
  return all;
}

void RadialDistribution::save(DatasetWriter& writer) const {
  writer.write("observe/" + name_ + "/pairs", totals_);
  blocking_.save(writer, "observe/" + name_ + "/averages");
}

void RadialDistribution::restore(DatasetReader& reader) {
  const auto totals = reader.read<Index>("observe/" + name_ + "/pairs");
  if (totals.size() != totals_.size())
    throw IoError("the state of observer `" + name_ + "` has a different number of bins");
  totals_ = totals;
  blocking_.restore(reader, "observe/" + name_ + "/averages");
}

void RadialDistribution::write_results(DatasetWriter& writer) const {
  std::vector<std::string> first, second;
  std::vector<double> r;
  std::vector<Index> pairs_counted, snapshots;
  std::vector<BlockedMean> values, coordinations;
  for (Index b = 0; b < types_.size(); ++b)
    for (Index a = 0; a <= b; ++a)
      for (Index k = 0; k < shape_.bins; ++k) {
        first.push_back(types_.name(a));
        second.push_back(types_.name(b));
        r.push_back(centre(k));
        values.push_back(g(a, b, k));
        coordinations.push_back(coordination(a, b, k));
        pairs_counted.push_back(pairs(a, b, k));
        snapshots.push_back(blocking_.count());
      }
  ResultColumns table(writer, "observables/" + name_, "radial distribution function");
  table.texts("type_a", first);
  table.texts("type_b", second);
  table.numbers("r", r, setup_.units->length_name, "centre of the bin");
  table.means("g", values, "", "number density of b around a over the mean density");
  table.means("coordination", coordinations, "",
              "mean number of b around an a up to the upper edge of the bin");
  table.counts("pairs", pairs_counted, "number of pairs in all snapshots");
  table.counts("snapshots", snapshots, "number of snapshots");
}

std::uint64_t RadialDistribution::digest() const {
  Digest digest;
  digest.add(name_).add(std::span<const Index>(totals_));
  blocking_.add_to(digest);
  return digest.value();
}

namespace {

// The box must be at least 2 (r_max + skin) wide along periodic axes.
void check_box(const SystemSummary& system, double r_max, const KeyLocations& keys) {
  for (int axis = 0; axis < 3; ++axis)
    if (system.box.boundary(axis) == Boundary::periodic &&
        2 * (r_max + system.skin) > system.box.width(axis))
      keys.fail("r_max",
                fmt::format("observer `{}`: r_max = {} and the skin, {}, exceed half of the "
                            "periodic box, whose width is {:.6g} across axis {}",
                            excerpt(system.observer), r_max, system.skin, system.box.width(axis),
                            "xyz"[axis]),
                "choose a smaller r_max, or a larger box");
}

ObserverPlan describe_radial_distribution(Section& s) {
  RadialDistributionConfig c;
  s.required(
      "r_max", c.r_max,
      {.doc =
           "largest distance of the histogram; r_max + skin must be at most half of the width of "
           "the box along periodic axes; r_max may exceed the cutoff of the potential",
       .unit = "length",
       .minimum = 0,
       .exclusive_minimum = true});
  s.optional("bins", c.bins,
             {.doc = "number of bins between 0 and r_max", .minimum = 1, .maximum = 1e5});
  s.optional("types", c.types, {.doc = "atom types whose pairs are counted (default: all)"});
  ObserverPlan plan;
  plan.types = c.types;
  plan.reach = c.r_max;
  plan.check = [r_max = c.r_max, keys = s.locations()](const SystemSummary& system) {
    check_box(system, r_max, keys);
  };
  plan.make = [c](const ObserverArguments& run) {
    return std::make_unique<RadialDistribution>(run.name, run.steps, c, run.setup);
  };
  return plan;
}

}  // namespace

void register_radial_distribution(Registry& registry) {
  registry.extend(ObserverKind{"radial_distribution",
                               "radial distribution functions and coordination numbers",
                               describe_radial_distribution});
}

}  // namespace gsim::md
