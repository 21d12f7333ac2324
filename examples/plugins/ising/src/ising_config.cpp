#include "ising_config.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace ising {
namespace {

void describe_table(gsim::Section& s, IsingConfig& c) {
  std::vector<Index> n{128, 128};
  s.required("sites", n,
             {.doc = "of the periodic lattice along x, y (and z): a multiple of 128 along x, even "
                     "along the others",
              .minimum = 2,
              .min_size = 2,
              .max_size = 3});
  s.required("temperature", c.temperature,
             {.doc = "k T / J", .minimum = 0, .exclusive_minimum = true});
  s.required("sweeps", c.sweeps,
             {.doc = "updates of every spin", .minimum = 1, .is_run_length = true});
  s.optional("discard", c.discard, {.doc = "first sweeps that are not measured", .minimum = 0});
  s.optional("measure_every", c.measure_every,
             {.doc = "sweeps between measurements", .minimum = 1});
  constexpr std::array<std::string_view, 2> starts{"up", "random"};
  s.optional("start", c.start, starts, {.doc = "all spins up, or each up or down by chance"});
  if (s.describing()) return;
  c.dimensions = static_cast<int>(n.size());
  for (std::size_t a = 0; a < 3; ++a) c.sites[a] = a < n.size() ? n[a] : 1;
  if (n[0] % 128 != 0)
    s.fail("sites", "64 sites of a colour share a word, so that a line is made of whole 128 sites",
           "take a multiple of 128 along x");
  for (std::size_t a = 1; a < n.size(); ++a)
    if (n[a] % 2 != 0)
      s.fail("sites", "a periodic checkerboard has an even number of sites along each axis",
             "take one more or one less");
  if (c.discard >= c.sweeps)
    s.fail("discard", "nothing is left to be measured", "discard fewer sweeps, or make more");
}

}  // namespace

void IsingConfig::describe(gsim::Section& top) {
  top.required_table(
      "ising", [this](gsim::Section& s) { describe_table(s, *this); },
      "spins of +1 and -1 with the energy -J sum over neighbours of s_i s_j");
  top.optional_table(
      "pictures",
      [this](gsim::Section& s) {
        picture_every = 1;
        s.optional("every", picture_every, {.doc = "sweeps from one to the next", .minimum = 1});
        s.optional("file", picture_file,
                   {.doc = "VTKHDF file for ParaView; default: OUTPUT.vtkhdf"});
      },
      "spins as the run goes on");
}

}  // namespace ising
