#include "src/modules/transport/sources/source_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/without_plugin.hpp"

namespace gsim::transport {
namespace {

void describe_restrictions(Section& s, SourceConfig& c) {
  s.optional("cells", c.cells,
             {.doc = "names of the cells in which particles start; other positions are rejected",
              .min_size = 1});
  s.optional("materials", c.materials,
             {.doc = "names of the materials in which particles start", .min_size = 1});
  s.optional("only_fissile", c.only_fissile,
             {.doc = "whether particles start only in fissile materials"});
}

void describe_file(Section& s, SourceConfig& c) {
  Index pdg = c.pdg;
  s.optional("file", c.file,
             {.doc = "MCPL file (.mcpl or .mcpl.gz) whose particles start one after the other, "
                     "in place of space, angle, energy and time"});
  s.optional("pdg", pdg,
             {.doc = "code of the Particle Data Group for the particles that are used from the "
                     "file (2112: neutrons)"});
  s.optional("strength_of_file", c.strength_of_file,
             {.doc = "whether the strength is the total weight in the file per source particle of "
                     "the run that wrote it with [particle_file], times the source strength of "
                     "that run; in place of `strength`. Results are then normalised to the source "
                     "of that run"});
  c.pdg = static_cast<std::int32_t>(pdg);
}

void describe_sampler(Section& s, Index groups, const SourceParts& parts, SourceConfig& c) {
  if (parts.samplers.empty()) return refuse_without_plugin(s, "sampler", "sources");
  std::vector<Section::Alternative> kinds;
  for (const SourceKind* kind : parts.samplers)
    kinds.push_back({std::string(kind->name), std::string(kind->doc), [&, kind](Section& k) {
                       c.numbers = kind->describe(k, static_cast<std::int32_t>(groups));
                       c.sampler = kind;
                     }});
  s.optional_table(
      "sampler",
      [&](Section& t) {
        t.alternatives("kind", kinds, -1, {.doc = "kind of the sampler, from a plugin"});
      },
      "sampler of a plugin, in place of space, angle, energy, time and file");
}

/// Reads the table `key` of the source, whose `kind` is one of `kinds`. `default_kind`: empty where
/// the kind is required.
template <class Distribution>
void describe_distribution(Section& s, const char* key,
                           const std::vector<const DistributionKind<Distribution>*>& kinds,
                           std::string_view default_kind,
                           std::shared_ptr<const Distribution>& target, const char* doc,
                           const char* doc_of_kind) {
  std::vector<Section::Alternative> list;
  int default_position = -1;
  for (const DistributionKind<Distribution>* kind : kinds) {
    if (kind->name == default_kind) default_position = static_cast<int>(list.size());
    list.push_back({std::string(kind->name), std::string(kind->doc),
                    [&target, kind](Section& k) { target = kind->describe(k); }});
  }
  s.optional_table(
      key,
      [&](Section& t) { t.alternatives("kind", list, default_position, {.doc = doc_of_kind}); },
      doc);
}

void describe_source_table(Section& s, Index groups, const SourceParts& parts, SourceConfig& c) {
  c.keys = s.locations();
  c.where = s.location(s.has("file") ? "file" : "space");
  s.optional(
      "strength", c.strength,
      {.doc =
           "number of particles, or of particles per second, that the source emits; "
           "sources are sampled in proportion to it. Tallies are normalised to the total strength; "
           "leakage and the other results of the report are per source particle",
       .minimum = 0,
       .exclusive_minimum = true});
  describe_file(s, c);
  describe_sampler(s, groups, parts, c);
  describe_distribution(s, "space", parts.spaces, {}, c.space, "distribution of starting positions",
                        "shape of the source, in which positions are uniform");
  describe_distribution(s, "angle", parts.angles, "isotropic", c.angle,
                        "distribution of directions; default: isotropic", "kind of distribution");
  describe_distribution(s, "energy", parts.spectra, {}, c.energy,
                        "distribution of energy groups; may be left out if there is one group",
                        "kind of spectrum, which is integrated exactly over the groups");
  describe_distribution(s, "time", parts.times, "instant", c.time,
                        "distribution of starting times; default: time 0", "kind of distribution");
  describe_restrictions(s, c);
}

void resolve_path(const Section& s, SourceConfig& c) {
  if (!c.file.empty()) c.file = s.input_path("file", c.file);
}

/// ConfigError where keys of distributions are given with `what`, which replaces them.
void refuse_distributions(const SourceConfig& c, const char* what) {
  for (const char* key : {"space", "angle", "energy", "time", "cells", "materials"})
    if (c.keys.has(key))
      c.keys.fail(key, fmt::format("{} cannot be given with {}", key, what), "remove one of them");
}

void validate_spectrum(const MaterialSet& materials, SourceConfig& c,
                       std::vector<std::string>& notes) {
  if (c.energy == nullptr) {
    if (materials.groups > 1)
      c.keys.fail(
          "energy", "the source has no energy",
          "give the groups in which its particles start: energy = {kind = \"group\", group = 1}");
    c.groups = {1};
    return;
  }
  GroupSpectrum spectrum = c.energy->bin({materials.groups, materials.bounds});
  if (spectrum.outside > 1e-9)
    notes.push_back(
        fmt::format("a source has {:.2g} of its spectrum outside of the groups; it is left out, "
                    "and the rest scaled to 1",
                    spectrum.outside));
  c.groups = std::move(spectrum.probability);
}

void validate_one(const MaterialSet& materials, SourceConfig& c, std::vector<std::string>& notes) {
  if (c.strength_of_file && c.file.empty())
    c.keys.fail("strength_of_file", "the source has no file", "give `strength` instead");
  if (!c.file.empty()) {
    refuse_distributions(c, "a file");
    if (c.sampler != nullptr)
      c.keys.fail("file", "file cannot be given with a sampler", "remove one of them");
    return;
  }
  if (c.sampler != nullptr) return refuse_distributions(c, "a sampler");
  if (c.space == nullptr)
    c.keys.fail("space", "the source has neither space nor file", "say where it is");
  c.source = {};
  c.space->set(c.source);
  if (c.angle != nullptr) c.angle->set(c.source);
  validate_spectrum(materials, c, notes);
  if (c.time != nullptr) c.time->set(c.source, c.time_table);
}

}  // namespace

double SourcesConfig::strength() const {
  double sum = 0;
  for (const SourceConfig& source : list) sum += source.strength;
  return sum;
}

void describe_sources(Section& top, Index groups, const SourceParts& parts, SourcesConfig& config) {
  config = {};
  top.tables<SourceConfig>(
      "source", config.list,
      validated([&](Section& s, SourceConfig& c) { describe_source_table(s, groups, parts, c); },
                resolve_path),
      "a source of particles");
}

void validate_sources(const MaterialSet& materials, SourcesConfig& config) {
  for (SourceConfig& c : config.list) validate_one(materials, c, config.notes);
  if (config.list.size() > 1 &&
      !std::all_of(config.list.begin(), config.list.end(),
                   [](const SourceConfig& c) { return c.has_distributions(); }))
    throw ConfigError(config.list.front().keys.location(),
                      "a file of particles or a sampler cannot be combined with another source",
                      "a file must be the only source, and so must a sampler");
}

}  // namespace gsim::transport
