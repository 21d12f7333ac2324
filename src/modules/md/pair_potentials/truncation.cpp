#include "src/modules/md/pair_potentials/truncation.hpp"

#include <fmt/format.h>

namespace gsim::md {

void describe_truncation(Section& s, double default_cutoff, PairPotential& p) {
  static constexpr std::string_view words[] = {"cut", "shift", "force_shift", "xplor"};
  p.cutoff = default_cutoff;
  s.optional("cutoff", p.cutoff,
             {.doc = "cutoff radius (default: that of [pair])",
              .unit = "length",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("smoothing", p.smoothing, words,
             {.doc = "truncation at the cutoff: cut: none; shift: the energy is shifted to zero; "
                     "force_shift: the force, too; xplor: between inner and cutoff the potential "
                     "is multiplied by a function that decreases smoothly from 1 to 0"});
  s.optional("inner", p.inner,
             {.doc = "inner radius of xplor, below the cutoff", .unit = "length", .minimum = 0});
  describe_closest(s, p);
}

void validate_truncation(const Section& s, const PairPotential& p) {
  if (!(p.cutoff > 0))
    s.fail("kind", "the potential has no cutoff",
           "set cutoff = … here, or for all potentials in [pair]");
  validate_closest(s, p);
  const bool is_xplor = p.smoothing == Smoothing::xplor;
  if (is_xplor && !(p.inner > 0 && p.inner < p.cutoff))
    s.fail(s.has("inner") ? "inner" : "smoothing",
           fmt::format("smoothing = \"xplor\" needs an inner radius between 0 and the cutoff {}",
                       p.cutoff),
           fmt::format("set inner = {:.4g}, for example", 0.9 * p.cutoff));
  if (!is_xplor && p.inner > 0)
    s.fail("inner", "only smoothing = \"xplor\" has an inner radius",
           "set smoothing = \"xplor\", or leave inner out");
}

void describe_closest(Section& s, PairPotential& p) {
  s.optional(
      "closest", p.closest,
      {.doc = "distance below which two atoms count as overlapping, which ends the run; "
              "determines the range of the fixed-point forces (0: the default of the kind of "
              "potential, where the energy is some hundred times the usual one)",
       .unit = "length",
       .minimum = 0});
}

void validate_closest(const Section& s, const PairPotential& p) {
  if (p.closest >= p.cutoff)
    s.fail("closest", fmt::format("closest {} is not below the cutoff {}", p.closest, p.cutoff));
}

}  // namespace gsim::md
