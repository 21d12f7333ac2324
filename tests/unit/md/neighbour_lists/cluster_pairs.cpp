// Cluster pair lists without potentials: which pairs they contain, excluded pairs, and when the
// lists are stale and must be rebuilt.

#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "unit/md/forces/exclusion_lists.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using Pairs = std::multiset<std::pair<std::int64_t, std::int64_t>>;

struct Atoms {
  std::vector<FixedPosition> positions;
  std::vector<std::int64_t> ids;
  PairAtoms view(Index locals) const {
    const auto n = static_cast<Index>(positions.size());
    return {{positions.data(), n}, locals, {}, {}, {ids.data(), n}};
  }
};

Atoms random_atoms(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  Atoms atoms;
  for (std::size_t k = 0; k < n; ++k) {
    atoms.positions.push_back({{random(), random(), random()}});
    atoms.ids.push_back(static_cast<std::int64_t>(1000 + 7 * k));
  }
  return atoms;
}

template <class Real>
Pairs listed_pairs(const ClusterPairs<Real>& lists, const Atoms& atoms) {
  Pairs pairs;
  lists.visit_pairs([&](std::int32_t i, std::int32_t j) {
    pairs.insert(std::minmax(atoms.ids[static_cast<std::size_t>(i)],
                             atoms.ids[static_cast<std::size_t>(j)]));
  });
  return pairs;
}

double distance(const Box& box, const FixedPosition& a, const FixedPosition& b) {
  const Vector3 d = box.difference(a, b);
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

const Box tilted({0, 0, 0}, {9, 8.5, 8}, {1.1, -0.7, 0.9});

}  // namespace

TEST_CASE("cluster lists: every pair within cutoff and skin is listed once, except excluded ones") {
  const Atoms atoms = random_atoms(700, 11);
  constexpr double list_radius = 2.0 + 0.4;
  // Every atom excludes the next two by id, and some atom far away.
  const auto excluded = [](std::size_t a, std::size_t b) {
    const std::size_t d = a > b ? a - b : b - a;
    return d == 1 || d == 2 || d == 333;
  };
  for (const Index locals : {700, 450, 1}) {
    ClusterPairs<float> lists(Executor::host(2), tilted, 2.0, 0.4);
    Exclusions exclusions(lists.executor());
    std::size_t i = 0;  // the row of the atom
    exclude(exclusions, atoms.ids, locals, [&](std::int64_t) {
      std::vector<std::int64_t> partners{77};  // an atom that is neither local nor a ghost
      for (std::size_t j = 0; j < atoms.ids.size(); ++j)
        if (excluded(i, j)) partners.push_back(atoms.ids[j]);
      ++i;
      return partners;
    });
    lists.rebuild(atoms.view(locals), &exclusions);
    const Pairs found = listed_pairs(lists, atoms);
    std::size_t pairs_in_range = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(locals); ++i)
      for (std::size_t j = i + 1; j < atoms.ids.size(); ++j) {
        const auto count = found.count(std::minmax(atoms.ids[i], atoms.ids[j]));
        if (excluded(i, j)) REQUIRE(count == 0);
        const bool is_in_range =
            distance(tilted, atoms.positions[i], atoms.positions[j]) < list_radius;
        if (is_in_range && !excluded(i, j)) REQUIRE(count == 1);
        REQUIRE(count <= 1);
        pairs_in_range += is_in_range ? 1 : 0;
      }
    CHECK(pairs_in_range > (locals == 1 ? 5u : 5000u));
  }
}

TEST_CASE("cluster lists: a change of the box reduces the displacements that the skin allows") {
  Atoms atoms = random_atoms(300, 3);
  const auto view = [&] { return View<const FixedPosition>{atoms.positions.data(), 300}; };
  ClusterPairs<double> lists(Executor::host(1), tilted, 2.0, 0.4);
  lists.rebuild(atoms.view(300));
  CHECK(lists.load_locals(view()));
  // Stretching brings no pair into reach; nor does shrinking by less than skin / (cutoff + skin).
  lists.set_box(tilted.stretched({1.2, 1.0, 1.1}));
  CHECK(lists.load_locals(view()));
  lists.set_box(tilted.stretched({0.84, 0.9, 0.95}));  // 2.4 * 0.84 = 2.016
  CHECK(lists.load_locals(view()));
  lists.set_box(tilted.stretched({0.83, 0.9, 0.95}));
  CHECK_FALSE(lists.load_locals(view()));
  // The rest of the skin is for displacements: (2.4 - 2 / 0.9) / 2 = 0.0889 for each atom.
  lists.set_box(tilted.stretched({1.0, 0.9, 1.0}));
  const auto step = [&](double x) {
    return static_cast<std::uint64_t>(x / tilted.lengths()[0] * 0x1p64);
  };
  atoms.positions[7].x[0] += step(0.088);
  CHECK(lists.load_locals(view()));
  atoms.positions[7].x[0] += step(0.001);
  CHECK_FALSE(lists.load_locals(view()));
  lists.rebuild(atoms.view(300));
  CHECK(lists.load_locals(view()));
  CHECK_THROWS_AS(lists.set_box(tilted.stretched({0.4, 1, 1})), NumericalError);
}

TEST_CASE("cluster lists: lists that are not stale contain every pair within the cutoff") {
  std::mt19937_64 random(9);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  for (int trial = 0; trial < 20; ++trial) {
    Atoms atoms = random_atoms(400, 20 + static_cast<unsigned>(trial));
    ClusterPairs<float> lists(Executor::host(1), tilted, 1.8, 0.6);
    lists.rebuild(atoms.view(400));
    const Pairs pairs_before = listed_pairs(lists, atoms);
    const Box box =
        tilted.stretched({1 + 0.2 * uniform(), 1 + 0.2 * uniform(), 1 + 0.2 * uniform()});
    lists.set_box(box);
    for (auto& p : atoms.positions)
      for (std::size_t a = 0; a < 3; ++a)
        p.x[a] += static_cast<std::uint64_t>(
            static_cast<std::int64_t>(0.15 * uniform() / tilted.lengths()[a] * 0x1p64));
    if (!lists.load_locals({atoms.positions.data(), 400})) continue;
    for (std::size_t i = 0; i < 400; ++i)
      for (std::size_t j = i + 1; j < 400; ++j)
        if (distance(box, atoms.positions[i], atoms.positions[j]) < 1.8)
          REQUIRE(pairs_before.count(std::minmax(atoms.ids[i], atoms.ids[j])) == 1);
  }
}
