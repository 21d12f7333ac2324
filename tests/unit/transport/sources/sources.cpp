#include "kernels/transport/sources/sources.hpp"

#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "gsim/transport/history_random.hpp"
#include "src/modules/transport/extensions.hpp"
#include "src/modules/transport/sources/source_tables.hpp"
#include "src/modules/transport/sources/spectra/integrals.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport_kernels;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

const PhiloxKey key = stream_key({31, Purpose::transport_history});

const char* const materials_text = R"(
[groups]
bounds = [0.0, 1.0, 1e5, 2e7]
[[material]]
name = "water"
capture = [0.1, 0.1, 0.1]
scatter = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
[[material]]
name = "fuel"
capture = [0.1, 0.1, 0.1]
fission = [0.1, 0.1, 0.1]
nu = [2.0, 2.0, 2.0]
chi = [1.0, 0.0, 0.0]
)";

struct Sources {
  MaterialSet materials;
  SourcesConfig config;

  explicit Sources(const std::string& text, const char* material_tables = materials_text) {
    auto file = ConfigFile::parse(material_tables + text, "run.toml");
    file.read([&](Section& top) {
      describe_materials(top, materials);
      describe_sources(top, materials.groups, Extensions::builtin().sources, config);
    });
    validate_sources(materials, config);
  }
  SourceTables tables() const {
    return {Executor::host(1), make_source_arrays(config, materials, [](const std::string& name) {
              if (name != "core") throw InputError("no cell " + name);
              return std::vector<std::int32_t>{4, 7};
            })};
  }
};

std::string source(const std::string& keys) { return "[[source]]\n" + keys; }
const std::string group_1 = "energy = {kind = \"group\", group = 1}\n";
std::string source_in_space(const std::string& space) {
  return source("space = {" + space + "}\n" + group_1);
}
const std::string point = "space = {kind = \"point\", position = [1.0, 2.0, 3.0]}\n";

/// Mean and standard error of a function of the source particles.
struct Mean {
  double mean, error;
  /// Whether the mean agrees with `expected` within 4 standard errors.
  bool agrees_with(double expected) const { return std::abs(mean - expected) <= 4 * error + 1e-12; }
};
Mean average(const std::string& text, const std::function<double(const SourceParticle&)>& f) {
  const Sources sources(text);
  const auto tables = sources.tables();
  constexpr int n = 40000;
  double sum = 0, sum_of_squares = 0;
  for (std::uint64_t history = 0; history < n; ++history) {
    HistoryRandom random(key, history);
    SourceParticle p;
    const auto accept = [](std::int32_t, const Vector3&) { return true; };
    REQUIRE(sample_source(tables.view(), random, accept, p) == SourceSampling::sampled);
    CHECK(std::abs(dot(p.direction, p.direction) - 1) < 1e-15);
    const double x = f(p);
    sum += x;
    sum_of_squares += x * x;
  }
  const double mean = sum / n;
  return {mean, sqrt(std::max(0.0, sum_of_squares / n - mean * mean) / n)};
}

std::string error_message(const std::string& text) {
  return message_of<ConfigError>([&] { const Sources sources(text); });
}

/// A spectrum that a plugin might register: equal probabilities of the first `groups` groups.
class FlatSpectrum : public EnergySpectrum {
 public:
  explicit FlatSpectrum(Section& s) {
    s.required("groups", groups_, {.doc = "number of groups", .minimum = 1});
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& all_groups) const override {
    if (groups_ > all_groups.groups) keys_.fail("groups", "there are fewer groups");
    GroupSpectrum spectrum;
    for (Index g = 0; g < all_groups.groups; ++g)
      spectrum.probability.push_back(g < groups_ ? 1.0 / static_cast<double>(groups_) : 0.0);
    return spectrum;
  }

 private:
  Index groups_ = 1;
  KeyLocations keys_;
};
std::unique_ptr<EnergySpectrum> describe_flat(Section& s) {
  return std::make_unique<FlatSpectrum>(s);
}

}  // namespace

TEST_CASE("sources: a spectrum that a plugin registers is used like a built-in one") {
  Registry registry;
  register_builtin_parts(registry);
  registry.extend(SpectrumKind{"flat", "equal probabilities", describe_flat});
  const Extensions extensions = Extensions::of(registry);
  const auto groups = [&](const std::string& energy) {
    MaterialSet materials;
    SourcesConfig config;
    auto file = ConfigFile::parse(
        materials_text + source(point + "energy = {kind = \"flat\", " + energy + "}\n"),
        "run.toml");
    file.read([&](Section& top) {
      describe_materials(top, materials);
      describe_sources(top, materials.groups, extensions.sources, config);
    });
    validate_sources(materials, config);
    return config.list.front().groups;
  };
  CHECK(groups("groups = 2") == std::vector<double>{0.5, 0.5, 0});
  CHECK_THROWS_WITH_AS(groups("groups = 4"), doctest::Contains("there are fewer groups"),
                       ConfigError);
  CHECK_THROWS_WITH_AS(Sources(source(point + "energy = {kind = \"flat\", groups = 2}\n")),
                       doctest::Contains("flat"), ConfigError);
}

TEST_CASE(
    "sources: positions have the mean values of uniform distributions in each kind of space") {
  const auto radius = [](const Vector3& c) {
    return [c](const SourceParticle& p) {
      const Vector3 d = p.position - c;
      return sqrt(dot(d, d));
    };
  };
  CHECK(average(source(point + group_1), [](const SourceParticle& p) {
          return p.position.x + 10 * p.position.y + 100 * p.position.z;
        }).agrees_with(321));
  const std::string box =
      source_in_space("kind = \"box\", lower = [-1.0, 0.0, 2.0], upper = [1.0, 0.0, 5.0]");
  CHECK(average(box, [](const SourceParticle& p) {
          return p.position.x * p.position.x;
        }).agrees_with(1 / 3.0));
  CHECK(average(box, [](const SourceParticle& p) { return p.position.z; }).agrees_with(3.5));
  CHECK(average(box, [](const SourceParticle& p) { return p.position.y; }).agrees_with(0));
  // Mean distances from the centre: 3 R / 4; 3 (R^4 - r^4) / (4 (R^3 - r^3)).
  CHECK(average(source_in_space("kind = \"sphere\", center = [1.0, 1.0, 1.0], radius = 2.0"),
                radius({1, 1, 1}))
            .agrees_with(1.5));
  CHECK(average(source_in_space("kind = \"shell\", center = [1.0, 0.0, 0.0], radius = 2.0, "
                                "inner_radius = 1.0"),
                radius({1, 0, 0}))
            .agrees_with(0.75 * 15 / 7));
  const Mean surface =
      average(source_in_space("kind = \"sphere_surface\", center = [0.0, 0.0, 0.0], radius = 3.0"),
              radius({0, 0, 0}));
  CHECK(std::abs(surface.mean - 3) < 1e-12);
  // Mean distance from the axis (1, 1, 0) of a hollow cylinder: 2 (R^3 - r^3) / (3 (R^2 - r^2)).
  const std::string cylinder = source_in_space(
      "kind = \"cylinder\", center = [0.0, 0.0, 5.0], axis = [1.0, 1.0, 0.0], radius = 2.0, "
      "inner_radius = 1.0, length = 6.0");
  const auto height = [](const SourceParticle& p) {
    return (p.position.x + p.position.y) / sqrt(2);
  };
  CHECK(average(cylinder, height).agrees_with(0));
  CHECK(average(cylinder, [&](const SourceParticle& p) {
          return height(p) * height(p);
        }).agrees_with(3));
  CHECK(average(cylinder, [&](const SourceParticle& p) {
          const Vector3 d = p.position - Vector3{0, 0, 5};
          return sqrt(dot(d, d) - height(p) * height(p));
        }).agrees_with(2.0 / 3 * 7 / 3));
  const std::string patch = source_in_space(
      "kind = \"parallelogram\", corner = [1.0, 0.0, 0.0], edge_1 = [2.0, 0.0, 0.0], "
      "edge_2 = [1.0, 1.0, 0.0]");
  CHECK(average(patch, [](const SourceParticle& p) { return p.position.x; }).agrees_with(2.5));
  CHECK(average(source_in_space("kind = \"disk\", center = [0.0, 0.0, 1.0], radius = 2.0"),
                [](const SourceParticle& p) {
                  CHECK(p.position.z == 1);
                  return p.position.x * p.position.x;
                })
            .agrees_with(1));
}

TEST_CASE("sources: directions have the mean cosines of each kind of angular distribution") {
  const auto source_with_angle = [](const std::string& angle) {
    return source(point + group_1 + "angle = {" + angle + "}\n");
  };
  const auto along_z = [](const SourceParticle& p) { return p.direction.z; };
  const auto square_z = [](const SourceParticle& p) { return p.direction.z * p.direction.z; };
  CHECK(average(source_with_angle("kind = \"isotropic\""), square_z).agrees_with(1 / 3.0));
  CHECK(average(source_with_angle("kind = \"beam\", axis = [0.0, 0.0, -5.0]"), along_z)
            .agrees_with(-1));
  CHECK(average(source_with_angle("kind = \"cosine\", axis = [0.0, 0.0, 1.0]"), along_z)
            .agrees_with(2 / 3.0));
  CHECK(average(source_with_angle("kind = \"cosine\", axis = [0.0, 0.0, 1.0]"), square_z)
            .agrees_with(1 / 2.0));
  CHECK(average(source_with_angle("kind = \"cone\", axis = [0.0, 0.0, 1.0], half_angle = 60.0"),
                along_z)
            .agrees_with(0.75));
  // Directions inward from a sphere, and along the normal of a parallelogram.
  CHECK(
      average(source("space = {kind = \"sphere_surface\", center = [0.0, 0.0, 0.0], radius = 2.0}\n"
                     "angle = {kind = \"cosine\", normal = \"inward\"}\n" +
                     group_1),
              [](const SourceParticle& p) { return dot(p.position, p.direction) / 2; })
          .agrees_with(-2 / 3.0));
  CHECK(average(source("space = {kind = \"parallelogram\", corner = [0.0, 0.0, 0.0], "
                       "edge_1 = [1.0, 0.0, 0.0], edge_2 = [0.0, 1.0, 0.0]}\n"
                       "angle = {kind = \"beam\", normal = \"outward\"}\n" +
                       group_1),
                along_z)
            .agrees_with(1));
}

TEST_CASE("sources: times have the mean values of each kind of time distribution") {
  const auto source_with_time = [](const std::string& time) {
    return source(point + group_1 + "time = {" + time + "}\n");
  };
  const auto time = [](const SourceParticle& p) { return p.time; };
  CHECK(average(source_with_time("kind = \"instant\", start = 2.5"), time).agrees_with(2.5));
  CHECK(average(source_with_time("kind = \"uniform\", start = 1.0, duration = 4.0"), time)
            .agrees_with(3));
  CHECK(average(source_with_time("kind = \"gaussian\", mean = 5.0, standard_deviation = 0.5"), time)
            .agrees_with(5));
  CHECK(average(source_with_time("kind = \"gaussian\", mean = 5.0, standard_deviation = 0.5"),
                [](const SourceParticle& p) { return (p.time - 5) * (p.time - 5); })
            .agrees_with(0.25));
  CHECK(average(source_with_time("kind = \"exponential\", start = 1.0, mean = 2.0"), time)
            .agrees_with(3));
  const std::string pulses =
      source_with_time("kind = \"pulse\", width = 0.5, period = 2.0, pulses = 3");
  CHECK(average(pulses, time).agrees_with(2.25));
  CHECK(average(pulses, [](const SourceParticle& p) {
          const double phase = p.time - 2 * floor(p.time / 2);
          CHECK(phase <= 0.5);
          return phase;
        }).agrees_with(0.25));
  // Densities 0, 2, 2 at times 0, 1, 2, linear in between, have the mean (2/3 + 2 * 3/2) / 3. Then
  // densities 1 and 3, constant on each interval.
  CHECK(average(source_with_time(
                    "kind = \"tabulated\", times = [0.0, 1.0, 2.0], densities = [0.0, 2.0, 2.0]"),
                time)
            .agrees_with((2.0 / 3 + 3) / 3));
  CHECK(average(source_with_time(
                    "kind = \"tabulated\", times = [0.0, 1.0, 2.0], densities = [1.0, 3.0]"),
                time)
            .agrees_with((0.5 + 4.5) / 4));
}

TEST_CASE("sources: group probabilities of spectra agree with numerical integration") {
  const std::vector<double> bounds{2e7, 1e6, 1e3, 0};
  // Compared with Simpson's rule applied to the densities.
  const auto simpson = [](const std::function<double(double)>& f, double a, double b) {
    constexpr int n = 20000;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      // The variable is the square root of the energy, in which densities are smooth at 0.
      const double lower = sqrt(a) + (sqrt(b) - sqrt(a)) * i / n;
      const double upper = sqrt(a) + (sqrt(b) - sqrt(a)) * (i + 1) / n, mid = (lower + upper) / 2;
      const auto g = [&](double r) { return f(r * r) * 2 * r; };
      sum += (upper - lower) / 6 * (g(lower) + 4 * g(mid) + g(upper));
    }
    return sum;
  };
  const auto compare = [&](const GroupSpectrum& s, const std::function<double(double)>& density) {
    const double total = simpson(density, 0, 1e8);
    for (std::size_t g = 0; g < 3; ++g)
      CHECK(s.probability[g] ==
            doctest::Approx(simpson(density, bounds[g + 1], bounds[g]) / total).epsilon(1e-9));
  };
  compare(maxwell_spectrum(bounds, 1.2e6), [](double e) { return sqrt(e) * std::exp(-e / 1.2e6); });
  compare(watt_spectrum(bounds, 0.988e6, 2.249e-6),
          [](double e) { return std::exp(-e / 0.988e6) * std::sinh(sqrt(2.249e-6 * e)); });
  const GroupSpectrum lines = line_spectrum(bounds, std::vector<double>{14e6, 1e6, 3e7, 10},
                                            std::vector<double>{1, 2, 3, 4});
  CHECK(lines.probability == std::vector<double>{0.3, 0, 0.4});
  CHECK(lines.outside == doctest::Approx(0.3));
  CHECK(group_of(bounds, 1e6) == 0);
  CHECK(group_of(bounds, 2e7) == 0);
  CHECK(group_of(bounds, 0) == 2);
  CHECK(group_of(bounds, 2.1e7) == -1);
  const GroupSpectrum ramp =
      tabulated_spectrum(bounds, std::vector<double>{0, 2e6}, std::vector<double>{0, 1});
  CHECK(ramp.probability[0] == doctest::Approx(0.75));
  CHECK(ramp.probability[1] == doctest::Approx(0.25 - 2.5e-7));
  const GroupSpectrum steps =
      tabulated_spectrum(bounds, std::vector<double>{0, 5e5, 2e6}, std::vector<double>{3, 1});
  CHECK(steps.probability[0] == doctest::Approx(1 / 3.0));
}

TEST_CASE(
    "sources: groups are sampled with the probabilities of the spectrum, sources with their "
    "strengths") {
  const auto in_group = [](int g) {
    return [g](const SourceParticle& p) { return p.group == g ? 1.0 : 0.0; };
  };
  const std::string weights =
      source(point + "energy = {kind = \"groups\", weights = [1.0, 0.0, 3.0]}\n");
  CHECK(average(weights, in_group(0)).agrees_with(0.25));
  CHECK(average(weights, in_group(1)).agrees_with(0));
  const std::string lines = source(
      point + "energy = {kind = \"discrete\", energies = [1e6, 0.5], intensities = [1.0, 1.0]}\n");
  CHECK(average(lines, in_group(2)).agrees_with(0.5));
  const std::string two_sources = source("strength = 3.0\n" + point + group_1) +
                                  source(point + "energy = {kind = \"group\", group = 2}\n");
  CHECK(average(two_sources, in_group(1)).agrees_with(0.25));
  CHECK(Sources(two_sources).config.strength() == 4);
  const Sources watt(source(point + "energy = {kind = \"watt\", a = 0.988e6, b = 2.249e-6}\n"));
  REQUIRE(watt.config.notes.size() <= 1);
  double sum = 0;
  for (const double p : watt.config.list[0].groups) sum += p;
  CHECK(sum == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE(
    "sources: positions outside of the admitted cells and materials are sampled again, up to a "
    "limit") {
  const Sources sources(
      source("space = {kind = \"box\", lower = [0.0, 0.0, 0.0], "
             "upper = [1.0, 1.0, 1.0]}\n" +
             group_1 + "cells = [\"core\"]\nonly_fissile = true\n"));
  const auto tables = sources.tables();
  const SourceView view = tables.view();
  CHECK(is_admitted(view, 0, 7, 1));
  CHECK(!is_admitted(view, 0, 5, 1));
  CHECK(!is_admitted(view, 0, 7, 0));
  HistoryRandom random(key, 1);
  SourceParticle p;
  const auto is_near = [](std::int32_t, const Vector3& x) { return x.x < 0.01; };
  CHECK(sample_source(view, random, is_near, p) == SourceSampling::sampled);
  CHECK(p.position.x < 0.01);
  const auto is_nowhere = [](std::int32_t, const Vector3&) { return false; };
  CHECK(sample_source(view, random, is_nowhere, p) == SourceSampling::no_position);
  CHECK_THROWS_WITH_AS(Sources(source(point + group_1 + "materials = [\"lead\"]\n")).tables(),
                       doctest::Contains("in material `lead`"), InputError);
}

TEST_CASE("sources: invalid sources are refused with the location in the file") {
  const std::vector<std::pair<std::string, std::string>> invalid_keys = {
      {group_1, "neither space nor file"},
      {point, "the source has no energy"},
      {point + "energy = {kind = \"group\", group = 4}\n",
       "there is no group 4: the materials have 3 groups"},
      {point + "energy = {kind = \"groups\", weights = [1.0]}\n", "1 weights for 3 groups"},
      {point + "energy = {kind = \"groups\", weights = [0.0, 0.0, 0.0]}\n", "all values are 0"},
      {point + "energy = {kind = \"maxwell\", temperature = 1e12}\nstrength = 0.0\n", "strength"},
      {point + "energy = {kind = \"discrete\", energies = [3e7], intensities = [1.0]}\n",
       "nothing of the spectrum lies within the groups"},
      {point + "energy = {kind = \"tabulated\", energies = [2.0, 1.0], densities = [1.0]}\n",
       "energies do not increase"},
      {point + group_1 + "angle = {kind = \"beam\"}\n", "neither axis nor normal"},
      {point + group_1 + "angle = {kind = \"beam\", axis = [0.0, 0.0, 0.0]}\n", "has no length"},
      {point + group_1 + "angle = {kind = \"cosine\", normal = \"outward\"}\n",
       "a volume has no normal"},
      {point + group_1 + "time = {kind = \"pulse\", width = 2.0, period = 1.0, pulses = 2}\n",
       "shorter than a pulse"},
      {point + group_1 + "time = {kind = \"tabulated\", times = [0.0, 1.0], densities = [-1.0]}\n",
       "-1 is negative"},
      {"space = {kind = \"box\", lower = [0.0, 0.0, 0.0], upper = [1.0, -1.0, 1.0]}\n" + group_1,
       "below that of lower"},
      {"space = {kind = \"shell\", center = [0.0, 0.0, 0.0], radius = 1.0, inner_radius = 1.0}\n" +
           group_1,
       "inner_radius 1 is not below radius 1"},
      {"space = {kind = \"parallelogram\", corner = [0.0, 0.0, 0.0], edge_1 = [1.0, 0.0, 0.0], "
       "edge_2 = [2.0, 0.0, 0.0]}\n" +
           group_1,
       "are parallel"},
      {"space = {kind = \"ball\"}\n", "sphere"},
  };
  for (const auto& [keys, message] : invalid_keys) {
    const std::string error = error_message(source(keys));
    CHECK_MESSAGE(contains(error, message), error);
    CHECK(contains(error, "run.toml:"));
  }
  const char* const no_bounds = "[[material]]\nname = \"a\"\ncapture = [1.0, 1.0]\n";
  CHECK(contains(message_of<ConfigError>([&] {
                   const Sources s(
                       source(point + "energy = {kind = \"watt\", a = 1e6, b = 1e-6}\n"),
                       no_bounds);
                 }),
                 "energies of the groups are not known"));
}
