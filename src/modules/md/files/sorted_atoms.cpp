#include "src/modules/md/files/sorted_atoms.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

/// Reorders a column; empty columns stay empty.
template <class T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t i : order) sorted.push_back(std::move(values[i]));
  values = std::move(sorted);
}

/// Sorts atoms by id and assigns their types.
class Sorter {
 public:
  Sorter(const Box& box, UnsortedAtoms all, const std::string& file)
      : all_(std::move(all)), system_{box, {}, {}, {}, {}, {}, file} {}

  AtomSystem sort() {
    sort_by_id();
    assign_types();
    system_.atoms = std::move(all_.atoms);
    return std::move(system_);
  }

 private:
  [[noreturn]] void fail(std::size_t atom, const std::string& problem) const {
    const std::string line =
        all_.lines.empty() ? std::string() : fmt::format(":{}", all_.lines[atom]);
    throw InputError(fmt::format("{}{}: {}", system_.file, line, problem));
  }

  void sort_by_id() {
    std::vector<std::size_t> order(all_.ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return all_.ids[a] < all_.ids[b]; });
    for (std::size_t k = 1; k < order.size(); ++k)
      if (all_.ids[order[k]] == all_.ids[order[k - 1]])
        fail(order[k],
             fmt::format("two atoms have the id {}; give each its own", all_.ids[order[k]]));
    reorder(all_.ids, order), reorder(all_.species, order), reorder(all_.masses, order);
    reorder(all_.lines, order);
    AtomColumns& a = all_.atoms;
    reorder(a.position, order), reorder(a.image, order), reorder(a.velocity, order);
    reorder(a.charge, order), reorder(a.molecule, order);
    bool is_one_to_n = true;
    for (std::size_t k = 0; k < all_.ids.size(); ++k)
      is_one_to_n = is_one_to_n && all_.ids[k] == static_cast<Index>(k) + 1;
    if (!is_one_to_n) system_.given_ids = all_.ids;
  }

  void assign_types() {
    std::map<std::string, std::int32_t, std::less<>> known;
    for (const std::string& name : all_.known_species)
      if (known.emplace(name, static_cast<std::int32_t>(known.size())).second)
        system_.types.push_back({name, 0, true});
    all_.atoms.type.clear();
    for (std::size_t k = 0; k < all_.species.size(); ++k) {
      const auto [found, is_new] =
          known.emplace(all_.species[k], static_cast<std::int32_t>(known.size()));
      const double mass = all_.masses.empty() ? 0 : all_.masses[k];
      if (!all_.masses.empty() && !(mass > 0))
        fail(k, fmt::format("the mass of atom {} is {}; give more than 0", all_.ids[k], mass));
      if (is_new) system_.types.push_back({all_.species[k], 0, true});
      AtomType& type = system_.types[static_cast<std::size_t>(found->second)];
      if (type.is_unused) type = {type.label, mass, false, all_.lines.empty() ? 0 : all_.lines[k]};
      const double type_mass = type.mass;
      if (mass != type_mass)
        fail(k, fmt::format("atom {} of type {} has the mass {}, an earlier one {}; give atoms of "
                            "different masses different types",
                            all_.ids[k], all_.species[k], mass, type_mass));
      all_.atoms.type.push_back(found->second);
    }
  }

  UnsortedAtoms all_;
  AtomSystem system_;
};

}  // namespace

AtomSystem sorted_system(const Box& box, UnsortedAtoms all, const std::string& file) {
  return Sorter(box, std::move(all), file).sort();
}

}  // namespace gsim::md
