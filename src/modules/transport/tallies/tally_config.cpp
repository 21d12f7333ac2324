#include "src/modules/transport/tallies/tally_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/without_plugin.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/file_name.hpp"

namespace gsim::transport {
namespace {

/// Whether a table of results has a column of this name beside scores (tally_tables.cpp).
bool is_column(std::string_view name, FilterKinds filters) {
  return name == "bins" ||
         std::ranges::any_of(filters,
                             [&](const FilterKind* kind) {
                               return std::ranges::find(kind->columns, name) != kind->columns.end();
                             }) ||
         name.ends_with("_standard_error") || name.ends_with("_relative_error") ||
         name.ends_with("_scoring_batches") || name.ends_with("_vov");
}

/// The kind of a score that tallies name without a [[score]] table; null: there is none.
const ScoreKind* direct_score(ScoreKinds kinds, std::string_view name) {
  const auto found = std::ranges::find_if(
      kinds, [&](const ScoreKind* kind) { return kind->is_direct && kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

void describe_score(Section& s, ScoreConfig& score, ScoreKinds kinds) {
  score = {};
  s.required("name", score.name, {.doc = "name of the score in `scores` of tallies"});
  std::vector<Section::Alternative> known;
  for (const ScoreKind* kind : kinds)
    if (!kind->is_direct)
      known.push_back({std::string(kind->name), std::string(kind->doc), [&score, kind](Section& k) {
                         score.numbers = kind->describe(k);
                         score.kind = kind;
                       }});
  s.alternatives("kind", known, -1, {.doc = "kind of the score, from a plugin"});
}

void validate_score(const Section& s, ScoreConfig& score, ScoreKinds kinds, FilterKinds filters) {
  if (score.kind->validate != nullptr) score.kind->validate(s, score.numbers);
  score.where = s.location("name");
  if (score.name.empty() || score.name.find('/') != std::string::npos)
    s.fail("name", "a score needs a name without /", "it names a part of the results");
  if (direct_score(kinds, score.name) != nullptr)
    s.fail("name", fmt::format("`{}` is a built-in score", score.name), "give it another name");
  if (is_column(score.name, filters))
    s.fail("name", fmt::format("`{}` is a column of results already", score.name),
           "give it another name");
}

void describe_score_tables(Section& top, std::vector<ScoreConfig>& scores, ScoreKinds kinds,
                           FilterKinds filters) {
  if (std::ranges::all_of(kinds, &ScoreKind::is_direct))
    return refuse_without_plugin(top, "score", "scores");
  top.tables<ScoreConfig>(
      "score", scores,
      validated([kinds](Section& s, ScoreConfig& c) { describe_score(s, c, kinds); },
                [kinds, filters](const Section& s, ScoreConfig& c) {
                  validate_score(s, c, kinds, filters);
                }),
      "responses to the flux that plugins define, for tallies");
}

std::string doc_of_scores(ScoreKinds kinds) {
  std::string doc = "tallied quantities, per source particle unless noted otherwise: ";
  for (const ScoreKind* kind : kinds)
    if (kind->is_direct) doc += fmt::format("{} ({}), ", kind->name, kind->doc);
  return doc + "and the names of [[score]] tables";
}

/// Finds the kinds of the scores among the direct ones and those of [[score]].
void validate_scores(const Section& s, TallyConfig& tally, const std::vector<ScoreConfig>& tables,
                     ScoreKinds kinds) {
  check_names(s, "scores", tally.score_names);
  for (const std::string& name : tally.score_names) {
    if (const ScoreKind* kind = direct_score(kinds, name)) {
      tally.scores.push_back({name, kind});
      continue;
    }
    const auto found = std::ranges::find(tables, name, &ScoreConfig::name);
    if (found == tables.end()) {
      std::vector<std::string> known;
      for (const ScoreKind* kind : kinds)
        if (kind->is_direct) known.emplace_back(kind->name);
      for (const ScoreConfig& c : tables) known.push_back(c.name);
      s.fail("scores", fmt::format("there is no score `{}`", name),
             suggest_known(name, known, "there are"));
    }
    tally.scores.push_back(*found);
  }
}

void describe_filters(Section& s, TallyConfig& tally, FilterKinds kinds) {
  for (const FilterKind* kind : kinds) {
    tally.filters.push_back({.kind = kind});
    kind->describe(s, tally.filters.back());
  }
}

/// Keeps the filters that are given.
void validate_filters(const Section& s, TallyConfig& tally) {
  for (FilterConfig& filter : tally.filters) {
    filter.keys = tally.keys;
    if (filter.kind->validate != nullptr) filter.kind->validate(s, filter);
  }
  std::erase_if(tally.filters, [](const FilterConfig& filter) { return !filter.is_given(); });
}

void describe_trigger(Section& s, TallyTrigger& trigger) {
  const KeyInfo info{.doc = "upper limit of standard error / |mean| in every bin of every score",
                     .minimum = 0};
  s.optional("relative_error", trigger.relative_error, info);
  s.optional(
      "absolute_error", trigger.absolute_error,
      {.doc = "upper limit of the standard error in every bin of every score", .minimum = 0});
  s.optional("ignore_zeros", trigger.ignore_zeros,
             {.doc = "whether bins without any score are left out; otherwise they do not meet the "
                     "trigger"});
}

void validate_trigger(const Section& s, const TallyTrigger& trigger) {
  if (!trigger.is_set())
    s.fail("relative_error", "the trigger sets no limit of an error",
           "give relative_error or absolute_error");
}

void describe_tally(Section& s, TallyConfig& tally, ScoreKinds scores, FilterKinds filters) {
  tally = {};
  s.required("name", tally.name, {.doc = "name of the tally and of its table in the results"});
  s.required("scores", tally.score_names,
             {.doc = doc_of_scores(scores), .min_size = 1, .max_size = max_tally_scores});
  describe_filters(s, tally, filters);
  s.optional("response", tally.response,
             {.doc = "factors of the scores by group, the fastest first, for example from flux to "
                     "dose"});
  s.optional("estimator", tally.estimator_name,
             {.doc = "estimator: track_length, collision or analog; left out: track_length where "
                     "possible, otherwise collision; analog at surfaces, next-event at detectors"});
  s.optional_table("trigger",
                   validated([&](Section& t) { describe_trigger(t, tally.trigger); },
                             [&](const Section& t) { validate_trigger(t, tally.trigger); }),
                   "errors at which the tally is sufficiently converged: the run may end when all "
                   "triggers are met");
}

void validate_tally(const Section& s, TallyConfig& tally, const std::vector<ScoreConfig>& tables,
                    ScoreKinds scores) {
  tally.keys = s.locations();
  validate_scores(s, tally, tables, scores);
  validate_filters(s, tally);
  if (tally.name.empty() || tally.name.find('/') != std::string::npos)
    s.fail("name", "a tally needs a name without /", "it names a table of the results");
  if (tally.estimator_name.empty()) return;
  const std::vector<std::string> known{"track_length", "collision", "analog"};
  const auto found = std::find(known.begin(), known.end(), tally.estimator_name);
  if (found == known.end())
    s.fail("estimator", fmt::format("there is no estimator `{}`", tally.estimator_name),
           suggest_known(tally.estimator_name, known, "there are"));
  tally.estimator = static_cast<TallyEstimator>(found - known.begin());
}

void describe_files(Section& s, TalliesConfig& config) {
  s.optional("vtk", config.vtk,
             {.doc = "whether each tally with a mesh is written to OUTPUT.TALLY.vtkhdf, for "
                     "ParaView"});
  s.optional("statepoint", config.statepoint,
             {.doc = "whether OUTPUT.statepoint.h5 is written, which OpenMC's Python class "
                     "StatePoint opens"});
}

/// ConfigError where two elements of `list` have the same name; `location_of` returns the location
/// of an element's name.
template <class T, class LocationOf>
void check_distinct(const std::vector<T>& list, std::string_view plural_word,
                    const LocationOf& location_of) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (list[i].name == list[j].name)
        throw ConfigError(location_of(list[i]),
                          fmt::format("two {} have the name `{}`", plural_word, list[i].name),
                          "give each its own name");
}

}  // namespace

std::string name_in_files(const std::string& name) { return sanitize_file_name(name); }

const FilterConfig* TallyConfig::filter(std::string_view kind) const {
  const auto found = std::ranges::find_if(
      filters, [&](const FilterConfig& filter) { return filter.kind->name == kind; });
  return found == filters.end() ? nullptr : &*found;
}

bool TalliesConfig::is_tallied(const PointDetectorConfig& detector) const {
  return std::ranges::any_of(tallies, [&](const TallyConfig& tally) {
    const FilterConfig* const filter = tally.filter("detectors");
    return filter != nullptr &&
           std::ranges::find(filter->names, detector.name) != filter->names.end();
  });
}

void describe_tallies(Section& top, TalliesConfig& config, ScoreKinds scores, FilterKinds filters) {
  describe_meshes(top, config.meshes);
  describe_detectors(top, config.detectors);
  describe_score_tables(top, config.scores, scores, filters);
  top.tables<TallyConfig>(
      "tally", config.tallies,
      validated([&](Section& s, TallyConfig& tally) { describe_tally(s, tally, scores, filters); },
                [&](const Section& s, TallyConfig& tally) {
                  validate_tally(s, tally, config.scores, scores);
                }),
      "scores of histories, in the bins of filters");
  top.optional_table(
      "tallies", [&](Section& s) { describe_files(s, config); }, "further files of results");
}

void validate_tallies(const TalliesConfig& config) {
  check_distinct(config.meshes, "meshes", [](const MeshConfig& mesh) { return mesh.where; });
  check_distinct(config.detectors, "detectors",
                 [](const PointDetectorConfig& detector) { return detector.where; });
  check_distinct(config.scores, "scores", [](const ScoreConfig& score) { return score.where; });
  const auto location_of = [](const TallyConfig& tally) { return tally.keys.location("name"); };
  check_distinct(config.tallies, "tallies", location_of);
  for (std::size_t i = 0; i < config.tallies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const TallyConfig &one = config.tallies[i], &other = config.tallies[j];
      if (name_in_files(one.name) == name_in_files(other.name))
        throw ConfigError(
            location_of(one),
            fmt::format("tallies `{}` and `{}` would have the same file", other.name, one.name),
            "characters such as blanks and brackets become _ in names of files; give one of them "
            "another name");
    }
}

}  // namespace gsim::transport
