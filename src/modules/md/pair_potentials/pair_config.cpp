#include "src/modules/md/pair_potentials/pair_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/pair_forces/pair_passes.hpp"
#include "src/modules/md/pair_potentials/pair_coefficients.hpp"
#include "src/modules/md/pair_potentials/parameter_info.hpp"
#include "src/modules/md/pair_potentials/truncation.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

/// The keys of a kind of potential: its parameters, cutoff and smoothing.
MakePairPotential describe_parameters(Section& s, const PotentialKind& kind,
                                      double default_cutoff) {
  PairPotential potential;
  potential.kind = &kind;
  for (const PotentialParameter& p : kind.parameters) {
    double value = 0;
    s.required(p.name, value, parameter_info(p));
    potential.parameters.push_back(value);
  }
  describe_truncation(s, default_cutoff, potential);
  return [potential](const Section& values) {
    validate_truncation(values, potential);
    return potential;
  };
}

/// ConfigError for parameters whose forces have no finite range or cannot be summed.
void validate_potential(const Section& s, const PairPotential& potential) {
  locate_errors(s.location("kind"), [&] {
    const PairFunction function(potential);
    if (function.closest() >= potential.cutoff)
      s.fail(s.has("cutoff") ? "cutoff" : "kind",
             fmt::format("the cutoff {:.6g} is not above {:.6g}, below which atoms overlap",
                         potential.cutoff, function.closest()),
             "is it in the same unit as the other lengths?");
    PairPass pass(function.kind(), function.is_smoothed(), 1);
    pass.add(function, 0, 0);
    pass.largest(1);
  });
}

/// One table [[pair.potential]].
void describe_potential(Section& s, double default_cutoff,
                        std::span<const PotentialKind* const> kinds, PotentialConfig& c) {
  s.optional("types", c.types,
             {.doc = "names of two types, or twice the same name for atoms of one type; left out: "
                     "all pairs of types. Potentials on the same pair of types add up"});
  MakePairPotential make;
  std::vector<Section::Alternative> list;
  for (const PotentialKind* kind : kinds)
    list.push_back({std::string(kind->name),
                    (kind->describe == nullptr ? "u(r) = " : "") + std::string(kind->doc),
                    validated(
                        [&make, kind, default_cutoff](Section& t) {
                          make = kind->describe != nullptr
                                     ? kind->describe(t, default_cutoff)
                                     : describe_parameters(t, *kind, default_cutoff);
                        },
                        [&make, &c](const Section& t) {
                          c.potential = make(t);
                          if (c.potential.kind != nullptr) validate_potential(t, c.potential);
                        })});
  s.alternatives("kind", list, -1, {.doc = "style of the potential"});
  c.keys = s.locations();
}

/// The pairs of types that a potential acts on.
std::vector<std::pair<int, int>> pairs_of(const PotentialConfig& c,
                                          const std::vector<std::string>& types) {
  std::vector<std::pair<int, int>> pairs;
  if (c.types.empty()) {
    const int n = static_cast<int>(types.size());
    for (int a = 0; a < n; ++a)
      for (int b = a; b < n; ++b) pairs.emplace_back(a, b);
    return pairs;
  }
  if (c.types.size() != 2)
    c.keys.fail("types", fmt::format("{} names, not two", c.types.size()),
                "name the two types of a pair, such as [\"A\", \"A\"], or leave `types` out");
  int found[2];
  for (std::size_t k = 0; k < 2; ++k)
    found[k] = static_cast<int>(index_of_type(c.keys, "types", c.types[k], types));
  return {{std::min(found[0], found[1]), std::max(found[0], found[1])}};
}

/// The potentials of [[pair.potential]] by pairs of types, and the location of the longest cutoff.
void fill_table(const std::vector<std::string>& types, PairConfig& c) {
  const SourceLocation default_at = c.cutoff_at;
  double longest = 0;
  for (const PotentialConfig& p : c.potentials) {
    const double cutoff = p.potential.cutoff;
    if (cutoff > longest) {
      longest = cutoff;
      c.cutoff_at = p.keys.has("cutoff")          ? p.keys.location("cutoff")
                    : longest == c.default_cutoff ? default_at
                                                  : p.keys.location("kind");
    }
    for (const auto& [a, b] : pairs_of(p, types)) {
      if (p.potential.kind == nullptr)
        c.table->declare_empty(a, b);
      else
        c.table->add(a, b, p.potential);
    }
  }
}

void check_all_pairs(const Section& s, const PairTable& table, MixingRule mixing) {
  const auto pair = table.without_potential();
  if (!pair) return;
  const auto [a, b] = *pair;
  const std::string first = excerpt(table.names()[static_cast<std::size_t>(a)]),
                    second = excerpt(table.names()[static_cast<std::size_t>(b)]);
  const bool could_mix = a != b && mixing == MixingRule::none;
  s.fail("potential", fmt::format("no potential acts between {} and {}", first, second),
         fmt::format("add [[pair.potential]] with types = [\"{}\", \"{}\"]{}, or with kind = "
                     "\"none\" if they do not interact",
                     first, second,
                     could_mix ? ", or a rule such as mixing = \"lorentz_berthelot\"" : ""));
}

std::string summary_of(const PairTable& table) {
  std::vector<std::string> words;
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b)
      for (const PairPotential& p : table.between(a, b))
        if (std::find(words.begin(), words.end(), p.kind->name) == words.end())
          words.emplace_back(p.kind->name);
  return fmt::format("{}; cutoff {:.6g}", fmt::join(words, ", "), table.cutoff());
}

void describe_pair(Section& s, std::span<const PotentialKind* const> kinds, PairConfig& c) {
  static constexpr std::string_view rules[] = {"none", "lorentz_berthelot", "geometric",
                                               "waldman_hagler"};
  s.optional("cutoff", c.default_cutoff,
             {.doc = "default cutoff radius of the potentials (0: each potential has its own)",
              .unit = "length",
              .minimum = 0});
  s.optional(
      "mixing", c.mixing, rules,
      {.doc =
           "mixing rule by which pairs of types without a potential get Lennard-Jones (or wca) "
           "parameters from those of the two types; waldman_hagler is also known as sixth power"});
  s.optional("tail", c.tail,
             {.doc = "whether long-range corrections of a homogeneous fluid are added to energy "
                     "and pressure; forces are unchanged"});
  s.tables(
      "potential", c.potentials,
      [&](Section& p, PotentialConfig& potential) {
        describe_potential(p, c.default_cutoff, kinds, potential);
      },
      "a potential and the pairs of types that it acts on");
  c.cutoff_at = s.location("cutoff");
  c.tail_at = s.location("tail");
}

void validate_pair(const Section& s, const std::vector<std::string>& types,
                   const std::vector<CoefficientSection>& coefficients, PairConfig& c) {
  c.table.emplace(types);
  fill_table(types, c);
  if (c.potentials.empty() && !add_pair_coefficients(coefficients, c.default_cutoff, *c.table))
    s.fail("potential", "[pair] names no potential",
           "add [[pair.potential]] with a kind and its parameters");
  locate_errors(s.location("mixing"), [&] { c.table->mix(c.mixing); });
  check_all_pairs(s, *c.table, c.mixing);
  if (c.tail) locate_errors(c.tail_at, [&] { TailFunction check(*c.table); });
  c.summary = summary_of(*c.table);
}

}  // namespace

void describe_pairs(Section& top, const std::vector<std::string>& types,
                    const std::vector<CoefficientSection>& coefficients, PairConfig& c,
                    std::span<const PotentialKind* const> kinds) {
  c = {};
  top.optional_table("pair",
                     validated([&](Section& s) { describe_pair(s, kinds, c); },
                               [&](const Section& s) { validate_pair(s, types, coefficients, c); }),
                     "potentials between pairs of atoms");
  top.optional_table(
      "coulomb", [&c](Section& s) { describe_coulomb(s, c.coulomb); },
      "electrostatic interactions of charges");
}

PairTable make_pair_table(const PairConfig& config, const std::vector<std::string>& types,
                          const Units& units, double ewald_alpha) {
  PairTable table = config.table ? *config.table : PairTable(types);
  const CoulombConfig& c = config.coulomb;
  if (!c.is_on()) return table;
  PairPotential p;
  p.cutoff = c.cutoff;
  p.closest = c.closest;
  const double constant = c.constant(units);
  if (c.method == CoulombMethod::reaction_field) {
    const double factor = std::isinf(c.medium) ? 0.5 : (c.medium - 1) / (2 * c.medium + 1);
    const double k_rf = factor / (c.cutoff * c.cutoff * c.cutoff);
    p.kind = &potential_kind("reaction_field");
    p.parameters = {constant, k_rf, 1 / c.cutoff + k_rf * c.cutoff * c.cutoff};
  } else {
    const bool is_shifted = c.method == CoulombMethod::damped_shifted_force;
    p.kind = &potential_kind("damped_coulomb");
    p.parameters = {constant, is_shifted                         ? c.alpha
                              : c.method == CoulombMethod::ewald ? ewald_alpha
                                                                 : 0.0};
    p.smoothing = is_shifted ? Smoothing::force_shift : Smoothing::cut;
  }
  table.add_charged(std::move(p));
  return table;
}

}  // namespace gsim::md
