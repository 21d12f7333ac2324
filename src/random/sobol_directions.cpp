#include "gsim/random/sobol_directions.hpp"

#include <charconv>
#include <string>

#include "gsim/core/error.hpp"

// The published table of Joe and Kuo (2008), included into read-only data by the assembler, so that
// the installed library needs no data path.
asm(".pushsection .rodata\n"
    ".hidden gsim_joe_kuo_begin\n"
    ".hidden gsim_joe_kuo_end\n"
    ".globl gsim_joe_kuo_begin\n"
    ".globl gsim_joe_kuo_end\n"
    "gsim_joe_kuo_begin:\n"
    ".incbin \"" GSIM_JOE_KUO_FILE
    "\"\n"
    "gsim_joe_kuo_end:\n"
    ".popsection\n");
extern "C" {
__attribute__((visibility("hidden"))) extern const char gsim_joe_kuo_begin[];
__attribute__((visibility("hidden"))) extern const char gsim_joe_kuo_end[];
}

namespace gsim {
namespace {

/// Reads the unsigned integers of the table one after the other.
class TableReader {
 public:
  TableReader() {
    while (*at_ != '\n') ++at_;  // skip the line of column names
  }
  std::uint32_t next() {
    while (at_ != gsim_joe_kuo_end && (*at_ == ' ' || *at_ == '\n')) ++at_;
    std::uint32_t value = 0;
    const auto result = std::from_chars(at_, gsim_joe_kuo_end, value);
    if (result.ec != std::errc()) throw Error("the built-in Sobol table is damaged; rebuild gsim");
    at_ = result.ptr;
    return value;
  }

 private:
  const char* at_ = gsim_joe_kuo_begin;
};

/// Fills v[0 … 31] from the polynomial x^s + a_1 x^(s-1) + … + a_(s-1) x + 1, whose inner
/// coefficients are the bits of `a`, and m_1 … m_s already stored as v_i = m_i 2^(32-i); the
/// recurrence is Joe and Kuo (2008), eq. 3.
void extend(std::uint32_t* v, std::uint32_t s, std::uint32_t a) {
  for (std::uint32_t i = s; i < sobol_bits; ++i) {
    v[i] = v[i - s] ^ (v[i - s] >> s);
    for (std::uint32_t k = 1; k < s; ++k)
      if (a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
  }
}

std::uint32_t reverse_bits(std::uint32_t x) {
  std::uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
  return r;
}

}  // namespace

SobolDirections::SobolDirections(Index dimensions) : dimensions_(dimensions) {
  GSIM_VALIDATE(dimensions >= 0 && dimensions <= sobol_max_dimensions,
                "Sobol points of " + std::to_string(dimensions) +
                    " dimensions are requested, and the table of Joe and Kuo has " +
                    std::to_string(sobol_max_dimensions),
                "use fewer assets or time steps, or pseudo-random sampling");
  numbers_.resize(static_cast<std::size_t>(dimensions * sobol_bits));
  if (dimensions == 0) return;
  for (int i = 0; i < sobol_bits; ++i) numbers_[i] = std::uint32_t{1} << (31 - i);
  TableReader table;
  for (Index d = 1; d < dimensions; ++d) {
    std::uint32_t* v = numbers_.data() + d * sobol_bits;
    const std::uint32_t row = table.next(), s = table.next(), a = table.next();
    if (row != d + 1 || s == 0 || s > sobol_bits)
      throw Error("the built-in Sobol table is damaged; rebuild gsim");
    for (std::uint32_t i = 0; i < s; ++i) v[i] = table.next() << (31 - i);
    extend(v, s, a);
  }
}

std::vector<std::uint32_t> SobolDirections::reversed() const {
  std::vector<std::uint32_t> r(numbers_.size());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = reverse_bits(numbers_[i]);
  return r;
}

std::vector<std::uint32_t> SobolDirections::reversed_steps() const {
  std::vector<std::uint32_t> steps(numbers_.size());
  for (Index d = 0; d < dimensions_; ++d) {
    std::uint32_t prefix_xor = 0;
    for (int t = 0; t < sobol_bits; ++t) {
      prefix_xor ^= reverse_bits(dimension(d)[t]);
      steps[static_cast<std::size_t>(t * dimensions_ + d)] = prefix_xor;
    }
  }
  return steps;
}

}  // namespace gsim
