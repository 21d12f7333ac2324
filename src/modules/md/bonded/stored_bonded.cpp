#include "src/modules/md/bonded/stored_bonded.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view bond_words[] = {"harmonic", "fene"};
constexpr std::string_view angle_words[] = {"harmonic", "cosine", "cosine_squared"};
constexpr std::string_view dihedral_word = "fourier";
constexpr std::size_t special_numbers = 6;

StoredLaw stored(const BondParameters& b) {
  StoredLaw law;
  if (b.kind != nullptr) {
    law = {std::string(b.kind->name), b.values};
    law.values.push_back(b.max_length);
  } else if (b.law == BondLaw::harmonic) {
    law.values = {b.k, b.r0, b.max_length};
  } else {
    law.values = {b.k, b.r0, b.epsilon, b.sigma, b.max_length};
  }
  if (b.kind == nullptr) law.law = bond_words[static_cast<std::size_t>(b.law)];
  return law;
}

StoredLaw stored(const AngleParameters& a) {
  if (a.kind != nullptr) return {std::string(a.kind->name), a.values};
  StoredLaw law{std::string(angle_words[static_cast<std::size_t>(a.law)]), {a.k}};
  if (a.law != AngleLaw::cosine) law.values.push_back(a.theta0);
  return law;
}

StoredLaw stored(const DihedralParameters& d) {
  StoredLaw law{std::string(dihedral_word), d.cosine};
  law.values.insert(law.values.end(), d.sine.begin(), d.sine.end());
  return law;
}

[[noreturn]] void fail(const StoredPlace& place, const std::string& problem) {
  throw InputError(fmt::format("{}: parameters of type `{}`: {}; give them in [bonded]", place.file,
                               excerpt(place.label), problem));
}

void expect(const StoredLaw& stored, std::size_t count, const StoredPlace& place) {
  if (stored.values.size() != count)
    fail(place, fmt::format("the law {} has {} numbers, not {}", excerpt(stored.law),
                            stored.values.size(), count));
  for (const double value : stored.values)
    if (!std::isfinite(value)) fail(place, "a number is not finite");
}

/// A law's number among `words`, those of gsim's own; below 0: it is none of them.
int place_of(std::span<const std::string_view> words, std::string_view law) {
  const auto at = std::find(words.begin(), words.end(), law);
  return at == words.end() ? -1 : static_cast<int>(at - words.begin());
}

template <class Kind>
const Kind& kind_of(std::span<const Kind* const> kinds, const StoredLaw& stored,
                    const StoredPlace& place) {
  const auto at = std::find_if(kinds.begin(), kinds.end(),
                               [&](const Kind* kind) { return kind->name == stored.law; });
  if (at == kinds.end())
    fail(place,
         fmt::format("the law {} is not known: is the plugin that has it named in `plugins`?",
                     excerpt(stored.law)));
  return **at;
}

}  // namespace

StoredBonded stored_bonded(const BondedParameters& p) {
  StoredBonded result;
  for (const BondParameters& b : p.bonds) result.bonds.push_back(stored(b));
  for (const AngleParameters& a : p.angles) result.angles.push_back(stored(a));
  for (const DihedralParameters& d : p.dihedrals) result.dihedrals.push_back(stored(d));
  for (const bool is_excluded : p.special.is_excluded)
    result.special.push_back(is_excluded ? 1 : 0);
  for (const double number : {p.special.scale_14, p.special.coulomb_scale_14, p.max_arm})
    result.special.push_back(number);
  return result;
}

BondParameters bond_of(const StoredLaw& stored, std::span<const BondKind* const> kinds,
                       const StoredPlace& place) {
  const std::vector<double>& v = stored.values;
  BondParameters bond;
  switch (place_of(bond_words, stored.law)) {
    case 0:
      expect(stored, 3, place);
      return {BondLaw::harmonic, v[0], v[1], 0, 1, v[2]};
    case 1:
      expect(stored, 5, place);
      return {BondLaw::fene, v[0], v[1], v[2], v[3], v[4]};
    default:
      bond.kind = &kind_of(kinds, stored, place);
      expect(stored, bond.kind->parameters.size() + 1, place);
      bond.values.assign(v.begin(), v.end() - 1);
      bond.max_length = v.back();
      return bond;
  }
}

AngleParameters angle_of(const StoredLaw& stored, std::span<const AngleKind* const> kinds,
                         const StoredPlace& place) {
  const std::vector<double>& v = stored.values;
  const int law = place_of(angle_words, stored.law);
  AngleParameters angle;
  if (law < 0) {
    angle.kind = &kind_of(kinds, stored, place);
    expect(stored, angle.kind->parameters.size(), place);
    angle.values = v;
    return angle;
  }
  angle.law = static_cast<AngleLaw>(law);
  expect(stored, angle.law == AngleLaw::cosine ? 1 : 2, place);
  angle.k = v[0];
  if (angle.law != AngleLaw::cosine) angle.theta0 = v[1];
  return angle;
}

DihedralParameters dihedral_of(const StoredLaw& stored, const StoredPlace& place) {
  if (stored.law != dihedral_word)
    fail(place, fmt::format("the law {} is not known", excerpt(stored.law)));
  const std::vector<double>& v = stored.values;
  const std::size_t terms = std::clamp<std::size_t>(v.size() / 2, 1, most_dihedral_order + 1);
  expect(stored, 2 * terms, place);
  const auto half = v.begin() + static_cast<std::ptrdiff_t>(terms);
  return {{v.begin(), half}, {half, v.end()}};
}

void set_special(const StoredBonded& stored, const std::string& file, BondedParameters& to) {
  const std::vector<double>& v = stored.special;
  const auto fail_at = [&](const char* problem) {
    throw InputError(fmt::format("{}: what it says of pairs of bound atoms {}; give it in [bonded]",
                                 file, problem));
  };
  if (v.size() != special_numbers) fail_at("is not six numbers");
  for (std::size_t k = 0; k < special_numbers; ++k)
    if (!std::isfinite(v[k]) || v[k] < 0) fail_at("has a number that is negative or not finite");
  for (std::size_t k = 0; k < 3; ++k) {
    if (v[k] != 0 && v[k] != 1) fail_at("does not begin with three numbers 0 or 1");
    to.special.is_excluded[k] = v[k] == 1;
  }
  to.special.scale_14 = v[3];
  to.special.coulomb_scale_14 = v[4];
  to.max_arm = v[5];
}

}  // namespace gsim::md
