// Filters that the tests register with a FilterKind, as plugins do.

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/unit/transport/tallies/tallies_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

void describe_fissile(Section& s, FilterConfig& c) {
  optional_names(s, "fissile", c.names, "names of the fissile materials");
}
void check_fissile(const Section& s, FilterConfig& c) { check_names(s, "fissile", c.names); }
FilterBins fissile_bins(const FilterConfig& c, const FilterSystem& system) {
  FilterBins bins = named_bins("fissile", "material", {"fissile", "other"});
  for (const std::string& material : system.materials)
    bins.map.push_back(std::ranges::find(c.names, material) != c.names.end() ? 0 : 1);
  return bins;
}

/// A filter by the cosine of the direction with the z axis.
void describe_polar(Section& s, FilterConfig& c) {
  s.optional("polar_cosine", c.bounds, {.doc = "bounds", .minimum = -1, .maximum = 1});
}
FilterBins polar_bins(const FilterConfig& c, const FilterSystem&) {
  FilterBins bins = bins_between(c, "polar", "cosine");
  bins.direction = {0, 0, 1};
  return bins;
}

FilterBins bins_of_unknown_quantity(const FilterConfig& c, const FilterSystem& system) {
  FilterBins bins = fissile_bins(c, system);
  bins.quantity = "materials";
  return bins;
}
FilterBins bins_with_short_map(const FilterConfig& c, const FilterSystem& system) {
  FilterBins bins = fissile_bins(c, system);
  bins.map.pop_back();
  return bins;
}

FilterKind fissile(FilterBins (*bins)(const FilterConfig&, const FilterSystem&)) {
  return {.name = "fissile",
          .doc = "fissile and other materials",
          .describe = describe_fissile,
          .validate = check_fissile,
          .bins = bins,
          .columns = {"fissile"}};
}

/// The built-in filters, `fissile` with the function `bins`, and `polar_cosine`.
struct WithFilters {
  Registry registry;
  Extensions extensions;
  explicit WithFilters(FilterBins (*bins)(const FilterConfig&, const FilterSystem&)) {
    register_builtin_parts(registry);
    registry.extend(fissile(bins));
    registry.extend(FilterKind{.name = "polar_cosine",
                               .doc = "polar angle",
                               .describe = describe_polar,
                               .bins = polar_bins,
                               .columns = {"polar_low", "polar_high"}});
    extensions = Extensions::of(registry);
  }
  TallySystem system(const std::string& keys) const {
    return TallySystem("[[tally]]\nname = \"t\"\nscores = [\"flux\"]\n" + keys, false, tally_system,
                       extensions);
  }
};

/// The sum of the tally's value number `value` after a track of 1.5 cm.
double sum_of_track(const TallySet& set, std::int32_t material, const Vector3& direction,
                    Index value) {
  Coordinates at;
  TallyState state;
  state.direction = direction;
  state.material = material;
  state.at = &at;
  compiled_kernels::score_track(set.view(), set.sinks()[0], state, 0, 1.5);
  return compiled_kernels::sum_at(set.sinks()[0], value);
}

}  // namespace

TEST_CASE("tallies filter kinds: bins by a map of materials and by bounds of a cosine") {
  const WithFilters filters(fissile_bins);
  const TallySystem system = filters.system(
      "fissile = [\"fuel\"]\npolar_cosine = [-1.0, 0.0, 1.0]\nenergy = \"groups\"\n");
  const TallyModel& model = system.plan.tallies[0];
  REQUIRE(model.axes.size() == 3);
  CHECK(model.axes[0].word == "group");  // axes of registered filters follow those of built-in ones
  CHECK(model.axes[1].names == std::vector<std::string>{"fissile", "other"});
  CHECK(model.axes[2].bounds == std::vector<double>{-1, 0, 1});
  CHECK(model.values() == 2 * 2 * 2);
  TallySet set = system.set();
  const Vector3 up{0, 0, 1}, down{0, 0, -1};
  CHECK(sum_of_track(set, 0, down, 0) == doctest::Approx(1.5));   // fuel
  CHECK(sum_of_track(set, 1, up, 3) == doctest::Approx(1.5));     // water
  CHECK(sum_of_track(set, -1, down, 2) == doctest::Approx(1.5));  // void
  CHECK(compiled_kernels::sum_at(set.sinks()[0], 1) == 0);
}

TEST_CASE("tallies filter kinds: delta tracking and estimators follow from the quantity") {
  const WithFilters filters(fissile_bins);
  const std::string text = "[[tally]]\nname = \"t\"\nscores = [\"flux\"]\n";
  const auto estimator = [&](const std::string& keys) {
    return TallySystem(text + keys, true, tally_system, filters.extensions)
        .plan.tallies[0]
        .estimator;
  };
  CHECK(estimator("fissile = [\"fuel\"]\n") == TallyEstimator::collision);
  CHECK(estimator("polar_cosine = [0.0, 1.0]\n") == TallyEstimator::track_length);
}

TEST_CASE(
    "tallies filter kinds: tallies whose filters have different maps have different definitions") {
  const WithFilters filters(fissile_bins);
  const auto definition = [&](const std::string& keys) {
    return definition_of(filters.system(keys).plan, 0);
  };
  CHECK(definition("fissile = [\"fuel\"]\n") == definition("fissile = [\"fuel\"]\n"));
  CHECK(definition("fissile = [\"fuel\"]\n") != definition("fissile = [\"water\"]\n"));
}

TEST_CASE("tallies filter kinds: invalid bins are refused") {
  const auto check_refused = [](const WithFilters& filters, const std::string& keys,
                                const char* expected) {
    CAPTURE(keys);
    CHECK_THROWS_WITH_AS(filters.system(keys), doctest::Contains(expected), InputError);
  };
  const std::string keys = "fissile = [\"fuel\"]\n";
  check_refused(WithFilters(bins_of_unknown_quantity), keys, "did you mean `material`?");
  check_refused(WithFilters(bins_with_short_map), keys, "a map of 2 values");
  check_refused(WithFilters(fissile_bins), "fissile = [\"fuel\", \"fuel\"]\n", "is listed twice");
}
