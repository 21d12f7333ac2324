// The fission bank on hosts and devices, compared with loops: order of sites, selection by a comb,
// and counts in the boxes of a mesh.

#include "kernels/transport/eigenvalue/fission_bank.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/exec/array.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/transport/eigenvalue/entropy.hpp"
#include "src/modules/transport/tracking/site_order.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// Numbers of sites: none, one, odd ones, and more than a block of 256 threads.
constexpr Index sizes[] = {0, 1, 2, 33, 255, 257, 1000, 4321};

std::vector<Executor> executors() {
  std::vector<Executor> all{Executor::host(1), Executor::host(3)};
  for (const CudaDevice& device : cuda_devices()) all.push_back(Executor::cuda(device.ordinal, 1));
  return all;
}

/// Sites of the given number of parents from `first_parent` on, in an order that depends on `seed`.
/// Many of them differ in positions or groups only, and some are identical.
std::vector<FissionSite> sites_of(Index count, std::int64_t first_parent, Index parents,
                                  std::uint64_t seed) {
  std::vector<FissionSite> sites;
  for (Index i = 0; i < count; ++i) {
    const std::uint64_t word = mix64(static_cast<std::uint64_t>(i) + 1);
    FissionSite site;
    site.parent = first_parent + static_cast<std::int64_t>(word % static_cast<unsigned>(parents));
    site.branch = word >> 20 & 1;
    site.birth = static_cast<std::int32_t>(word >> 24 & 1);
    site.group = static_cast<std::int16_t>(word >> 28 & 1);
    site.delayed_group = static_cast<std::int16_t>(static_cast<int>(word >> 30 & 1) - 1);
    const double signs[] = {-1.0, -0.0, 0.0, 2.5};
    site.position = {signs[word >> 32 & 3], signs[word >> 36 & 3], signs[word >> 40 & 3]};
    sites.push_back(site);
  }
  for (std::size_t n = sites.size(); n > 1; --n)
    std::swap(sites[n - 1], sites[mix64(seed + n) % n]);
  return sites;
}

bool are_identical(const std::vector<FissionSite>& a, const std::vector<FissionSite>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(FissionSite)) == 0);
}

/// All sites in their order, copied to the host.
std::vector<FissionSite> in_order(const Executor& executor, const OrderedSites& sites) {
  Array<FissionSite> copied(executor, sites.sites.size);
  SelectSitesArgs args;
  args.from = sites;
  args.comb = {sites.sites.size, sites.sites.size, 0};  // a tooth for each site
  args.to = copied.view();
  transport_select_sites(executor, args);
  return copied.to_host();
}

}  // namespace

TEST_CASE("fission bank: sites are ordered by all of their members, whatever their order before") {
  for (const Executor& executor : executors()) {
    CAPTURE(executor.describe());
    SiteOrder order(executor);
    for (const Index size : sizes)
      for (const Index parents : {size / 50 + 1, 2 * size + 1}) {
        CAPTURE(size);
        CAPTURE(parents);
        const std::int64_t first_parent = 1000;
        std::vector<FissionSite> expected = sites_of(size, first_parent, parents, /*seed=*/1);
        std::sort(expected.begin(), expected.end());
        for (const std::uint64_t seed : {2, 3}) {
          const std::vector<FissionSite> sites = sites_of(size, first_parent, parents, seed);
          const Array<FissionSite> array(executor, sites);
          const OrderedSites ordered =
              order.order(array.view(), {first_parent, first_parent + parents});
          CHECK(are_identical(in_order(executor, ordered), expected));
        }
      }
  }
}

TEST_CASE("fission bank: sites that compare equal are identical") {
  const std::vector<FissionSite> sites = sites_of(300, 0, 2, 1);
  int equal = 0;
  for (const FissionSite& a : sites)
    for (const FissionSite& b : sites) {
      CHECK_FALSE((a < b && b < a));
      if (a < b || b < a) continue;
      CHECK(std::memcmp(&a, &b, sizeof a) == 0);
      ++equal;
    }
  CHECK(equal > 300);  // sites are equal to themselves, and some to others
}

TEST_CASE("fission bank: a comb selects the same sites as a loop over its teeth") {
  for (const Executor& executor : executors()) {
    CAPTURE(executor.describe());
    for (const Index size : sizes) {
      if (size == 0) continue;
      const std::vector<FissionSite> sites = sites_of(size, 0, size, 4);
      std::vector<std::int32_t> reversed;
      for (Index i = size; i-- > 0;) reversed.push_back(static_cast<std::int32_t>(i));
      const Array<FissionSite> array(executor, sites);
      const Array<std::int32_t> order(executor, reversed);
      for (const bool is_reversed : {false, true})
        for (const Index teeth : {Index{0}, Index{1}, size / 3, 2 * size + 1}) {
          CAPTURE(size);
          CAPTURE(teeth);
          // This rank's sites are preceded by 700 sites of other ranks.
          SelectSitesArgs args;
          args.from = {array.view(), is_reversed ? order.view() : View<const std::int32_t>{}};
          args.first_site = 700;
          args.comb = {3 * teeth + 5, size + 900, 0x9e3779b9u};
          args.first_tooth = args.comb.first_tooth(args.first_site);
          const Index last = args.comb.first_tooth(args.first_site + size);
          Array<FissionSite> selected(executor, last - args.first_tooth);
          args.to = selected.view();
          transport_select_sites(executor, args);
          std::vector<FissionSite> expected;
          for (Index tooth = args.first_tooth; tooth < last; ++tooth) {
            const Index n = args.comb.site(tooth) - args.first_site;
            expected.push_back(sites[static_cast<std::size_t>(is_reversed ? size - 1 - n : n)]);
          }
          CHECK(are_identical(selected.to_host(), expected));
        }
    }
  }
}

TEST_CASE("fission bank: a comb of a million million sites is exact on every executor") {
  for (const Executor& executor : executors()) {
    CAPTURE(executor.describe());
    const Index first_site = 999999999990;
    const Comb comb{1000000000007, 1000000000000, 0xfedcba98u};
    const std::vector<FissionSite> sites = sites_of(10, 0, 10, 5);
    const Array<FissionSite> array(executor, sites);
    SelectSitesArgs args;
    args.from = {array.view(), {}};
    args.first_site = first_site;
    args.comb = comb;
    args.first_tooth = comb.first_tooth(first_site);
    Array<FissionSite> selected(executor, comb.teeth - args.first_tooth);
    args.to = selected.view();
    transport_select_sites(executor, args);
    std::vector<FissionSite> expected;
    for (Index tooth = args.first_tooth; tooth < comb.teeth; ++tooth)
      expected.push_back(sites[static_cast<std::size_t>(comb.site(tooth) - first_site)]);
    CHECK(are_identical(selected.to_host(), expected));
  }
}

TEST_CASE("fission bank: sites are counted in the same boxes on every executor") {
  const EntropyMesh mesh{{-2, -1, 0}, {3, 4, 0}, {7, 3, 1}};
  for (const Executor& executor : executors()) {
    CAPTURE(executor.describe());
    for (const Index size : sizes) {
      CAPTURE(size);
      std::vector<FissionSite> sites(static_cast<std::size_t>(size));
      std::vector<std::int64_t> expected(21);
      for (std::size_t i = 0; i < sites.size(); ++i) {
        // Multiples of 1/7 from -3 to 4, of which some are on planes of the mesh.
        const auto x = static_cast<double>(mix64(i) % 50) / 7.0 - 3.0;
        const auto y = static_cast<double>(mix64(i + 77) % 50) / 7.0 - 2.0;
        sites[i].position = {x, y, 1};
        const auto box = [](double fraction, double boxes) {
          return static_cast<std::size_t>(std::min(std::max(fraction * boxes, 0.0), boxes - 1.0));
        };
        ++expected[box((x + 2.0) / 5.0, 7) + 7 * box((y + 1.0) / 5.0, 3)];
      }
      const Array<FissionSite> array(executor, sites);
      CHECK(mesh.count(array.view(), executor) == expected);
    }
  }
}
