// A program that embeds gsim and uses only its installed files: sums over four in-process ranks.
#include <cstdio>

#include <gsim/comm/communicator.hpp>
#include <gsim/core/types.hpp>

int main() {
  std::int64_t sum = 0;
  gsim::run_in_process(4, [&](gsim::Communicator ranks) {
    const auto mine = gsim::partition({0, 100}, ranks.size(), ranks.rank());
    std::int64_t local = 0;
    for (gsim::Index i = mine.first; i < mine.last; ++i) local += i;
    const std::int64_t total = ranks.sum(local);
    if (ranks.is_root()) sum = total;
  });
  std::printf("%lld\n", static_cast<long long>(sum));
  return sum == 4950 ? 0 : 1;
}
