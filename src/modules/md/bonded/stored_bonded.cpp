#include "src/modules/md/bonded/stored_bonded.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view dihedral_style = "fourier";
// Three flags of exclusion (1-2, 1-3, 1-4), two factors of 1-4 pairs, and max_arm.
constexpr std::size_t special_size = 6;

StoredStyle stored(const BondParameters& b) {
  StoredStyle result{std::string(b.kind->name), b.values};
  result.values.push_back(b.max_length);
  return result;
}

StoredStyle stored(const AngleParameters& a) { return {std::string(a.kind->name), a.values}; }

StoredStyle stored(const DihedralSeries& d) {
  StoredStyle style{std::string(dihedral_style), d.cosine};
  style.values.insert(style.values.end(), d.sine.begin(), d.sine.end());
  return style;
}

[[noreturn]] void fail(const StoredPlace& place, const std::string& problem) {
  throw InputError(fmt::format("{}: parameters of type `{}`: {}; give them in [bonded]", place.file,
                               excerpt(place.label), problem));
}

/// InputError unless there are `count` values, all finite.
void expect(const StoredStyle& stored, std::size_t count, const StoredPlace& place) {
  if (stored.values.size() != count)
    fail(place, fmt::format("the style {} has {} numbers, not {}", excerpt(stored.style),
                            stored.values.size(), count));
  for (const double value : stored.values)
    if (!std::isfinite(value)) fail(place, "a number is not finite");
}

template <class Kind>
const Kind& kind_of(const std::vector<const Kind*>& kinds, const StoredStyle& stored,
                    const StoredPlace& place) {
  const auto at = std::find_if(kinds.begin(), kinds.end(),
                               [&](const Kind* kind) { return kind->name == stored.style; });
  if (at == kinds.end())
    fail(place, fmt::format("the style {} is not known: is its plugin named in `plugins`?",
                            excerpt(stored.style)));
  return **at;
}

}  // namespace

StoredBonded stored_bonded(const BondedParameters& p) {
  StoredBonded result;
  for (const BondParameters& b : p.bonds) result.bonds.push_back(stored(b));
  for (const AngleParameters& a : p.angles) result.angles.push_back(stored(a));
  for (const DihedralSeries& d : p.dihedrals) result.dihedrals.push_back(stored(d));
  for (const bool is_excluded : p.special.is_excluded)
    result.special.push_back(is_excluded ? 1 : 0);
  for (const double number : {p.special.scale_14, p.special.coulomb_scale_14, p.max_arm})
    result.special.push_back(number);
  return result;
}

BondParameters bond_of(const StoredStyle& stored, const std::vector<const BondKind*>& kinds,
                       const StoredPlace& place) {
  const std::vector<double>& v = stored.values;
  BondParameters bond;
  bond.kind = &kind_of(kinds, stored, place);
  expect(stored, bond.kind->parameters.size() + 1, place);
  bond.values.assign(v.begin(), v.end() - 1);
  bond.max_length = v.back();
  return bond;
}

AngleParameters angle_of(const StoredStyle& stored, const std::vector<const AngleKind*>& kinds,
                         const StoredPlace& place) {
  AngleParameters angle{&kind_of(kinds, stored, place), stored.values};
  expect(stored, angle.kind->parameters.size(), place);
  return angle;
}

DihedralSeries dihedral_of(const StoredStyle& stored, const StoredPlace& place) {
  if (stored.style != dihedral_style)
    fail(place, fmt::format("the style {} is not known", excerpt(stored.style)));
  const std::vector<double>& v = stored.values;
  const std::size_t terms = std::clamp<std::size_t>(v.size() / 2, 1, max_dihedral_order + 1);
  expect(stored, 2 * terms, place);
  const auto sine = v.begin() + static_cast<std::ptrdiff_t>(terms);
  return {{v.begin(), sine}, {sine, v.end()}};
}

void set_special(const StoredBonded& stored, const std::string& file, BondedParameters& to) {
  const std::vector<double>& v = stored.special;
  const auto fail_at = [&](const char* problem) {
    throw InputError(fmt::format(
        "{}: the list of special pairs of bonded atoms {}; give it in [bonded]", file, problem));
  };
  if (v.size() != special_size) fail_at("is not six numbers");
  for (std::size_t k = 0; k < special_size; ++k)
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
