#include "src/modules/md/pair_potentials/coulomb_config.hpp"

#include <fmt/format.h>

namespace gsim::md {
namespace {

void describe_damped(Section& s, CoulombConfig& c) {
  s.required("alpha", c.alpha,
             {.doc = "damping parameter: charges are screened by erfc(alpha r)",
              .unit = "1/length",
              .minimum = 0});
}

void describe_medium(Section& s, CoulombConfig& c) {
  s.optional("medium", c.medium,
             {.doc = "relative permittivity beyond the cutoff; inf: a conductor",
              .minimum = 1,
              .allow_infinity = true});
}

void describe_pairs_of_charges(Section& s, CoulombConfig& c) {
  s.required("cutoff", c.cutoff,
             {.doc = "cutoff radius of pairs; ewald: the sum over k-vectors contains the rest",
              .unit = "length",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("closest", c.closest,
             {.doc = "distance below which two charges count as overlapping, which ends the run; "
                     "determines the range of the fixed-point forces (0: cutoff / 20)",
              .unit = "length",
              .minimum = 0});
  s.optional(
      "permittivity", c.permittivity,
      {.doc = "relative permittivity of a uniform background, a divisor of all Coulomb energies",
       .minimum = 0,
       .exclusive_minimum = true});
}

void validate_pairs_of_charges(const Section& s, const CoulombConfig& c) {
  if (c.closest >= c.cutoff)
    s.fail("closest", fmt::format("closest {} is not below the cutoff {}", c.closest, c.cutoff),
           "give a distance that charges do not reach");
}

}  // namespace

void describe_coulomb(Section& s, CoulombConfig& c) {
  // The keys of a method, and those that all methods but "none" have.
  const auto with_pairs = [&c](void (*describe)(Section&, CoulombConfig&),
                               void (*validate)(const Section&, const CoulombConfig&) = nullptr) {
    return validated(
        [&c, describe](Section& a) {
          describe(a, c);
          describe_pairs_of_charges(a, c);
        },
        [&c, validate](const Section& a) {
          if (validate != nullptr) validate(a, c);
          validate_pairs_of_charges(a, c);
        });
  };
  const int method = s.alternatives(
      "method",
      {{"ewald",
        "all periodic images: pairs within the cutoff, and a sum over k-vectors for the rest "
        "(Ewald 1921), "
        "with conducting boundary conditions",
        with_pairs([](Section& a, CoulombConfig& o) { describe_ewald(a, o.ewald); },
                   [](const Section& a, const CoulombConfig& o) { validate_ewald(a, o.ewald); })},
       {"reaction_field",
        "pairs within the cutoff, and the field of a medium beyond it (Barker and Watts 1973)",
        with_pairs(describe_medium)},
       {"damped_shifted_force",
        "screened pairs whose force is shifted to zero at the cutoff (Fennell and Gezelter 2006)",
        with_pairs(describe_damped)},
       {"cut", "pairs within the cutoff only", with_pairs([](Section&, CoulombConfig&) {})},
       {"none", "charges do not interact", [](Section&) {}}},
      -1, {.doc = "method for the electrostatic interactions"});
  c.method = static_cast<CoulombMethod>(method);
  c.where = s.location("method");
  c.cutoff_at = s.location("cutoff");
}

}  // namespace gsim::md
