#include "src/modules/transport/transport_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/materials/materials_config.hpp"

namespace gsim::transport {
namespace {

constexpr std::string_view modes[] = {"k_eigenvalue", "fixed_source"};

enum class Domain { replicated, decomposed };

void describe_roulette(Section& s, HistoryRules& rules) {
  s.optional("cutoff", rules.cutoff,
             {.doc = "particles of less weight play: they go on with `survival` or end",
              .minimum = 0,
              .maximum = 1});
  s.optional("survival", rules.survival,
             {.doc = "weight of those that go on",
              .minimum = 0,
              .maximum = 1e6,
              .exclusive_minimum = true});
  if (!s.describing() && rules.survival < rules.cutoff)
    s.fail("survival",
           fmt::format("survival {:g} is less than cutoff {:g}", rules.survival, rules.cutoff),
           "who survives would play again at once; give a larger one");
}

void describe_entropy(Section& s, EntropyConfig& c) {
  std::vector<double> lower, upper;
  std::vector<Index> shape;
  const KeyInfo corner{.doc = "of the mesh", .unit = "cm", .min_size = 3, .max_size = 3};
  s.required("lower_left", lower, corner);
  s.required("upper_right", upper, corner);
  s.required(
      "shape", shape,
      {.doc = "boxes along x, y, z", .minimum = 1, .maximum = 10000, .min_size = 3, .max_size = 3});
  if (s.describing()) return;
  c.where = s.location("lower_left");
  for (std::size_t a = 0; a < 3; ++a) {
    c.lower[a] = lower[a];
    c.upper[a] = upper[a];
    c.shape[a] = shape[a];
    if (!(lower[a] < upper[a]))
      s.fail("upper_right", fmt::format("the mesh has no extent along {}", "xyz"[a]),
             "upper_right must lie beyond lower_left along all axes");
  }
  if (c.shape[0] * c.shape[1] * c.shape[2] > 10000000)
    s.fail("shape", "the mesh has more than 10,000,000 boxes",
           "some 20 sites a box are enough; give fewer");
}

void describe_rules(Section& s, TransportConfig& c) {
  static constexpr std::string_view trackings[] = {"surface", "delta"};
  static constexpr std::string_view captures[] = {"analog", "implicit"};
  c.rules = {};
  c.rules.capture = Capture::implicit;
  s.optional(
      "tracking", c.rules.tracking, trackings,
      {.doc = "surface: from boundary to boundary; delta: from one possible collision to the "
              "next by the largest cross section (Woodcock), faster where cells are small"});
  s.optional("capture", c.rules.capture, captures,
             {.doc = "analog: a capture ends the particle; implicit: it lowers the weight"});
  s.optional_table(
      "roulette", [&](Section& t) { describe_roulette(t, c.rules); },
      "Russian roulette for particles of low weight");
  static constexpr std::string_view domains[] = {"replicated", "decomposed"};
  Domain domain = Domain::replicated;
  s.optional("domain", domain, domains,
             {.doc = "replicated: a rank follows its histories everywhere, and holds all sums of "
                     "tallies; decomposed: a rank follows particles in its own part of space, and "
                     "holds what meshes have there, for meshes too large for one device"});
  c.is_decomposed = domain == Domain::decomposed;
  s.optional("flights_a_pass", c.rules.flights_a_pass,
             {.doc = "particles that have flown so often wait for those that have not, and go on "
                     "together, without those that have ended; 0: they fly to their ends; -1: 64 "
                     "on devices, 0 elsewhere. Results do not depend on it",
              .minimum = -1});
  s.optional("time_cutoff", c.rules.time_cutoff,
             {.doc = "particles end at this time; needs the speeds of all groups",
              .unit = "s",
              .minimum = 0,
              .exclusive_minimum = true,
              .allow_infinity = true});
  s.optional("max_lost", c.max_lost,
             {.doc = "particles that may get lost before the run is given up", .minimum = 0});
}

void describe_eigenvalue(Section& s, TransportConfig& c) {
  c.rules.fission = Fission::next;
  c.inactive = 0;
  c.first_k = 1;
  s.optional("inactive", c.inactive,
             {.doc = "generations at the beginning that only let the fission source settle",
              .minimum = 0});
  s.optional("first_k", c.first_k,
             {.doc = "what fission yields of the first generation are divided by",
              .minimum = 0,
              .exclusive_minimum = true});
  c.has_entropy = s.optional_table(
      "entropy", [&](Section& t) { describe_entropy(t, c.entropy); },
      "the mesh of the fission source's Shannon entropy; left out: around the first source");
  if (!s.describing() && c.active() < 2)
    s.fail("inactive", fmt::format("{} of {} generations are inactive", c.inactive, c.batches),
           "give at least 2 active ones, better some hundreds");
}

void describe_fixed_source(Section& s, TransportConfig& c) {
  bool fission = true;
  s.optional("fission_neutrons", fission, {.doc = "whether fission makes neutrons, or is capture"});
  Index most = HistoryRules{}.max_secondaries;
  s.optional(
      "max_secondaries", most,
      {.doc = "particles that one source particle may lead to before it counts as lost; with "
              "domain = \"decomposed\" and where histories run in passes, as on devices, those of "
              "one line of descent, and the former ends the run",
       .minimum = 1});
  c.rules.max_secondaries = most;
  c.rules.fission = fission ? Fission::same_batch : Fission::absorbs;
  c.inactive = 0;
  c.has_entropy = false;
}

void describe_run(Section& s, TransportConfig& c) {
  c.where = s.location();
  s.required("particles", c.particles,
             {.doc = "started in each batch", .minimum = 1, .maximum = 0x1p40});
  s.required(
      "batches", c.batches,
      {.doc = "generations of fission neutrons, inactive ones included, or batches of source "
              "particles",
       .minimum = 1,
       .maximum = 0x1p32,
       .is_run_length = true});
  describe_rules(s, c);
  c.mode = static_cast<Mode>(
      s.alternatives("mode",
                     {{"k_eigenvalue", "generations of fission neutrons and their multiplication",
                       [&](Section& t) { describe_eigenvalue(t, c); }},
                      {"fixed_source", "particles from [[source]], and what they make",
                       [&](Section& t) { describe_fixed_source(t, c); }}},
                     -1, {.doc = "what is calculated"}));
}

/// A particle splits by the ratio of importances of the cells that it leaves and enters.
void check_importances(const Section& top, const TransportConfig& c) {
  constexpr double largest_ratio = 1e9;  // of a count in 32 bits
  double least = HUGE_VAL, most = 0;
  for (const CellConfig& cell : c.geometry.cells) {
    if (cell.importance > 0) least = std::min(least, cell.importance);
    most = std::max(most, cell.importance);
  }
  if (most > largest_ratio * least)
    top.fail("cell", fmt::format("importances reach from {:g} to {:g}", least, most),
             "from one to the other a particle would split into more than can be counted");
}

void check_biases(const Section& top, const TransportConfig& c) {
  if (!c.biases.is_set()) return;
  const char* const key =
      c.biases.transforms.empty() ? "forced_collisions" : "exponential_transform";
  if (c.rules.tracking == Tracking::delta)
    top.fail(key, fmt::format("{} beside delta tracking, which flies without regard to cells", key),
             "say tracking = \"surface\" in [transport]");
  if (c.mode != Mode::fixed_source)
    top.fail(key, fmt::format("{} beside mode = \"k_eigenvalue\"", key),
             "it serves fixed sources; remove the table");
}

void check_together(const Section& top, const TransportConfig& c) {
  const bool is_timed = c.materials.has_speeds() && c.mode == Mode::fixed_source;
  if (std::isfinite(c.rules.time_cutoff) && !c.materials.has_speeds())
    top.fail("material", "time_cutoff without speeds of all materials",
             "give each material `speed`, a list of one a group, in cm/s");
  if (std::isfinite(c.rules.time_cutoff) && c.mode == Mode::k_eigenvalue)
    top.fail("transport", "time_cutoff is given, and mode = \"k_eigenvalue\" keeps no time",
             "remove it: only runs with mode = \"fixed_source\" have one");
  if (c.mode == Mode::fixed_source && c.sources.list.empty())
    top.fail("source", "a fixed-source run has no [[source]]", "say where its particles start");
  if (c.windows.is_set && c.mode != Mode::fixed_source)
    top.fail("weight_windows", "weight windows beside mode = \"k_eigenvalue\"",
             "they serve fixed sources; remove the table");
  for (const CellConfig& cell : c.geometry.cells)
    if (c.windows.is_set && cell.importance != 1)
      top.fail(
          "weight_windows",
          fmt::format("weight windows beside cell `{}` with an importance of its own", cell.name),
          "both say how many particles there shall be; give one of them");
  check_importances(top, c);
  check_biases(top, c);
  for (const CellConfig& cell : c.geometry.cells)
    if (cell.importance == 0 && c.rules.tracking == Tracking::delta)
      top.fail(
          "transport",
          fmt::format("delta tracking flies through cell `{}`, whose importance is 0", cell.name),
          "say tracking = \"surface\", or give the cell's outer surface a vacuum boundary");
  if (is_timed && c.rules.tracking == Tracking::delta) {
    const auto& first = c.materials.materials.front().speed;
    for (const Material& m : c.materials.materials)
      if (m.speed != first)
        top.fail("transport",
                 fmt::format("delta tracking does not know where materials begin, and `{}` has "
                             "other speeds than `{}`",
                             m.name, c.materials.materials.front().name),
                 "say tracking = \"surface\", or give all materials the same speeds");
  }
}

}  // namespace

std::span<const std::string_view> mode_words() { return modes; }

void describe_transport(Section& top, TransportConfig& c, const Extensions& extensions) {
  top.required_table(
      "transport", [&c](Section& s) { describe_run(s, c); }, "the run");
  describe_materials(top, c.materials);
  describe_geometry(top, c.geometry, extensions.surfaces);
  describe_sources(top, c.materials, c.sources, extensions.sources);
  describe_plots(top, c.plots);
  describe_tallies(top, c.tallies, extensions.scores);
  describe_windows(top, c.tallies.meshes, c.materials.groups, c.windows);
  describe_flight_biases(top, c.biases);
  describe_particle_file(top, c.particle_file);
  if (top.describing()) return;
  check_together(top, c);
  c.inactive += c.windows.generator_batches();
  c.batches += c.windows.generator_batches();
  c.rules.max_lost = c.max_lost;
  c.rules.is_timed = c.mode == Mode::fixed_source && c.materials.has_speeds() ? 1 : 0;
}

}  // namespace gsim::transport
