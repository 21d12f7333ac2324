#include "src/modules/md/pair_potentials/truncation.hpp"

#include <fmt/format.h>

namespace gsim::md {

void describe_truncation(Section& s, double default_cutoff, PairPotential& p) {
  static constexpr std::string_view words[] = {"cut", "shift", "force_shift", "xplor"};
  p.cutoff = default_cutoff;
  s.optional("cutoff", p.cutoff,
             {.doc = "beyond it there is no force (left out: [pair] cutoff)",
              .unit = "length",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("smoothing", p.smoothing, words,
             {.doc = "smoothing at the cutoff: cut: none; shift: energies are shifted to zero "
                     "there; force_shift: forces, too; xplor: between inner and cutoff it is "
                     "multiplied by a function that falls smoothly from 1 to 0"});
  s.optional("inner", p.inner,
             {.doc = "where xplor begins, below the cutoff", .unit = "length", .minimum = 0});
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
  s.optional("closest", p.closest,
             {.doc = "atoms nearer to each other than this are an overlap that stops the run; "
                     "sets the range that forces are summed in (0: by the kind, where energies "
                     "are some hundred times the usual ones)",
              .unit = "length",
              .minimum = 0});
}

void validate_closest(const Section& s, const PairPotential& p) {
  if (p.closest >= p.cutoff)
    s.fail("closest", fmt::format("closest {} is not below the cutoff {}", p.closest, p.cutoff));
}

}  // namespace gsim::md
