// Compares scan (decoupled look-back), sort and reduction of Thrust with those of the host.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

int main() {
  std::vector<unsigned> values(30000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<unsigned>(i * 2654435761u) >> 8;  // multiplicative hash (Knuth)
  thrust::device_vector<unsigned> a(values.begin(), values.end()), b(values.size());
  thrust::exclusive_scan(a.begin(), a.end(), b.begin());
  std::vector<unsigned> sums(values.size()), result(values.size());
  std::exclusive_scan(values.begin(), values.end(), sums.begin(), 0u);
  thrust::copy(b.begin(), b.end(), result.begin());
  int mismatches = result != sums;
  thrust::sort(a.begin(), a.end());
  std::sort(values.begin(), values.end());
  thrust::copy(a.begin(), a.end(), result.begin());
  mismatches += result != values;
  mismatches +=
      thrust::reduce(a.begin(), a.end()) != std::accumulate(values.begin(), values.end(), 0u);
  std::printf("%d mismatches\n", mismatches);
  return mismatches == 0 ? 0 : 1;
}
