#pragma once
// Exact sums of real numbers over indices on an executor, without choosing a quantum
// (core/superaccumulator.hpp). For kernel sources only, like launch.hpp.

#include <cstdint>
#include <vector>

#include "gsim/core/superaccumulator.hpp"
#include "gsim/exec/block_reduce.hpp"
#include "gsim/exec/launch.hpp"

GSIM_TARGET_BEGIN

/// Accumulates the terms of K sums in one thread. Terms whose leading bits are in the same digit,
/// as is typical for neighbours in a field, are added in two registers; these are added to the
/// digits of the superaccumulator (one per thread on the host, one per thread block on a device)
/// when the digit changes.
template <int K>
class RealTerms {
 public:
  GSIM_HD explicit RealTerms(std::int64_t* digits) : digits_(digits) {}

  /// Adds x to sum k.
  GSIM_HD void add(int k, double x) {
    if (add_if_not_finite(k, x)) return;
    const RealParts p = parts_of(x);
    // Digits count multiples of 2^-2148, and p.position those of 2^-1074 (superaccumulator.hpp).
    const int bit = p.position + 1074;
    at(k, bit / 32).low += WideInteger{p.mantissa} * (WideInteger{1} << (bit % 32));  // < 2^84
  }
  /// Adds the exact square of x to sum k.
  GSIM_HD void add_square(int k, double x) { add_product(k, x, x); }
  /// Adds the exact product of a and b to sum k.
  GSIM_HD void add_product(int k, double a, double b) {
    if (!(is_finite(a) && is_finite(b))) {
      (void)add_if_not_finite(k, a * b);  // an infinity, or NaN for infinity times 0
      return;
    }
    const RealParts p = parts_of(a), q = parts_of(b);
    const int bit = p.position + q.position;
    const bool is_negative = (p.mantissa < 0) != (q.mantissa < 0);
    const auto of_p = static_cast<unsigned __int128>(p.mantissa < 0 ? -p.mantissa : p.mantissa);
    const auto of_q = static_cast<unsigned __int128>(q.mantissa < 0 ? -q.mantissa : q.mantissa);
    const unsigned __int128 product = of_p * of_q;  // < 2^106
    const auto low = static_cast<WideInteger>(static_cast<std::uint64_t>(product)) << (bit % 32);
    const auto high = static_cast<WideInteger>(product >> 64) << (bit % 32);
    Window& window = at(k, bit / 32);
    window.low += is_negative ? -low : low;
    window.high += is_negative ? -high : high;
  }

  /// Adds the contents of the registers to the digits.
  GSIM_HD void flush() {
    for (int k = 0; k < K; ++k) flush(k);
  }

 private:
  /// The sum low 2^(32 digit) + high 2^(32 digit + 64): room for 2^32 terms below 2^95.
  struct Window {
    WideInteger low = 0, high = 0;
    int digit = 0;
  };

  GSIM_HD static bool is_finite(double x) {
    return (__builtin_bit_cast(std::uint64_t, x) & 0x7ff0000000000000u) != 0x7ff0000000000000u;
  }
  /// Counts x in sum k if it is infinite or NaN; returns whether it is.
  GSIM_HD bool add_if_not_finite(int k, double x) {
    if (is_finite(x)) return false;
    add_part(k,
             x != x  ? Superaccumulator::nan_part
             : x > 0 ? Superaccumulator::plus_part
                     : Superaccumulator::minus_part,
             1);
    return true;
  }
  /// The registers of sum k, after those of another digit have been added to the digits.
  GSIM_HD Window& at(int k, int digit) {
    if (window_[k].digit != digit) {
      flush(k);
      window_[k].digit = digit;
    }
    return window_[k];
  }
  GSIM_HD void flush(int k) {
    Window& w = window_[k];
    spread(k, w.digit, w.low);
    spread(k, w.digit + 2, w.high);
    w.low = w.high = 0;
  }
  /// Adds quanta 2^(32 digit) to the digits of sum k.
  GSIM_HD void spread(int k, int digit, WideInteger quanta) {
    if (quanta == 0) return;
    for (int part = 0; part < 3; ++part)
      add_part(k, digit + part,
               static_cast<std::int64_t>(static_cast<std::uint32_t>(quanta >> (32 * part))));
    add_part(k, digit + 3, static_cast<std::int64_t>(quanta >> 96));
  }
  GSIM_HD void add_part(int k, int part, std::int64_t value) {
    std::int64_t* const to = digits_ + k * Superaccumulator::parts + part;
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
    *to += value;
#endif
  }

  std::int64_t* digits_;
  Window window_[K];
};

namespace real_detail {
/// Normalises the digits of K sums after many threads have added to them.
GSIM_HD void carry(std::int64_t* digits) {
  for (int k = 0; k + 1 < Superaccumulator::digits; ++k) {
    digits[k + 1] += digits[k] >> 32;
    digits[k] &= 0xffffffff;
  }
}
}  // namespace real_detail

#if defined(__CUDACC__)

/// Computes totals[0 … K * parts): the digits of the sums. Each block writes its digits to partial,
/// and the last block adds them; the sums of integers do not depend on the order.
template <int K, class Terms>
__global__ void real_reduce_blocks(Index count, const __grid_constant__ Terms terms,
                                   std::int64_t* partial, std::uint32_t* counter,
                                   std::int64_t* totals) {
  constexpr int parts = K * Superaccumulator::parts;
  __shared__ std::int64_t digits[parts];
  for (int k = static_cast<int>(threadIdx.x); k < parts; k += reduce_threads) digits[k] = 0;
  __syncthreads();
  {
    RealTerms<K> sum(digits);
    const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += stride)
      terms(i, sum);
    sum.flush();
  }
  __syncthreads();
  if (threadIdx.x < K) real_detail::carry(digits + threadIdx.x * Superaccumulator::parts);
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < parts; k += reduce_threads)
    partial[static_cast<Index>(blockIdx.x) * parts + k] = digits[k];
  if (!is_last_block(counter)) return;
  // All digits but the highest are below 2^32: there is room for those of 2^31 blocks.
  for (int k = static_cast<int>(threadIdx.x); k < parts; k += reduce_threads) {
    std::int64_t total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block)
      total += partial[static_cast<Index>(block) * parts + k];
    totals[k] = total;
  }
}

#endif

/// Adds to sums[0 … K) the terms that terms(i, RealTerms<K>&) adds for every i in [0, count);
/// synchronous. The result does not depend on the order of terms or on the distribution over
/// threads. An index may add up to 2^18 terms. `grain`: number of indices per work item of a host
/// thread.
template <int K, class Terms>
void real_reduce(const Executor& executor, [[maybe_unused]] const char* label, Index count,
                 const Terms& terms, Superaccumulator* sums, [[maybe_unused]] Index grain = 2048) {
  static_assert(std::is_trivially_copyable_v<Terms>);
  if (count <= 0) return;
  constexpr Index parts = K * Superaccumulator::parts;
#if defined(__CUDACC__)
  constexpr Index stride = parts;
  const Index blocks = reduce_grid(count, 512);
  const DeviceScratch scratch = device_scratch(
      executor, static_cast<std::size_t>((blocks + 1) * parts) * sizeof(std::int64_t));
  auto* const device = static_cast<std::int64_t*>(scratch.data);
  std::int64_t* const totals = device + blocks * parts;
  void* const stream = executor.stream();
  real_reduce_blocks<K>
      <<<static_cast<unsigned>(blocks), reduce_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          count, terms, device, scratch.counter, totals);
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
  std::vector<std::int64_t> partial(static_cast<std::size_t>(parts));
  executor.copy_to_host(partial.data(), totals, partial.size() * sizeof(std::int64_t));
#else
  // Each worker's sums are in cache lines of their own.
  constexpr Index stride = (parts + 31) / 16 * 16;
  std::vector<std::int64_t> partial(static_cast<std::size_t>(executor.threads() * stride));
  struct Context {
    const Terms* terms;
    Index count, grain;
    std::int64_t* partial;
  } context{&terms, count, grain, partial.data()};
  executor.pool().run((count + grain - 1) / grain,
                      [](void* c, Index chunk, int worker) {
                        const auto& work = *static_cast<const Context*>(c);
                        const Index first = chunk * work.grain;
                        const Index last =
                            first + work.grain < work.count ? first + work.grain : work.count;
                        std::int64_t* const digits = work.partial + worker * stride;
                        RealTerms<K> sum(digits);
                        for (Index i = first; i < last; ++i) (*work.terms)(i, sum);
                        sum.flush();
                        for (int k = 0; k < K; ++k)
                          real_detail::carry(digits + k * Superaccumulator::parts);
                      },
                      &context);
#endif
  for (std::size_t first = 0; first < partial.size(); first += static_cast<std::size_t>(stride))
    for (int k = 0; k < K; ++k)
      sums[k].add(Superaccumulator::from_parts(&partial[first] + k * Superaccumulator::parts));
}

GSIM_TARGET_END
