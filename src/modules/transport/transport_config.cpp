#include "src/modules/transport/transport_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/materials/materials_config.hpp"

namespace gsim::transport {
namespace {

constexpr std::string_view modes[] = {"k_eigenvalue", "fixed_source"};

enum class Domain { replicated, decomposed };

void describe_roulette(Section& s, TransportConfig& c) {
  HistoryRules& rules = c.rules;
  c.roulette = s.locations();
  s.optional("cutoff", rules.cutoff,
             {.doc = "weight below which particles undergo Russian roulette: they survive with "
                     "the weight `survival`, or are killed",
              .minimum = 0,
              .maximum = 1});
  s.optional(
      "survival", rules.survival,
      {.doc = "weight of survivors", .minimum = 0, .maximum = 1e6, .exclusive_minimum = true});
}

void validate_roulette(const TransportConfig& c) {
  if (c.rules.survival < c.rules.cutoff)
    c.roulette.fail(
        "survival",
        fmt::format("survival {:g} is less than cutoff {:g}", c.rules.survival, c.rules.cutoff),
        "survivors would undergo roulette again at once; give a larger one");
}

void describe_entropy(Section& s, EntropyConfig& c) {
  c.keys = s.locations();
  const KeyInfo corner{.doc = "corner of the mesh", .unit = "cm"};
  s.required("lower_left", c.lower, corner);
  s.required("upper_right", c.upper, corner);
  s.required("shape", c.shape,
             {.doc = "number of bins along x, y, z", .minimum = 1, .maximum = 10000});
}

void validate_entropy(const EntropyConfig& c) {
  for (std::size_t a = 0; a < 3; ++a)
    if (!(c.lower[a] < c.upper[a]))
      c.keys.fail("upper_right", fmt::format("the mesh has no extent along {}", "xyz"[a]),
                  "upper_right must lie beyond lower_left along all axes");
  if (c.shape[0] * c.shape[1] * c.shape[2] > 10000000)
    c.keys.fail("shape", "the mesh has more than 10,000,000 boxes",
                "about 20 sites per box are enough; give fewer");
}

void describe_rules(Section& s, TransportConfig& c) {
  static constexpr std::string_view trackings[] = {"surface", "delta"};
  static constexpr std::string_view captures[] = {"analog", "implicit"};
  c.rules = {};
  c.rules.capture = Capture::implicit;
  s.optional("tracking", c.rules.tracking, trackings,
             {.doc = "tracking method. surface: flights end at cell boundaries; delta: "
                     "distances are sampled from the largest total cross section (Woodcock), "
                     "faster where cells are small"});
  s.optional("capture", c.rules.capture, captures,
             {.doc = "treatment of capture. analog: it ends the particle; implicit: it reduces "
                     "the weight"});
  s.optional_table(
      "roulette", [&](Section& t) { describe_roulette(t, c); },
      "Russian roulette for particles of low weight");
  static constexpr std::string_view domains[] = {"replicated", "decomposed"};
  Domain domain = Domain::replicated;
  s.optional("domain", domain, domains,
             {.doc = "distribution of space over ranks. replicated: each rank transports its "
                     "histories everywhere and holds all tally sums; decomposed: each rank "
                     "transports particles in its own domain and holds the mesh bins there, for "
                     "meshes too large for one device"});
  c.is_decomposed = domain == Domain::decomposed;
  s.optional("flights_per_pass", c.rules.flights_per_pass,
             {.doc = "number of flights after which a particle is suspended until all others "
                     "have had as many, so that the surviving ones continue together; 0: "
                     "particles are transported to their ends. Results do not depend on it",
              .minimum = 0});
  s.renamed("flights_a_pass", "flights_per_pass");
  s.optional("time_cutoff", c.rules.time_cutoff,
             {.doc = "time at which particles end; requires the speeds of all groups",
              .unit = "s",
              .minimum = 0,
              .exclusive_minimum = true,
              .allow_infinity = true});
  s.optional("max_lost", c.max_lost,
             {.doc = "number of lost particles above which the run is aborted", .minimum = 0});
}

void describe_eigenvalue(Section& s, TransportConfig& c) {
  c.rules.fission = Fission::next;
  c.inactive = 0;
  c.first_k = 1;
  s.optional("inactive", c.inactive,
             {.doc = "number of inactive generations, in which the fission source converges and "
                     "nothing is tallied",
              .minimum = 0});
  s.optional("first_k", c.first_k,
             {.doc = "initial k, by which fission yields of the first generation are divided",
              .minimum = 0,
              .exclusive_minimum = true});
  c.has_entropy = s.optional_table(
      "entropy", [&](Section& t) { describe_entropy(t, c.entropy); },
      "mesh of the Shannon entropy of the fission source; default: around the "
      "initial source");
}

void validate_eigenvalue(const TransportConfig& c) {
  if (c.has_entropy) validate_entropy(c.entropy);
  if (c.active() < 2)
    c.transport.fail("inactive",
                     fmt::format("{} of {} generations are inactive", c.inactive, c.batches),
                     "give at least 2 active ones, better some hundreds");
}

void describe_fixed_source(Section& s, TransportConfig& c) {
  bool fission = true;
  s.optional("fission_neutrons", fission,
             {.doc = "whether fission produces neutrons; otherwise it is treated as capture"});
  Index max_secondaries = HistoryRules{}.max_secondaries;
  s.optional("max_secondaries", max_secondaries,
             {.doc = "largest number of secondaries of a source particle; a history with more "
                     "counts as lost. With domain = \"decomposed\", and where histories run in "
                     "passes, as on GPUs, the secondaries of a particle and of its ancestors are "
                     "counted instead of those of the whole history; with domain = \"decomposed\", "
                     "exceeding the limit ends the run",
              .minimum = 1});
  c.rules.max_secondaries = max_secondaries;
  c.rules.fission = fission ? Fission::same_batch : Fission::absorbs;
  c.inactive = 0;
  c.has_entropy = false;
}

void describe_run(Section& s, TransportConfig& c) {
  c.where = s.location();
  c.transport = s.locations();
  s.required(
      "particles", c.particles,
      {.doc = "number of particles that start in each batch", .minimum = 1, .maximum = 0x1p40});
  s.required("batches", c.batches,
             {.doc = "number of generations of fission neutrons, inactive ones included, or of "
                     "batches of source particles",
              .minimum = 1,
              .maximum = 0x1p32,
              .is_run_length = true});
  describe_rules(s, c);
  c.mode = static_cast<Mode>(
      s.alternatives("mode",
                     {{"k_eigenvalue", "generations of fission neutrons and their multiplication",
                       [&](Section& t) { describe_eigenvalue(t, c); }},
                      {"fixed_source", "particles from [[source]] and their secondaries",
                       [&](Section& t) { describe_fixed_source(t, c); }}},
                     -1, {.doc = "kind of calculation"}));
}

/// Checks the ratio of importances: a particle is split by the ratio of those of the cells that it
/// enters and leaves.
void check_importances(const TransportConfig& c) {
  constexpr double largest_ratio = 1e9;  // so that the number of particles fits in 32 bits
  double smallest = HUGE_VAL, largest = 0;
  for (const CellConfig& cell : c.geometry.cells) {
    if (cell.importance > 0) smallest = std::min(smallest, cell.importance);
    largest = std::max(largest, cell.importance);
  }
  if (largest > largest_ratio * smallest)
    c.top.fail("cell", fmt::format("importances reach from {:g} to {:g}", smallest, largest),
               "a particle that moves from the lowest to the highest would be split into too many "
               "particles");
}

void check_biases(const TransportConfig& c) {
  if (!c.biases.is_set()) return;
  const char* const key =
      c.biases.transforms.empty() ? "forced_collisions" : "exponential_transform";
  if (c.rules.tracking == Tracking::delta)
    c.top.fail(
        key,
        fmt::format(
            "{} cannot be given with delta tracking, which has no flights from cell to cell", key),
        "set tracking = \"surface\" in [transport]");
  if (c.mode != Mode::fixed_source)
    c.top.fail(key, fmt::format("{} cannot be given with mode = \"k_eigenvalue\"", key),
               "remove the table, or set mode = \"fixed_source\"");
}

/// Checks keys of different tables that depend on one another.
void check_together(const TransportConfig& c) {
  const bool is_timed = c.materials.has_speeds() && c.mode == Mode::fixed_source;
  if (std::isfinite(c.rules.time_cutoff) && !c.materials.has_speeds())
    c.top.fail("material", "time_cutoff without speeds of all materials",
               "give each material `speed`, a list with one value per group, in cm/s");
  if (std::isfinite(c.rules.time_cutoff) && c.mode == Mode::k_eigenvalue)
    c.top.fail("transport", "time_cutoff is given, and mode = \"k_eigenvalue\" does not track time",
               "remove it: only runs with mode = \"fixed_source\" have one");
  if (c.mode == Mode::fixed_source && c.sources.list.empty())
    c.top.fail("source", "a fixed-source run has no [[source]]", "say where its particles start");
  if (c.windows.is_set && c.mode != Mode::fixed_source)
    c.top.fail("weight_windows", "weight windows cannot be given with mode = \"k_eigenvalue\"",
               "remove the table, or set mode = \"fixed_source\"");
  for (const CellConfig& cell : c.geometry.cells)
    if (c.windows.is_set && cell.importance != 1)
      c.top.fail(
          "weight_windows",
          fmt::format("weight windows cannot be given with the importance of cell `{}`", cell.name),
          "both determine the number of particles; give one of them");
  check_importances(c);
  check_biases(c);
  for (const CellConfig& cell : c.geometry.cells)
    if (cell.importance == 0 && c.rules.tracking == Tracking::delta)
      c.top.fail(
          "transport",
          fmt::format("delta tracking flies through cell `{}`, whose importance is 0", cell.name),
          "set tracking = \"surface\", or put a vacuum boundary in the place of the cell");
  if (is_timed && c.rules.tracking == Tracking::delta) {
    const auto& first = c.materials.materials.front().speed;
    for (const Material& m : c.materials.materials)
      if (m.speed != first)
        c.top.fail(
            "transport",
            fmt::format("delta tracking does not locate materials along flights, and `{}` has "
                        "other speeds than `{}`",
                        m.name, c.materials.materials.front().name),
            "set tracking = \"surface\", or give all materials the same speeds");
  }
}

}  // namespace

std::span<const std::string_view> mode_names() { return modes; }

void describe_transport(Section& top, TransportConfig& c, const Extensions& extensions) {
  c.top = top.locations();
  top.required_table(
      "transport", [&c](Section& s) { describe_run(s, c); }, "settings of the run");
  describe_materials(top, c.materials);
  describe_geometry(top, c.geometry, extensions.surfaces);
  describe_sources(top, c.materials.groups, extensions.sources, c.sources);
  describe_plots(top, c.plots);
  describe_tallies(top, c.tallies, extensions.scores, extensions.filters);
  describe_windows(top, c.windows);
  describe_flight_biases(top, c.biases);
  describe_particle_file(top, c.particle_file);
}

void validate_transport(TransportConfig& c) {
  validate_geometry(c.geometry);
  validate_roulette(c);
  if (c.mode == Mode::k_eigenvalue) validate_eigenvalue(c);
  validate_sources(c.materials, c.sources);
  validate_plots(c.plots);
  validate_tallies(c.tallies);
  validate_windows(c.tallies.meshes, c.materials.groups, c.windows);
  validate_flight_biases(c.biases);
  validate_particle_file(c.particle_file);
  check_together(c);
  c.inactive += c.windows.generator_batches();
  c.batches += c.windows.generator_batches();
  c.rules.max_lost = c.max_lost;
  c.rules.is_timed = c.mode == Mode::fixed_source && c.materials.has_speeds() ? 1 : 0;
}

}  // namespace gsim::transport
