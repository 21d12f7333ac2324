#include "gsim/random/normal.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/uniform.hpp"
#include "lanes.hpp"

GSIM_TARGET_BEGIN

/// Fills the rows of a group of consecutive entities, one in each lane of L.
template <class L>
struct FillLanes {
  LanesArgs a;

  template <class R>
  GSIM_HD void put(View<scalar_of<R>> table, Index column, Index row, R value) const {
    store(table.data + column * a.count + row, value);
  }

  GSIM_HD void operator()(Index group) const {
    const Index row = group * lanes_of<L>;
    const std::uint64_t first = a.first + static_cast<std::uint64_t>(row);
    // Step and block that fill their fields, so that every counter word is exercised.
    const std::uint64_t step = 0xfedcba9876u;
    const std::uint64_t position = step << 24 | 0x123456u;
    const auto w = philox_consecutive<L>(a.key, first, step, 0x123456u);
    put(a.words, word0, row, low_word(w.x0));
    put(a.words, word1, row, low_word(w.x1));
    put(a.words, word2, row, low_word(w.x2));
    put(a.words, word3, row, low_word(w.x3));
    // The same words by the function for arbitrary entities.
    const L entity = L(first) + lane_index<L>();
    const auto g =
        philox4x32_10(PhiloxWords<L>{L(position), L(position >> 32), entity, entity >> 32}, a.key);
    put(a.words, any_entity_word0, row, low_word(g.x0));
    put(a.words, any_entity_word1, row, low_word(g.x1));
    put(a.words, any_entity_word2, row, low_word(g.x2));
    put(a.words, any_entity_word3, row, low_word(g.x3));

    const auto d = uniforms<double>(w);
    for (int i = 0; i < 2; ++i) put(a.doubles, uniform_double0 + i, row, d[i]);
    const auto f = uniforms<float>(w);
    for (int i = 0; i < 4; ++i) put(a.floats, uniform_float0 + i, row, f[i]);

    using Word = rebind<L, std::uint32_t>;
    const Word x = sobol_lanes<Word>(a.directions.data) ^
                   Word(sobol_reversed(static_cast<std::uint32_t>(first), a.directions.data));
    const ScrambleSeed seed = scramble_seed(a.key, 3, 5);  // of replicate 3, dimension 5
    put(a.doubles, sobol_double, row, scrambled_unit<double>(x, seed));
    put(a.floats, sobol_float, row, scrambled_unit<float>(x, seed));

    const auto z = normals<double, Strict>(w);
    for (int i = 0; i < 4; ++i) put(a.doubles, normal_double0 + i, row, z[i]);
    const auto y = normals<float, Strict>(w);
    for (int i = 0; i < 4; ++i) put(a.floats, normal_float0 + i, row, y[i]);
    put(a.doubles, sobol_normal_double, row, scrambled_normal<double, Strict>(x, seed));
    put(a.floats, sobol_normal_float, row, scrambled_normal<float, Strict>(x, seed));
  }
};

template <class L>
void fill_lanes(const Executor& executor, const LanesArgs& args) {
  launch(executor, "random_lanes", args.count / lanes_of<L>, FillLanes<L>{args});
}

GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(random_lanes, LanesArgs) {
  using namespace gsim;
#if !defined(__CUDACC__)
  if (args.width == 4) return fill_lanes<Pack<std::uint64_t, 4>>(executor, args);
#endif
#if defined(GSIM_AVX2)
  if (args.width == 8) return fill_lanes<Pack<std::uint64_t, 8>>(executor, args);
  if (args.width == 16) return fill_lanes<Pack<std::uint64_t, 16>>(executor, args);
#endif
  fill_lanes<std::uint64_t>(executor, args);
}
