#include "src/modules/md/pair_potentials/pair_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/math/pow.hpp"

namespace gsim::md {
namespace {

const PotentialKind& lennard_jones_kind() { return potential_kind("lennard_jones"); }

bool is_wca(const PairPotential& p) {
  return *p.kind == lennard_jones_kind() && p.smoothing == Smoothing::shift &&
         p.cutoff == lennard_jones_minimum * p.parameters[1];
}

struct Mixed {
  double epsilon, sigma;
};
Mixed mixed(MixingRule rule, const PairPotential& a, const PairPotential& b) {
  const double ea = a.parameters[0], eb = b.parameters[0], sa = a.parameters[1],
               sb = b.parameters[1];
  if (rule == MixingRule::lorentz_berthelot) return {std::sqrt(ea * eb), 0.5 * (sa + sb)};
  if (rule == MixingRule::geometric) return {std::sqrt(ea * eb), std::sqrt(sa * sb)};
  // The sixth-power rule (Waldman and Hagler 1993).
  const double a3 = sa * sa * sa, b3 = sb * sb * sb, sum = a3 * a3 + b3 * b3;
  return {2 * std::sqrt(ea * eb) * a3 * b3 / sum, pow<Strict>(0.5 * sum, 1.0 / 6)};
}

}  // namespace

PairPotential lennard_jones(double epsilon, double sigma, double cutoff, Smoothing smoothing,
                            double inner) {
  return {&lennard_jones_kind(), {epsilon, sigma}, cutoff, smoothing, inner};
}
PairPotential wca(double epsilon, double sigma) {
  return lennard_jones(epsilon, sigma, lennard_jones_minimum * sigma, Smoothing::shift);
}

PairTable::PairTable(std::vector<std::string> type_names)
    : names_(std::move(type_names)),
      pairs_(names_.size() * names_.size()),
      declared_empty_(pairs_.size()) {
  if (names_.empty()) throw InputError("there are no types of atoms");
}

void PairTable::add(int a, int b, PairPotential potential) {
  if (a != b) at(b, a).push_back(potential);
  at(a, b).push_back(std::move(potential));
}

void PairTable::declare_empty(int a, int b) {
  declared_empty_[index(a, b)] = true;
  declared_empty_[index(b, a)] = true;
}

void PairTable::add_charged(PairPotential potential) { charged_.push_back(std::move(potential)); }

void PairTable::mix(MixingRule rule) {
  if (rule == MixingRule::none) return;
  const auto only_lennard_jones = [&](int t) -> const PairPotential* {
    const auto& terms = between(t, t);
    return terms.size() == 1 && *terms[0].kind == lennard_jones_kind() ? &terms[0] : nullptr;
  };
  for (int a = 0; a < types(); ++a)
    for (int b = a + 1; b < types(); ++b) {
      const PairPotential *pa = only_lennard_jones(a), *pb = only_lennard_jones(b);
      if (!between(a, b).empty() || is_declared_empty(a, b) || pa == nullptr || pb == nullptr)
        continue;
      const auto [epsilon, sigma] = mixed(rule, *pa, *pb);
      if (is_wca(*pa) && is_wca(*pb)) {
        add(a, b, wca(epsilon, sigma));
        continue;
      }
      if (pa->smoothing != pb->smoothing || is_wca(*pa) != is_wca(*pb))
        throw InputError(
            fmt::format("the Lennard-Jones potentials of {0} and {1} are truncated in different "
                        "ways, so that the truncation of the mixed potential of {0} and {1} is not "
                        "defined; give the pair {0}-{1} a potential of its own",
                        names_[static_cast<std::size_t>(a)], names_[static_cast<std::size_t>(b)]));
      add(a, b,
          lennard_jones(epsilon, sigma, std::max(pa->cutoff, pb->cutoff), pa->smoothing,
                        std::max(pa->inner, pb->inner)));
    }
}

std::optional<std::pair<int, int>> PairTable::without_potential() const {
  for (int a = 0; a < types(); ++a)
    for (int b = a; b < types(); ++b)
      if (between(a, b).empty() && !is_declared_empty(a, b)) return std::pair{a, b};
  return {};
}

double PairTable::cutoff() const {
  double largest = 0;
  for (const auto& list : pairs_)
    for (const PairPotential& p : list) largest = std::max(largest, p.cutoff);
  for (const PairPotential& p : charged_) largest = std::max(largest, p.cutoff);
  return largest;
}

}  // namespace gsim::md
