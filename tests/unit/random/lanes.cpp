#include "lanes.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "gsim/exec/array.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/sobol_directions.hpp"
#include "gsim/random/uniform.hpp"

using namespace gsim;

namespace {

struct Tables {
  std::vector<std::uint32_t> words;
  std::vector<double> doubles;
  std::vector<float> floats;
  friend bool operator==(const Tables&, const Tables&) = default;
};

Tables fill(const Executor& executor, int width, std::uint64_t first, Index count) {
  const SobolDirections directions(8);
  const std::vector<std::uint32_t> all = directions.reversed();
  const Array<std::uint32_t> table(executor, std::span(&all[7 * sobol_bits], sobol_bits));
  Array<std::uint32_t> words(executor, lanes_words * count);
  Array<double> doubles(executor, lanes_doubles * count);
  Array<float> floats(executor, lanes_floats * count);
  LanesArgs args{stream_key({12, Purpose::test}),
                 first,
                 count,
                 width,
                 table.view(),
                 words.view(),
                 doubles.view(),
                 floats.view()};
  random_lanes(executor, args);
  return {words.to_host(), doubles.to_host(), floats.to_host()};
}

std::vector<Executor> machines() {
  std::vector<Executor> all;
  for (Target t : available_cpu_targets()) all.push_back(Executor::host(1, t));
  if (!cuda_devices().empty()) all.push_back(Executor::cuda(0));
  return all;
}

}  // namespace

TEST_CASE("every machine and pack width makes the same bits") {
  for (std::uint64_t first :
       {std::uint64_t{0}, (std::uint64_t{1} << 32) - 64, ~std::uint64_t{0} - 127}) {
    constexpr Index count = 128;
    const Tables reference = fill(Executor::host(1, Target::base), 1, first, count);
    for (const Executor& machine : machines())
      for (int width : {1, 4, 8, 16}) {
        CAPTURE(to_string(machine.target()));
        CAPTURE(width);
        CAPTURE(first);
        CHECK(fill(machine, width, first, count) == reference);
      }
    // The reference is the plain scalar code of this file's target.
    const PhiloxKey key = stream_key({12, Purpose::test});
    for (Index i = 0; i < count; ++i) {
      const auto w = philox_block(key, first + static_cast<std::uint64_t>(i),
                                  std::uint64_t{0xfedcba9876u}, 0x123456u);
      const std::uint64_t x[4] = {w.x0, w.x1, w.x2, w.x3};
      for (Index c = 0; c < lanes_words; ++c)
        REQUIRE(reference.words[c * count + i] == static_cast<std::uint32_t>(x[c % 4]));
      REQUIRE(reference.doubles[count + i] == uniforms<double>(w)[1]);
      REQUIRE(reference.floats[3 * count + i] == uniforms<float>(w)[3]);
    }
  }
}
