#include "lanes.hpp"

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/digest.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/sobol_directions.hpp"
#include "gsim/random/uniform.hpp"

using namespace gsim;

namespace {

constexpr Index count = 128;
/// The first of `count` entities: the lowest numbers, those around a change of the high word, and
/// the highest numbers.
const std::uint64_t first_entities[] = {0, (std::uint64_t{1} << 32) - 64, ~std::uint64_t{0} - 127};

struct Tables {
  std::vector<std::uint32_t> words;
  std::vector<double> doubles;
  std::vector<float> floats;
  friend bool operator==(const Tables&, const Tables&) = default;
};

Tables random_tables(const Executor& executor, int width, std::uint64_t first) {
  // The Sobol numbers are those of dimension 7, the last of 8.
  const std::vector<std::uint32_t> directions = SobolDirections(8).reversed();
  const Array<std::uint32_t> device_directions(executor,
                                               std::span(&directions[7 * sobol_bits], sobol_bits));
  Array<std::uint32_t> words(executor, words_end * count);
  Array<double> doubles(executor, doubles_end * count);
  Array<float> floats(executor, floats_end * count);
  LanesArgs args{stream_key({12, Purpose::test}), first,        count,          width,
                 device_directions.view(),        words.view(), doubles.view(), floats.view()};
  random_lanes(executor, args);
  return {words.to_host(), doubles.to_host(), floats.to_host()};
}

std::vector<Executor> executors() {
  std::vector<Executor> all;
  for (Target t : processor_cpu_targets()) all.push_back(Executor::host(1, t));
  if (!cuda_devices().empty()) all.push_back(Executor::cuda(0));
  return all;
}

/// Digests of ranges of columns over all `first_entities`, by name.
std::map<std::string, std::string> digests() {
  std::map<std::string, Digest> digest;
  const auto add = [&](const char* name, const auto& table, Index begin, Index end) {
    digest[name].add(std::span(table).subspan(begin * count, (end - begin) * count));
  };
  for (std::uint64_t first : first_entities) {
    const Tables t = random_tables(Executor::host(1, Target::base), 1, first);
    add("philox_words", t.words, word0, any_entity_word0);
    add("uniform_double", t.doubles, uniform_double0, sobol_double);
    add("uniform_float", t.floats, uniform_float0, sobol_float);
    add("sobol_double", t.doubles, sobol_double, normal_double0);
    add("sobol_float", t.floats, sobol_float, normal_float0);
    add("normal_double", t.doubles, normal_double0, sobol_normal_double);
    add("normal_float", t.floats, normal_float0, sobol_normal_float);
    add("sobol_normal_double", t.doubles, sobol_normal_double, doubles_end);
    add("sobol_normal_float", t.floats, sobol_normal_float, floats_end);
  }
  std::map<std::string, std::string> text;
  for (const auto& [name, d] : digest) text[name] = hex(d.value());
  return text;
}

}  // namespace

TEST_CASE(
    "random kernels: numbers have the same bits on every CPU level, on CUDA and at every pack "
    "width") {
  for (std::uint64_t first : first_entities) {
    const Tables reference = random_tables(Executor::host(1, Target::base), 1, first);
    for (const Executor& executor : executors())
      for (int width : {1, 4, 8, 16}) {
        CAPTURE(to_string(executor.target()));
        CAPTURE(width);
        CAPTURE(first);
        CHECK(random_tables(executor, width, first) == reference);
      }
    // The reference equals the scalar code that is compiled in this file.
    const PhiloxKey key = stream_key({12, Purpose::test});
    for (Index i = 0; i < count; ++i) {
      // Step and block of lanes.cu.
      const auto w = philox_block(key, first + static_cast<std::uint64_t>(i),
                                  std::uint64_t{0xfedcba9876u}, 0x123456u);
      const std::uint64_t x[4] = {w.x0, w.x1, w.x2, w.x3};
      for (Index c = 0; c < words_end; ++c)
        REQUIRE(reference.words[c * count + i] == static_cast<std::uint32_t>(x[c % 4]));
      REQUIRE(reference.doubles[uniform_double1 * count + i] == uniforms<double>(w)[1]);
      REQUIRE(reference.floats[uniform_float3 * count + i] == uniforms<float>(w)[3]);
      REQUIRE(reference.doubles[normal_double3 * count + i] == normals<double, Strict>(w)[3]);
      REQUIRE(reference.floats[normal_float2 * count + i] == normals<float, Strict>(w)[2]);
    }
  }
}

TEST_CASE("random kernels: numbers have the stored digests") {
  std::ifstream file(GSIM_RANDOM_DIGESTS);
  REQUIRE(file);
  std::map<std::string, std::string> stored;
  for (std::string name, digest; file >> name >> digest;) stored[name] = digest;
  const auto computed = digests();
  for (const auto& entry : computed) {
    const std::string name = entry.first;
    CAPTURE(name);
    CHECK(stored[name] == entry.second);
  }
  CHECK(stored.size() == computed.size());
}
