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
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

/// The kind whose parameters are read from a file.
constexpr std::string_view tabulated = "table";

/// Reads the entries of [[pair.potential]] into a table.
class PotentialReader {
 public:
  PotentialReader(const std::vector<std::string>& types, double default_cutoff,
                  SourceLocation default_at, PairTable& table,
                  std::span<const PotentialKind* const> kinds)
      : types_(types),
        kinds_(kinds),
        default_cutoff_(default_cutoff),
        default_at_(std::move(default_at)),
        table_(table),
        longest_at_(default_at_) {}

  /// The place of the longest cutoff in the configuration.
  const SourceLocation& longest_at() const { return longest_at_; }

  void read(Section& s) {
    std::vector<std::string> names;
    s.optional("types", names,
               {.doc = "two names of [[type]], the same one twice for atoms of one type; left out: "
                       "all pairs of types. Potentials on the same pair add up"});
    std::vector<Section::Alternative> kinds;
    for (const PotentialKind* kind : kinds_)
      if (kind->name != tabulated)
        kinds.push_back({std::string(kind->name), "u(r) = " + std::string(kind->doc),
                         [this, kind](Section& t) { read_formula(t, *kind); }});
    kinds.push_back({"wca",
                     "Lennard-Jones up to its minimum at 2^(1/6) sigma, shifted to zero there",
                     [this](Section& t) { read_wca(t); }});
    kinds.push_back({std::string(tabulated), "energies and forces from a file",
                     [this](Section& t) { read_table(t); }});
    kinds.push_back({"none", "no potential", [](Section&) {}});
    potential_ = {};
    const int chosen = s.alternatives("kind", kinds, -1, {.doc = "the formula"});
    if (s.describing()) return;
    if (potential_.cutoff > longest_) {
      longest_ = potential_.cutoff;
      longest_at_ = s.has("cutoff")               ? s.location("cutoff")
                    : longest_ == default_cutoff_ ? default_at_
                                                  : s.location("kind");
    }
    const bool is_none = kinds[static_cast<std::size_t>(chosen)].word == "none";
    for (const auto& [a, b] : pairs_of(s, names)) {
      if (is_none)
        table_.silence(a, b);
      else
        table_.add(a, b, potential_);
    }
  }

 private:
  void read_formula(Section& s, const PotentialKind& kind) {
    potential_.kind = &kind;
    for (const PotentialParameter& p : kind.parameters) {
      double value = 0;
      s.required(p.name, value, parameter_info(p));
      potential_.parameters.push_back(value);
    }
    read_cutoff(s);
    read_end(s);
    if (!s.describing()) check(s);
  }

  void read_wca(Section& s) {
    double epsilon = 1, sigma = 1;
    s.required("epsilon", epsilon, {.doc = "energy at r = sigma", .unit = "energy", .minimum = 0});
    s.required(
        "sigma", sigma,
        {.doc = "diameter of an atom", .unit = "length", .minimum = 0, .exclusive_minimum = true});
    if (!s.describing()) potential_ = wca(epsilon, sigma);
    read_closest(s);
    if (!s.describing()) check(s);
  }

  void read_table(Section& s) {
    std::string file, section;
    s.required("file", file,
               {.doc = "three columns r, u and -du/dr; or of the format of LAMMPS's pair_style "
                       "table"});
    s.optional("section", section, {.doc = "of a LAMMPS file with more than one table"});
    potential_.kind = &potential_kind(tabulated);
    read_cutoff(s);
    read_end(s);
    if (s.describing()) return;
    potential_.samples = at_place(s.location("file"), [&] {
      return std::make_shared<RadialSamples>(
          read_radial_samples(s.input_file("file", file).text, file, section));
    });
    const double end = potential_.samples->r.back();
    if (potential_.cutoff > end * (1 + 1e-12))
      s.fail(s.has("cutoff") ? "cutoff" : "file",
             fmt::format("the cutoff {} lies beyond the table, which ends at {}", potential_.cutoff,
                         end),
             fmt::format("set cutoff = {} here, or continue the table", end));
    if (potential_.cutoff <= potential_.samples->r.front())
      s.fail("file", fmt::format("the table begins at {}, beyond the cutoff {}",
                                 potential_.samples->r.front(), potential_.cutoff));
    check(s);
  }

  void read_cutoff(Section& s) {
    const KeyInfo info{.doc = "beyond it there is no force (left out: [pair] cutoff)",
                       .unit = "length",
                       .minimum = 0,
                       .exclusive_minimum = true};
    potential_.cutoff = default_cutoff_;
    s.optional("cutoff", potential_.cutoff, info);
    if (!s.describing() && !(potential_.cutoff > 0))
      s.fail("kind", "the potential has no cutoff",
             "set cutoff = … here, or for all potentials in [pair]");
  }

  void read_end(Section& s) {
    static constexpr std::string_view words[] = {"cut", "shift", "force_shift", "xplor"};
    s.optional("smoothing", potential_.smoothing, words,
               {.doc = "smoothing at the cutoff: cut: none; shift: energies are shifted to zero "
                       "there; force_shift: forces, too; xplor: between inner and cutoff it is "
                       "multiplied by a function that falls smoothly from 1 to 0"});
    s.optional("inner", potential_.inner,
               {.doc = "where xplor begins, below the cutoff", .unit = "length", .minimum = 0});
    read_closest(s);
    if (s.describing()) return;
    const bool is_xplor = potential_.smoothing == Smoothing::xplor;
    if (is_xplor && !(potential_.inner > 0 && potential_.inner < potential_.cutoff))
      s.fail(s.has("inner") ? "inner" : "smoothing",
             fmt::format("smoothing = \"xplor\" needs an inner radius between 0 and the cutoff {}",
                         potential_.cutoff),
             fmt::format("set inner = {:.4g}, for example", 0.9 * potential_.cutoff));
    if (!is_xplor && potential_.inner > 0)
      s.fail("inner", "only smoothing = \"xplor\" has an inner radius",
             "set smoothing = \"xplor\", or leave inner out");
  }

  void read_closest(Section& s) {
    s.optional("closest", potential_.closest,
               {.doc = "atoms nearer to each other than this are an overlap that stops the run; "
                       "sets the range that forces are summed in (0: by the kind, where energies "
                       "are some hundred times the usual ones)",
                .unit = "length",
                .minimum = 0});
    if (!s.describing() && potential_.closest >= potential_.cutoff)
      s.fail("closest", fmt::format("closest {} is not below the cutoff {}", potential_.closest,
                                    potential_.cutoff));
  }

  void check(const Section& s) const {
    at_place(s.location("kind"), [&] {
      const PairFunction function(potential_);
      if (function.closest() >= potential_.cutoff)
        s.fail(s.has("cutoff") ? "cutoff" : "kind",
               fmt::format("the cutoff {:.6g} is not above {:.6g}, below which atoms overlap",
                           potential_.cutoff, function.closest()),
               "is it in the same unit as the other lengths?");
      PairPass pass(function.kind(), function.is_smoothed(), 1);
      pass.add(function, 0, 0);
      pass.largest(1);
    });
  }

  std::vector<std::pair<int, int>> pairs_of(const Section& s,
                                            const std::vector<std::string>& names) const {
    std::vector<std::pair<int, int>> pairs;
    if (names.empty()) {
      for (int a = 0; a < table_.types(); ++a)
        for (int b = a; b < table_.types(); ++b) pairs.emplace_back(a, b);
      return pairs;
    }
    if (names.size() != 2)
      s.fail("types", fmt::format("{} names, not two", names.size()),
             "name the two types of a pair, such as [\"A\", \"A\"], or leave `types` out");
    int found[2];
    for (std::size_t k = 0; k < 2; ++k)
      found[k] = static_cast<int>(place_of_type(s.locations(), "types", names[k], types_));
    return {{std::min(found[0], found[1]), std::max(found[0], found[1])}};
  }

  const std::vector<std::string>& types_;
  std::span<const PotentialKind* const> kinds_;
  double default_cutoff_;
  SourceLocation default_at_;
  PairTable& table_;
  double longest_ = 0;
  SourceLocation longest_at_;
  PairPotential potential_;
};

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

void describe_pair(Section& s, const std::vector<std::string>& types,
                   const std::vector<CoefficientSection>& coefficients, PairConfig& c,
                   std::span<const PotentialKind* const> kinds) {
  static constexpr std::string_view rules[] = {"none", "lorentz_berthelot", "geometric",
                                               "waldman_hagler"};
  double cutoff = 0;
  MixingRule mixing = MixingRule::none;
  s.optional("cutoff", cutoff,
             {.doc = "of potentials that give none of their own (0: each gives its own)",
              .unit = "length",
              .minimum = 0});
  s.optional(
      "mixing", mixing, rules,
      {.doc = "makes Lennard-Jones (or wca) parameters of two types' own for pairs that have "
              "none; waldman_hagler is also known as sixth power"});
  s.optional("tail", c.tail,
             {.doc = "adds the long-range corrections of a homogeneous fluid to energy and "
                     "pressure; forces are unchanged"});
  c.table.emplace(types.empty() ? std::vector<std::string>{"1"} : types);
  PotentialReader reader(types, cutoff, s.location("cutoff"), *c.table, kinds);
  Index count = 0;
  s.tables(
      "potential", [&](Index n) { count = n; }, [&](Section& p, Index) { reader.read(p); },
      "a potential and the pairs of types that it acts on");
  if (s.describing()) return;
  if (count == 0 && !add_pair_coefficients(coefficients, cutoff, *c.table))
    s.fail("potential", "[pair] names no potential",
           "add [[pair.potential]] with a kind and its parameters");
  at_place(s.location("mixing"), [&] { c.table->mix(mixing); });
  check_all_pairs(s, *c.table, mixing);
  c.cutoff_at = reader.longest_at();
  c.tail_at = s.location("tail");
  if (c.tail) at_place(c.tail_at, [&] { TailFunction check(*c.table); });
  c.summary = summary_of(*c.table);
}

}  // namespace

void describe_pairs(Section& top, const std::vector<std::string>& types,
                    const std::vector<CoefficientSection>& coefficients, PairConfig& c,
                    std::span<const PotentialKind* const> kinds) {
  c = {};
  top.optional_table(
      "pair", [&](Section& s) { describe_pair(s, types, coefficients, c, kinds); },
      "potentials between pairs of atoms");
  top.optional_table(
      "coulomb", [&c](Section& s) { describe_coulomb(s, c.coulomb); }, "forces between charges");
  if (top.describing()) c = {};
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
    const double share = std::isinf(c.medium) ? 0.5 : (c.medium - 1) / (2 * c.medium + 1);
    const double k_rf = share / (c.cutoff * c.cutoff * c.cutoff);
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
