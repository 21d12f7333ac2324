#include "src/modules/transport/tallies/tally_config.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "gsim/config/without_plugin.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/file_name.hpp"
#include "src/modules/transport/unit_vector.hpp"

namespace gsim::transport {
namespace {

void refuse_doubles(const Section& s, const char* key, const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      s.fail(key, fmt::format("`{}` stands here twice", name), "each makes one bin: leave one out");
}

void optional_names(Section& s, const char* key, std::vector<std::string>& names, const char* doc) {
  s.optional(key, names, {.doc = doc, .min_size = 1});
  if (!s.describing()) refuse_doubles(s, key, names);
}

void optional_bounds(Section& s, const char* key, std::vector<double>& bounds,
                     const KeyInfo& info) {
  s.optional(key, bounds, info);
  if (s.describing()) return;
  for (std::size_t i = 1; i < bounds.size(); ++i)
    if (!(bounds[i - 1] < bounds[i]))
      s.fail(key, fmt::format("bounds must rise: {} is followed by {}", bounds[i - 1], bounds[i]));
}

/// Whether a table of results has a column of this name beside scores (tally_tables.cpp).
bool is_column(std::string_view name) {
  static constexpr std::string_view words[] = {
      "bins",         "cell",       "universe",    "material",   "surface",     "group",
      "detector",     "part",       "x",           "y",          "z",           "r",
      "phi",          "energy_low", "energy_high", "cosine_low", "cosine_high", "azimuth_low",
      "azimuth_high", "time_low",   "time_high"};
  return std::find(std::begin(words), std::end(words), name) != std::end(words) ||
         name.ends_with("_standard_error") || name.ends_with("_relative_error") ||
         name.ends_with("_scoring_batches") || name.ends_with("_vov");
}

const ScoreKind* direct_score(ScoreKinds kinds, std::string_view name) {
  const auto found = std::ranges::find_if(
      kinds, [&](const ScoreKind* kind) { return kind->is_direct && kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

void describe_score(Section& s, ScoreConfig& score, ScoreKinds kinds) {
  score = {};
  s.required("name", score.name, {.doc = "for scores = [...] of tallies"});
  std::vector<Section::Alternative> known;
  for (const ScoreKind* kind : kinds)
    if (!kind->is_direct)
      known.push_back({std::string(kind->name), std::string(kind->doc), [&score, kind](Section& k) {
                         score.numbers = kind->describe(k);
                         score.kind = kind;
                       }});
  s.alternatives("kind", known, -1, {.doc = "a score of a plugin"});
  if (s.describing()) return;
  score.where = s.location("name");
  if (score.name.empty() || score.name.find('/') != std::string::npos)
    s.fail("name", "a score needs a name without /", "it names a part of the results");
  if (direct_score(kinds, score.name) != nullptr)
    s.fail("name", fmt::format("`{}` is a score of every tally", score.name),
           "give it another name");
  if (is_column(score.name))
    s.fail("name", fmt::format("`{}` is a column of results already", score.name),
           "give it another name");
}

void describe_own_scores(Section& top, std::vector<ScoreConfig>& scores, ScoreKinds kinds) {
  if (std::ranges::all_of(kinds, &ScoreKind::is_direct))
    return refuse_without_plugin(top, "score", "scores");
  top.tables<ScoreConfig>(
      "score", scores, [kinds](Section& s, ScoreConfig& c) { describe_score(s, c, kinds); },
      "what a flux gives, for tallies besides their own scores");
  if (top.describing()) return;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (scores[i].name == scores[j].name)
        throw ConfigError(scores[i].where,
                          fmt::format("two scores have the name `{}`", scores[i].name),
                          "give each its own name");
}

std::string doc_of_scores(ScoreKinds kinds) {
  std::string doc = "what is scored, by source particle unless it says otherwise: ";
  for (const ScoreKind* kind : kinds)
    if (kind->is_direct) doc += fmt::format("{} ({}), ", kind->name, kind->doc);
  return doc + "and any [[score]] by its name";
}

void describe_scores(Section& s, TallyConfig& tally, const std::vector<ScoreConfig>& own,
                     ScoreKinds kinds) {
  std::vector<std::string> names;
  s.required("scores", names,
             {.doc = doc_of_scores(kinds), .min_size = 1, .max_size = max_tally_scores});
  if (s.describing()) return;
  refuse_doubles(s, "scores", names);
  for (const std::string& name : names) {
    if (const ScoreKind* kind = direct_score(kinds, name)) {
      tally.scores.push_back({name, kind});
      continue;
    }
    const auto found = std::ranges::find(own, name, &ScoreConfig::name);
    if (found == own.end()) {
      std::vector<std::string> known;
      for (const ScoreKind* kind : kinds)
        if (kind->is_direct) known.emplace_back(kind->name);
      for (const ScoreConfig& c : own) known.push_back(c.name);
      s.fail("scores", fmt::format("there is no score `{}`", name),
             suggest_known(name, known, "there are"));
    }
    tally.scores.push_back(*found);
  }
}

void describe_places(Section& s, TallyConfig& tally) {
  optional_names(s, "cells", tally.cells,
                 "one bin for each of these cells, at whatever level they hold the particle");
  optional_names(s, "universes", tally.universes, "one bin for each of these universes");
  optional_names(s, "materials", tally.materials,
                 "one bin for each of these materials; \"void\" is one");
  optional_names(s, "surfaces", tally.surfaces,
                 "one bin for each of these surfaces, where they are crossed; scores current and "
                 "flux");
  s.optional("mesh", tally.mesh, {.doc = "a [[mesh]] by its name, one bin for each of its parts"});
  optional_names(s, "detectors", tally.detectors,
                 "one bin for each [[point_detector]] that is named: the flux at these points, in "
                 "1/cm2 by source particle, and reaction rates by cm3, from next-event estimates");
  optional_names(s, "parts", tally.parts,
                 "of detectors: one bin for each of \"uncollided\" (straight from the source) and "
                 "\"collided\" that is named; left out: their sum");
  if (s.describing()) return;
  for (const std::string& part : tally.parts)
    if (std::find(part_words.begin(), part_words.end(), part) == part_words.end())
      s.fail("parts", fmt::format("there is no part `{}`", part),
             suggest_known(part, std::vector<std::string>(part_words.begin(), part_words.end()),
                           "there are"));
  if (!tally.parts.empty() && tally.detectors.empty())
    s.fail("parts", "the tally has no detectors", "name them as detectors = [...]");
}

void describe_energy(Section& s, TallyConfig& tally) {
  std::string energy;
  s.optional("energy", energy, {.doc = "\"groups\": one bin for each group, the fastest first"});
  optional_bounds(s, "energy_bounds", tally.energy_bounds,
                  {.doc = "rising bounds of bins in place of energy, bounds of groups all",
                   .unit = "eV",
                   .minimum = 0,
                   .min_size = 2});
  if (s.describing()) return;
  if (!energy.empty() && energy != "groups")
    s.fail("energy", fmt::format("`{}` is not groups", energy),
           "bounds of bins in eV are given as energy_bounds = [...]");
  tally.by_group = !energy.empty();
  if (tally.by_group && !tally.energy_bounds.empty())
    s.fail("energy_bounds", "beside energy = \"groups\"", "remove one of them");
}

void describe_direction(Section& s, TallyConfig& tally) {
  optional_bounds(s, "cosine", tally.cosine,
                  {.doc = "bounds of the cosine between the direction and axis, or, left out, the "
                          "normal of the surface crossed",
                   .minimum = -1,
                   .maximum = 1,
                   .min_size = 2});
  std::vector<double> axis;
  s.optional("axis", axis, {.doc = "that cosine belongs to", .min_size = 3, .max_size = 3});
  optional_bounds(s, "azimuth", tally.azimuth,
                  {.doc = "bounds of the direction's azimuth about z, from x towards y",
                   .unit = "degree",
                   .minimum = -180,
                   .maximum = 180,
                   .min_size = 2});
  optional_bounds(s, "time", tally.time,
                  {.doc = "bounds of time bins", .unit = "s", .minimum = 0, .min_size = 2});
  if (s.describing()) return;
  if (!axis.empty()) tally.axis = unit_vector(s, "axis", axis);
  if (tally.axis && tally.cosine.empty())
    s.fail("axis", "an axis without cosine", "give bounds of the cosine, or remove axis");
  if (!tally.cosine.empty() && !tally.axis && tally.surfaces.empty())
    s.fail("cosine", "the tally has neither axis nor surfaces, whose normals would be axes",
           "say which axis, as axis = [0, 0, 1]");
}

void describe_trigger(Section& s, TallyTrigger& trigger) {
  const KeyInfo info{.doc = "largest standard error over |mean| of any bin and score",
                     .minimum = 0};
  s.optional("relative_error", trigger.relative_error, info);
  s.optional("absolute_error", trigger.absolute_error,
             {.doc = "largest standard error of any bin and score", .minimum = 0});
  s.optional("ignore_zeros", trigger.ignore_zeros,
             {.doc = "leave out bins in which nothing was scored; else they keep the run going"});
  if (s.describing()) return;
  if (!trigger.is_set())
    s.fail("relative_error", "the trigger has no error", "give relative_error or absolute_error");
}

void describe_tally(Section& s, TallyConfig& tally, const std::vector<ScoreConfig>& own,
                    ScoreKinds kinds) {
  tally = {};
  s.required("name", tally.name, {.doc = "of its table in the results"});
  describe_scores(s, tally, own, kinds);
  describe_places(s, tally);
  describe_energy(s, tally);
  describe_direction(s, tally);
  s.optional("response", tally.response,
             {.doc = "factors of the scores by group, the fastest first, as from flux to dose"});
  std::string estimator;
  s.optional("estimator", estimator,
             {.doc = "track_length, collision or analog; left out: track_length where it serves, "
                     "else collision; analog at surfaces, next-event at detectors"});
  s.optional_table(
      "trigger", [&](Section& t) { describe_trigger(t, tally.trigger); },
      "the run may end when errors are as small as this");
  if (s.describing()) return;
  for (const char* key :
       {"name", "scores", "cells", "universes", "materials", "surfaces", "mesh", "detectors",
        "parts", "energy_bounds", "cosine", "time", "estimator", "response"})
    tally.places[key] = s.location(key);
  if (tally.name.empty() || tally.name.find('/') != std::string::npos)
    s.fail("name", "a tally needs a name without /", "it names a table of the results");
  if (estimator.empty()) return;
  const std::vector<std::string> known{"track_length", "collision", "analog"};
  const auto found = std::find(known.begin(), known.end(), estimator);
  if (found == known.end())
    s.fail("estimator", fmt::format("there is no estimator `{}`", estimator),
           suggest_known(estimator, known, "there are"));
  tally.estimator = static_cast<TallyEstimator>(found - known.begin());
}

}  // namespace

std::string name_in_files(const std::string& name) { return sanitize_file_name(name); }

void describe_tallies(Section& top, TalliesConfig& config, ScoreKinds kinds) {
  describe_meshes(top, config.meshes);
  describe_detectors(top, config.detectors);
  describe_own_scores(top, config.scores, kinds);
  top.tables<TallyConfig>(
      "tally", config.tallies,
      [&](Section& s, TallyConfig& tally) { describe_tally(s, tally, config.scores, kinds); },
      "sums over histories: what, where, when, at which energy");
  top.optional_table(
      "tallies",
      [&](Section& s) {
        s.optional(
            "vtk", config.vtk,
            {.doc = "write each tally that has a mesh to OUTPUT.TALLY.vtkhdf, for ParaView"});
        s.optional("statepoint", config.statepoint,
                   {.doc = "write OUTPUT.statepoint.h5, which OpenMC's Python class StatePoint "
                           "opens"});
      },
      "files beside the results");
  if (top.describing()) return;
  for (std::size_t i = 0; i < config.tallies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const TallyConfig &one = config.tallies[i], &other = config.tallies[j];
      if (one.name == other.name)
        throw ConfigError(one.place("name"),
                          fmt::format("two tallies have the name `{}`", one.name),
                          "give each its own name");
      if (name_in_files(one.name) == name_in_files(other.name))
        throw ConfigError(
            one.place("name"),
            fmt::format("tallies `{}` and `{}` would have one file", other.name, one.name),
            "blanks, brackets and the like are written as _ there; give one of them another name");
    }
}

}  // namespace gsim::transport
