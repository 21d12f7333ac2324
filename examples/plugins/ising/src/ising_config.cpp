#include "ising_config.hpp"

#include <array>
#include <string_view>

namespace ising {
namespace {

void describe_ising(gsim::Section& s, IsingConfig& c) {
  s.required("sites", c.size,
             {.doc = "number of sites of the periodic lattice along x, y (and z): a multiple of "
                     "128 along x, even along the others",
              .minimum = 2,
              .min_size = 2,
              .max_size = 3});
  s.required("temperature", c.temperature,
             {.doc = "temperature k T / J", .minimum = 0, .exclusive_minimum = true});
  s.required("sweeps", c.sweeps,
             {.doc = "number of sweeps, each an update of every spin",
              .minimum = 1,
              .is_run_length = true});
  s.optional("discard", c.discard,
             {.doc = "number of initial sweeps that are not measured", .minimum = 0});
  s.optional("measure_every", c.measure_every,
             {.doc = "sweeps between measurements", .minimum = 1});
  constexpr std::array<std::string_view, 2> starts{"up", "random"};
  s.optional("start", c.start, starts, {.doc = "initial spins: all up, or random"});
}

void validate_ising(const gsim::Section& s, IsingConfig& c) {
  const std::vector<Index>& n = c.size;
  c.dimensions = static_cast<int>(n.size());
  for (std::size_t a = 0; a < 3; ++a) c.sites[a] = a < n.size() ? n[a] : 1;
  if (n[0] % 128 != 0)
    s.fail("sites",
           "the number of sites along x must be a multiple of 128: a word holds 64 sites of one "
           "colour of the checkerboard",
           "use a multiple of 128 along x");
  for (std::size_t a = 1; a < n.size(); ++a)
    if (n[a] % 2 != 0)
      s.fail("sites", "a periodic checkerboard has an even number of sites along each axis",
             "use an even number");
  if (c.discard >= c.sweeps)
    s.fail("discard", "all sweeps are discarded: nothing is measured",
           "discard fewer sweeps, or run more");
}

}  // namespace

void IsingConfig::describe(gsim::Section& top) {
  top.required_table("ising",
                     gsim::validated([this](gsim::Section& s) { describe_ising(s, *this); },
                                     [this](const gsim::Section& s) { validate_ising(s, *this); }),
                     "spins of +1 and -1 with the energy -J sum over neighbours of s_i s_j");
  pictures.describe(top, "pictures of the spins during the run", "sweeps");
}

}  // namespace ising
