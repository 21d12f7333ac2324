#include "src/modules/md/bonded/bonded_config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/bonded/data_coefficients.hpp"
#include "src/modules/md/bonded/stored_bonded.hpp"
#include "src/modules/md/pair_potentials/parameter_info.hpp"

namespace gsim::md {
namespace {

template <class T>
void describe_label(Section& s, LabelledParameters<T>& type) {
  s.required("name", type.name,
             {.doc = "label of the type in the topology (data files: its number)"});
  type.where = s.location("name");
}

template <class Parameters, class Kind>
void describe_values(Section& s, const Kind& kind, Parameters& p) {
  p.kind = &kind;
  p.values.clear();
  for (const PotentialParameter& parameter : kind.parameters) {
    double value = parameter.default_value;
    if (std::isnan(parameter.default_value))
      s.required(parameter.name, value, parameter_info(parameter));
    else
      s.optional(parameter.name, value, parameter_info(parameter));
    p.values.push_back(value);
  }
}

void describe_bond_kind(Section& s, const BondKind& kind, BondParameters& b) {
  describe_values(s, kind, b);
  b.max_length = 0;
  s.optional("max_length", b.max_length,
             {.doc = fmt::format("maximum bond length: a longer bond ends the run; the range of "
                                 "ghost atoms includes it (default: {})",
                                 kind.longest_doc),
              .unit = "length",
              .minimum = 0,
              .exclusive_minimum = true});
}

void validate_bond_kind(const Section& s, const BondKind& kind, BondParameters& b) {
  const double* const p = b.values.data();
  if (b.max_length == 0) b.max_length = kind.longest(p);
  if (kind.problem == nullptr) return;
  if (const char* const problem = kind.problem(p, b.max_length))
    s.fail(s.has("max_length") ? "max_length" : "kind",
           fmt::format("max_length = {}: {}", b.max_length, problem), "give another max_length");
}

void describe_bond(Section& s, const BondedKinds& kinds, LabelledParameters<BondParameters>& bond) {
  describe_label(s, bond);
  std::vector<Section::Alternative> choices;
  for (const BondKind* kind : kinds.bonds)
    choices.push_back(
        {std::string(kind->name), std::string(kind->doc),
         validated(
             [&bond, kind](Section& t) { describe_bond_kind(t, *kind, bond.parameters); },
             [&bond, kind](const Section& t) { validate_bond_kind(t, *kind, bond.parameters); })});
  s.alternatives("kind", choices, -1, {.doc = "bond style"});
}

void describe_angle(Section& s, const BondedKinds& kinds,
                    LabelledParameters<AngleParameters>& angle) {
  describe_label(s, angle);
  std::vector<Section::Alternative> choices;
  for (const AngleKind* kind : kinds.angles)
    choices.push_back({std::string(kind->name), std::string(kind->doc), [&angle, kind](Section& t) {
                         describe_values(t, *kind, angle.parameters);
                       }});
  s.alternatives("kind", choices, -1, {.doc = "angle style"});
}

void describe_dihedral(Section& s, const BondedKinds& kinds,
                       LabelledParameters<DihedralSeries>& dihedral) {
  describe_label(s, dihedral);
  std::vector<Section::Alternative> choices;
  MakeDihedral make;
  for (const DihedralKind* kind : kinds.dihedrals)
    choices.push_back(
        {std::string(kind->name), std::string(kind->doc),
         validated([&make, kind](Section& t) { make = kind->describe(t); },
                   [&dihedral, &make](const Section& t) { dihedral.parameters = make(t); })});
  s.alternatives("kind", choices, -1,
                 {.doc = "dihedral style; phi is 0 for cis, 180 degrees for trans"});
}

void describe_special(Section& s, BondedConfig& config) {
  SpecialPairs& special = config.special;
  special = {};
  s.required(
      "exclude", config.exclude,
      {.doc = "pairs that are excluded from pair potentials: \"1-2\" (bonded), \"1-3\" (two bonds "
              "apart), \"1-4\" (three); [] for none. FENE bonds with a core: [\"1-2\"]"});
  s.optional_table(
      "scale_14",
      [&special](Section& t) {
        t.optional("lennard_jones", special.scale_14,
                   {.doc = "factor of the Lennard-Jones interactions, which are not cut off",
                    .minimum = 0});
        t.optional(
            "coulomb", special.coulomb_scale_14,
            {.doc = "factor of the Coulomb interactions, which are not cut off", .minimum = 0});
      },
      "factors of the interactions of 1-4 pairs, whose energy is the column pair14");
}

void validate_special(const Section& s, BondedConfig& config) {
  constexpr std::array<std::string_view, 3> known{"1-2", "1-3", "1-4"};
  std::array<bool, 3> is_excluded{};
  for (const std::string& word : config.exclude) {
    const auto at = std::find(known.begin(), known.end(), word);
    if (at == known.end())
      s.fail("exclude", fmt::format("`{}` is no kind of pair", word),
             "write \"1-2\", \"1-3\" or \"1-4\"");
    is_excluded[static_cast<std::size_t>(at - known.begin())] = true;
  }
  if (s.has("scale_14") && is_excluded[2])
    s.fail("scale_14", "1-4 pairs are excluded, so there is nothing to scale",
           "leave out one of the two");
  config.special.is_excluded = is_excluded;
}

template <class T>
void check_names(const char* key, const std::vector<LabelledParameters<T>>& types) {
  for (std::size_t i = 0; i < types.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (types[i].name == types[j].name)
        throw ConfigError(types[i].where, fmt::format("two of [[bonded.{}]] have the name `{}`",
                                                      key, excerpt(types[i].name)));
}

/// One of the three kinds of bonded interactions.
struct Kind {
  const char* key;      ///< name in configurations: "bonds"
  const char* section;  ///< name in data files: "Bond Coeffs"
};

[[noreturn]] void fail_without_parameters(const BondedConfig& config, const Kind& kind,
                                          const std::string& label, const BondedOfFile& of_file) {
  const std::string problem =
      fmt::format("type `{}` of the system's {} has no parameters{}", excerpt(label), kind.key,
                  of_file.is_h5md ? ", nor does the file give them" : "");
  std::string remedy =
      fmt::format("add a table [[bonded.{}]] with name = \"{}\"", kind.key, excerpt(label));
  if (!of_file.is_h5md) remedy += fmt::format(", or a section {} to the data file", kind.section);
  if (!config.is_given) throw InputError(fmt::format("{}; {}", problem, remedy));
  throw ConfigError(config.where, problem, remedy);
}

template <class T>
void refuse_unknown_labels(const std::vector<LabelledParameters<T>>& given, const char* key,
                           const std::vector<std::string>& labels) {
  for (const auto& g : given)
    if (std::find(labels.begin(), labels.end(), g.name) == labels.end())
      throw ConfigError(g.where,
                        fmt::format("[[bonded.{}]] gives type `{}`, which the start does not have",
                                    key, excerpt(g.name)),
                        labels.empty() ? fmt::format("remove it: the start has no {}", key)
                                       : suggest_known(g.name, labels, "its types are"));
}

/// The line with the coefficients of a type in a data file, and its section; null if there is none.
std::pair<const CoefficientSection*, const CoefficientLine*> coefficient_line(
    const BondedOfFile& of_file, const char* section, std::size_t type) {
  for (const CoefficientSection& c : of_file.coefficients)
    for (const CoefficientLine& line : c.lines)
      if (c.name == section && line.types[0] == static_cast<std::int32_t>(type)) return {&c, &line};
  return {nullptr, nullptr};
}

/// Parameters by type, from the configuration or else from the file: `read_line` reads those of a
/// data file, `read_stored` those of an H5MD file.
template <class T, class ReadLine, class ReadStored>
std::vector<T> by_type(const BondedConfig& config, const std::vector<LabelledParameters<T>>& given,
                       const Kind& kind, const std::vector<std::string>& labels,
                       const BondedOfFile& of_file, const std::vector<StoredStyle>& stored,
                       const ReadLine& read_line, const ReadStored& read_stored) {
  refuse_unknown_labels(given, kind.key, labels);
  std::vector<T> result;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto configured = std::find_if(given.begin(), given.end(),
                                         [&](const auto& g) { return g.name == labels[t]; });
    const auto [section, line] = coefficient_line(of_file, kind.section, t);
    if (configured != given.end())
      result.push_back(configured->parameters);
    else if (line != nullptr)
      result.push_back(read_line(*section, *line, of_file.file));
    else if (!stored.empty())
      result.push_back(read_stored(stored.at(t), StoredPlace{of_file.file, labels[t]}));
    else
      fail_without_parameters(config, kind, labels[t], of_file);
  }
  return result;
}

/// Refuses bonded atoms for which neither the configuration nor the file gives the pairs that
/// interact.
void require_special(const BondedConfig& config, const BondedOfFile& of_file) {
  if (config.is_given || !of_file.stored.special.empty()) return;
  if (of_file.is_h5md)
    throw InputError(fmt::format(
        "{} has bonds, angles or dihedrals, and neither it nor [bonded] gives their "
        "parameters and the excluded pairs; add [bonded] with exclude = [\"1-2\", "
        "\"1-3\"] or the like and a table [[bonded.bonds]] with name = \"1\", kind and its "
        "parameters, or set connectivity = false in [start] to read atoms without bonds",
        of_file.file));
  throw InputError(
      "the start has bonds, and neither it nor [bonded] gives the excluded pairs; add "
      "[bonded] with exclude = [\"1-2\", \"1-3\"] or the like");
}

}  // namespace

void describe_bonded(Section& top, BondedConfig& config, const BondedKinds& kinds) {
  config.kinds = &kinds;
  const auto describe = [&config, &kinds](Section& s) {
    s.tables<LabelledParameters<BondParameters>>(
        "bonds", config.bonds, [&](Section& t, auto& bond) { describe_bond(t, kinds, bond); },
        "a type of bond");
    s.tables<LabelledParameters<AngleParameters>>(
        "angles", config.angles, [&](Section& t, auto& angle) { describe_angle(t, kinds, angle); },
        "a type of angle");
    s.tables<LabelledParameters<DihedralSeries>>(
        "dihedrals", config.dihedrals,
        [&](Section& t, auto& dihedral) { describe_dihedral(t, kinds, dihedral); },
        "a type of dihedral");
    describe_special(s, config);
    config.where = s.location();
    config.special_at = s.location("scale_14");
    s.optional("max_arm", config.max_arm,
               {.doc = "maximum distance of neighbouring atoms in angles and dihedrals (0: the "
                       "largest max_length of the bonds)",
                .unit = "length",
                .minimum = 0});
  };
  const auto validate = [&config](const Section& s) {
    validate_special(s, config);
    check_names("bonds", config.bonds);
    check_names("angles", config.angles);
    check_names("dihedrals", config.dihedrals);
  };
  config.is_given = top.optional_table(
      "bonded", validated(describe, validate),
      "bonds, angles and dihedrals of the initial system; coefficients that are left out are taken "
      "from the LAMMPS data file, or from an H5MD file of gsim, which needs no [bonded]");
}

BondedParameters bonded_parameters(const BondedConfig& config, const Topology& topology,
                                   const BondedOfFile& of_file) {
  BondedParameters result;
  if (config.is_given && !topology.has_bonded_terms())
    throw ConfigError(config.where, "there is a table [bonded], but the start has no bonds",
                      "remove it, or start from chains or a file with bonds");
  if (!topology.has_bonded_terms()) return result;
  require_special(config, of_file);
  const StoredBonded& stored = of_file.stored;
  const BondedKinds& kinds = config.kinds != nullptr ? *config.kinds : builtin_bonded_kinds();
  result.bonds = by_type(
      config, config.bonds, {"bonds", "Bond Coeffs"}, topology.bond_types, of_file, stored.bonds,
      [&](const auto&... line) { return bond_of(kinds.bonds, line...); },
      [&](const auto& style, const auto& at) { return bond_of(style, kinds.bonds, at); });
  result.angles = by_type(
      config, config.angles, {"angles", "Angle Coeffs"}, topology.angle_types, of_file,
      stored.angles, [&](const auto&... line) { return angle_of(kinds.angles, line...); },
      [&](const auto& style, const auto& at) { return angle_of(style, kinds.angles, at); });
  result.dihedrals = by_type(
      config, config.dihedrals, {"dihedrals", "Dihedral Coeffs"}, topology.dihedral_types, of_file,
      stored.dihedrals, [](const auto&... line) { return dihedral_of(line...); },
      [](const auto& style, const auto& at) { return dihedral_of(style, at); });
  if (config.is_given) {
    result.special = config.special;
    result.max_arm = config.max_arm;
  } else {
    set_special(stored, of_file.file, result);
  }
  return result;
}

}  // namespace gsim::md
