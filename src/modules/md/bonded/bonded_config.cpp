#include "src/modules/md/bonded/bonded_config.hpp"

#include <algorithm>
#include <array>
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

void describe_max_length(Section& s, double& length, const std::string& otherwise) {
  s.optional(
      "max_length", length,
      {.doc = "a longer bond ends the run; ghost atoms reach that far (default: " + otherwise + ")",
       .unit = "length",
       .minimum = 0,
       .exclusive_minimum = true});
}

void describe_harmonic_bond(Section& s, BondParameters& b) {
  s.required("k", b.k,
             {.doc = "U = k (r - r0)^2, without a factor 1/2, as in LAMMPS",
              .unit = "energy/length^2",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("r0", b.r0, {.doc = "length at rest", .unit = "length", .minimum = 0});
  b.max_length = 0;
  describe_max_length(s, b.max_length, "2 r0");
  if (s.describing()) return;
  if (b.max_length == 0) b.max_length = default_stretch * b.r0;
  if (!(b.max_length > b.r0))
    s.fail(s.has("max_length") ? "max_length" : "r0",
           fmt::format("a bond of r0 = {} may be {} long at most", b.r0, b.max_length),
           "give a max_length above r0");
}

void describe_fene_bond(Section& s, BondParameters& b) {
  s.required("k", b.k,
             {.doc = "U = -k r0^2/2 ln(1 - (r/r0)^2) plus the core of epsilon and sigma (Kremer "
                     "and Grest 1990: 30, 1.5, 1, 1)",
              .unit = "energy/length^2",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("r0", b.r0,
             {.doc = "length that the bond never reaches",
              .unit = "length",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("epsilon", b.epsilon,
             {.doc = "of the repulsive Lennard-Jones core within the bond; 0 leaves it to the pair "
                     "potentials, which then must not exclude 1-2 pairs",
              .unit = "energy",
              .minimum = 0});
  s.optional("sigma", b.sigma,
             {.doc = "of the core", .unit = "length", .minimum = 0, .exclusive_minimum = true});
  b.max_length = 0;
  describe_max_length(s, b.max_length, "r0");
  if (s.describing()) return;
  if (b.max_length == 0) b.max_length = b.r0;
  if (b.max_length > b.r0)
    s.fail("max_length", "a FENE bond is never longer than r0", "give at most r0");
}

/// The parameters of a plugin's law.
template <class Parameters, class Kind>
void describe_values(Section& s, const Kind& kind, Parameters& p) {
  p.kind = &kind;
  p.values.clear();
  for (const PotentialParameter& parameter : kind.parameters) {
    double value = 0;
    s.required(parameter.name, value, parameter_info(parameter));
    p.values.push_back(value);
  }
}

void describe_open_bond(Section& s, const BondKind& kind, BondParameters& b) {
  describe_values(s, kind, b);
  b.max_length = 0;
  describe_max_length(s, b.max_length, "by the kind");
  if (!s.describing() && b.max_length == 0) b.max_length = kind.longest(b.values.data());
}

void describe_bond(Section& s, const MoreLaws& more, LabelledParameters<BondParameters>& bond) {
  describe_label(s, bond);
  BondParameters& b = bond.parameters;
  std::vector<Section::Alternative> kinds = {
      {"harmonic", "a spring", [&](Section& a) { describe_harmonic_bond(a, b); }},
      {"fene", "finitely extensible", [&](Section& a) { describe_fene_bond(a, b); }}};
  for (const BondKind* one : more.bonds) {
    kinds.push_back({std::string(one->name), std::string(one->doc),
                     [&b, one](Section& a) { describe_open_bond(a, *one, b); }});
  }
  const int kind = s.alternatives("kind", kinds, -1, {.doc = "what holds the atoms"});
  if (!s.describing()) b.law = kind == 0 ? BondLaw::harmonic : BondLaw::fene;
}

void describe_angle(Section& s, const MoreLaws& more, LabelledParameters<AngleParameters>& angle) {
  AngleParameters& a = angle.parameters;
  describe_label(s, angle);
  const auto theta0 = [&a](Section& t) {
    t.required("theta0", a.theta0,
               {.doc = "angle at rest", .unit = "degrees", .minimum = 0, .maximum = 180});
  };
  const auto k = [&a](Section& t) { t.required("k", a.k, {.doc = "stiffness", .unit = "energy"}); };
  const auto harmonic = [&](Section& t) {
    theta0(t);
    t.required("k", a.k, {.doc = "stiffness", .unit = unit_name(ParameterUnit::energy_angle(-2))});
  };
  const auto both = [&](Section& t) {
    theta0(t);
    k(t);
  };
  std::vector<Section::Alternative> kinds = {
      {"harmonic", "U = k (theta - theta0)^2, theta in radians, without a factor 1/2", harmonic},
      {"cosine", "U = k (1 + cos theta): straight at rest", k},
      {"cosine_squared", "U = k (cos theta - cos theta0)^2", both}};
  const int own = static_cast<int>(kinds.size());
  for (const AngleKind* one : more.angles) {
    kinds.push_back({std::string(one->name), std::string(one->doc),
                     [&a, one](Section& t) { describe_values(t, *one, a); }});
  }
  const int kind = s.alternatives("kind", kinds, -1, {.doc = "what keeps the angle"});
  if (!s.describing() && kind < own) a.law = static_cast<AngleLaw>(kind);
}

void describe_periodic(Section& s, DihedralParameters& d) {
  std::vector<double> k, phase;
  std::vector<Index> n;
  s.required("k", k, {.doc = "of each term k (1 + cos(n phi - phase))", .unit = "energy"});
  s.required("n", n,
             {.doc = "multiplicity of each term", .minimum = 0, .maximum = most_dihedral_order});
  s.required("phase", phase, {.doc = "of each term", .unit = "degrees"});
  if (s.describing()) return;
  if (n.size() != k.size()) s.fail("n", fmt::format("{} n for {} k", n.size(), k.size()));
  if (phase.size() != k.size())
    s.fail("phase", fmt::format("{} phases for {} k", phase.size(), k.size()));
  d = {};
  for (std::size_t t = 0; t < k.size(); ++t) add_periodic_term(d, k[t], n[t], phase[t]);
}

void describe_opls(Section& s, DihedralParameters& d) {
  std::vector<double> k;
  s.required("k", k,
             {.doc = "U = k1/2 (1 + cos phi) + k2/2 (1 - cos 2 phi) + k3/2 (1 + cos 3 phi) + k4/2 "
                     "(1 - cos 4 phi)",
              .unit = "energy",
              .min_size = 4,
              .max_size = 4});
  if (!s.describing()) d = opls_dihedral({k[0], k[1], k[2], k[3]});
}

void describe_dihedral(Section& s, LabelledParameters<DihedralParameters>& dihedral) {
  DihedralParameters& d = dihedral.parameters;
  describe_label(s, dihedral);
  s.alternatives("kind",
                 {{"opls", "Jorgensen et al. 1996", [&](Section& a) { describe_opls(a, d); }},
                  {"periodic", "a sum of cosines", [&](Section& a) { describe_periodic(a, d); }}},
                 -1, {.doc = "torsion about a bond; phi is 0 for cis, 180 degrees for trans"});
}

void describe_special(Section& s, SpecialPairs& special) {
  std::vector<std::string> words;
  s.required("exclude", words,
             {.doc = "pairs that do not interact as pairs: \"1-2\" (bound), \"1-3\" (two bonds "
                     "apart), \"1-4\" (three); [] for none. FENE bonds with a core: [\"1-2\"]"});
  SpecialPairs chosen;
  const bool is_scaled = s.optional_table(
      "scale_14",
      [&chosen](Section& t) {
        t.optional(
            "lennard_jones", chosen.scale_14,
            {.doc = "of the pair potentials (plain Lennard-Jones without a cutoff)", .minimum = 0});
        t.optional("coulomb", chosen.coulomb_scale_14,
                   {.doc = "of Coulomb's law (plain, without a cutoff)", .minimum = 0});
      },
      "1-4 pairs feel this much of their pair potentials, in their own energy pair14");
  if (s.describing()) return;
  constexpr std::array<std::string_view, 3> known{"1-2", "1-3", "1-4"};
  chosen.is_excluded = {false, false, false};
  for (const std::string& word : words) {
    const auto at = std::find(known.begin(), known.end(), word);
    if (at == known.end())
      s.fail("exclude", fmt::format("`{}` is no kind of pair", word),
             "write \"1-2\", \"1-3\" or \"1-4\"");
    chosen.is_excluded[static_cast<std::size_t>(at - known.begin())] = true;
  }
  if (is_scaled && chosen.is_excluded[2])
    s.fail("scale_14", "1-4 pairs are excluded, so there is nothing to scale",
           "leave out one of the two");
  special = chosen;
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
  const char* key;      ///< in configurations: "bonds"
  const char* section;  ///< in data files: "Bond Coeffs"
};

[[noreturn]] void fail_without_parameters(const BondedConfig& config, const Kind& kind,
                                          const std::string& label, const BondedOfFile& of_file) {
  const std::string problem =
      fmt::format("type `{}` of the start's {} has no parameters{}", excerpt(label), kind.key,
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

/// The line of a data file's coefficients that is about a type, and its section; or null.
std::pair<const CoefficientSection*, const CoefficientLine*> line_about(const BondedOfFile& of_file,
                                                                        const char* section,
                                                                        std::size_t type) {
  for (const CoefficientSection& c : of_file.coefficients)
    for (const CoefficientLine& line : c.lines)
      if (c.name == section && line.types[0] == static_cast<std::int32_t>(type)) return {&c, &line};
  return {nullptr, nullptr};
}

/// Parameters by type: the configuration's, or else the file's: a data file's are read by
/// `read_line`, an H5MD file's by `read_stored`.
template <class T, class ReadLine, class ReadStored>
std::vector<T> by_type(const BondedConfig& config, const std::vector<LabelledParameters<T>>& given,
                       const Kind& kind, const std::vector<std::string>& labels,
                       const BondedOfFile& of_file, const std::vector<StoredLaw>& stored,
                       const ReadLine& read_line, const ReadStored& read_stored) {
  refuse_unknown_labels(given, kind.key, labels);
  std::vector<T> result;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto own = std::find_if(given.begin(), given.end(),
                                  [&](const auto& g) { return g.name == labels[t]; });
    const auto [section, line] = line_about(of_file, kind.section, t);
    if (own != given.end())
      result.push_back(own->parameters);
    else if (line != nullptr)
      result.push_back(read_line(*section, *line, of_file.file));
    else if (!stored.empty())
      result.push_back(read_stored(stored.at(t), StoredPlace{of_file.file, labels[t]}));
    else
      fail_without_parameters(config, kind, labels[t], of_file);
  }
  return result;
}

/// Refuses bound atoms of which nothing says which of their pairs interact.
void require_special(const BondedConfig& config, const BondedOfFile& of_file) {
  if (config.is_given || !of_file.stored.special.empty()) return;
  if (of_file.is_h5md)
    throw InputError(fmt::format(
        "{} has bonds, angles or dihedrals, and neither it nor [bonded] says what they are and "
        "which pairs of bound atoms interact as pairs; add [bonded] with exclude = [\"1-2\", "
        "\"1-3\"] or the like and a table [[bonded.bonds]] with name = \"1\", kind and its "
        "parameters, or say connectivity = false in [start] to take atoms without bonds",
        of_file.file));
  throw InputError(
      "the start has bonds, and nothing says which pairs of bound atoms interact as pairs; add "
      "[bonded] with exclude = [\"1-2\", \"1-3\"] or the like");
}

}  // namespace

void describe_bonded(Section& top, BondedConfig& config, const MoreLaws& more) {
  config.more = more;
  const auto describe = [&config, &more](Section& s) {
    s.tables<LabelledParameters<BondParameters>>(
        "bonds", config.bonds, [&](Section& t, auto& bond) { describe_bond(t, more, bond); },
        "a type of bond");
    s.tables<LabelledParameters<AngleParameters>>(
        "angles", config.angles, [&](Section& t, auto& angle) { describe_angle(t, more, angle); },
        "a type of angle");
    s.tables<LabelledParameters<DihedralParameters>>("dihedrals", config.dihedrals,
                                                     describe_dihedral, "a type of dihedral");
    describe_special(s, config.special);
    config.where = s.location();
    config.special_at = s.location("scale_14");
    s.optional("max_arm", config.max_arm,
               {.doc = "longest distance of neighbours in angles and dihedrals (0: of the longest "
                       "bond)",
                .unit = "length",
                .minimum = 0});
    if (s.describing()) return;
    check_names("bonds", config.bonds);
    check_names("angles", config.angles);
    check_names("dihedrals", config.dihedrals);
  };
  config.is_given =
      top.optional_table("bonded", describe,
                         "bonds, angles and dihedrals between the start's atoms; "
                         "coefficients that are left out come from the data file, or from the "
                         "H5MD file where gsim wrote it, which needs no [bonded]");
}

BondedParameters bonded_parameters(const BondedConfig& config, const Topology& topology,
                                   const BondedOfFile& of_file) {
  BondedParameters result;
  if (config.is_given && !topology.is_bound())
    throw ConfigError(config.where, "there is a table [bonded], but the start has no bonds",
                      "remove it, or start from chains or a file with bonds");
  if (!topology.is_bound()) return result;
  require_special(config, of_file);
  const StoredBonded& stored = of_file.stored;
  result.bonds = by_type(
      config, config.bonds, {"bonds", "Bond Coeffs"}, topology.bond_types, of_file, stored.bonds,
      [](const auto&... line) { return bond_of(line...); },
      [&](const auto& law, const auto& at) { return bond_of(law, config.more.bonds, at); });
  result.angles = by_type(
      config, config.angles, {"angles", "Angle Coeffs"}, topology.angle_types, of_file,
      stored.angles, [](const auto&... line) { return angle_of(line...); },
      [&](const auto& law, const auto& at) { return angle_of(law, config.more.angles, at); });
  result.dihedrals = by_type(
      config, config.dihedrals, {"dihedrals", "Dihedral Coeffs"}, topology.dihedral_types, of_file,
      stored.dihedrals, [](const auto&... line) { return dihedral_of(line...); },
      [](const auto& law, const auto& at) { return dihedral_of(law, at); });
  if (config.is_given) {
    result.special = config.special;
    result.max_arm = config.max_arm;
  } else {
    set_special(stored, of_file.file, result);
  }
  return result;
}

}  // namespace gsim::md
