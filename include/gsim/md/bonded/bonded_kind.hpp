#pragma once
// A plugin's bond (md/bonded/bond_style.hpp) or angle (md/bonded/angle_style.hpp) as set-up code and registries see
// it:
//
//   GSIM_DECLARE_BONDED(my_word)
//   … registry.extend(GSIM_BOND(my_word, MyBond)) …      or GSIM_ANGLE
//
// Configurations choose it as the kind of [[bonded.bonds]] or [[bonded.angles]].

#include <cstdint>
#include <span>
#include <string_view>

#include "gsim/md/bonded/angle_style.hpp"
#include "gsim/md/bonded/bond_style.hpp"

namespace gsim::md {

/// What bonds and angles have in common.
struct BondedKind {
  std::string_view name, doc;
  std::span<const PotentialParameter> parameters;
  int size = 0;  ///< numbers that the functions read
  void (*coefficients)(const double* p, double* c) = nullptr;
  /// In double, for set-up code and tests: of the distance, or of the cosine.
  md_kernels::LawTerms<double> (*terms)(double x, const double* c) = nullptr;
  void (*launch)(const Executor&, const BondedJob&) = nullptr;
  /// Whether an interaction is out of range, for messages.
  bool (*is_fault)(const BondedJob& job, const std::int32_t* rows, std::int32_t type) = nullptr;
  /// A whole configuration of module md with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const {
    const bool is_whole =
        coefficients != nullptr && terms != nullptr && launch != nullptr && is_fault != nullptr;
    return is_whole ? nullptr : "what GSIM_BOND or GSIM_ANGLE makes";
  }
};

struct BondKind : BondedKind {
  static constexpr char extends[] = "bond", module[] = "md";  // Registry::extend
  double (*longest)(const double* p) = nullptr;

  const char* missing() const {
    return longest != nullptr ? BondedKind::missing() : "what GSIM_BOND makes";
  }
};
struct AngleKind : BondedKind {
  static constexpr char extends[] = "angle", module[] = "md";
};

/// All but the launcher.
template <class P>
BondKind bond_kind_of() {
  BondKind kind;
  static_cast<BondedKind&>(kind) = {P::name, P::doc, P::parameters, P::size, P::coefficients};
  kind.terms = [](double r, const double* c) { return P::bond(r, c); };
  kind.is_fault = [](const BondedJob& job, const std::int32_t* rows, std::int32_t type) -> bool {
    using Law = md_kernels::Bond<md_kernels::OpenBond<P>>;
    return Law::template evaluate<false, double>(job, rows, type).is_fault;
  };
  kind.longest = P::longest;
  return kind;
}
template <class P>
AngleKind angle_kind_of() {
  AngleKind kind;
  static_cast<BondedKind&>(kind) = {P::name, P::doc, P::parameters, P::size, P::coefficients};
  kind.terms = [](double cosine, const double* c) { return P::angle(cosine, c); };
  kind.is_fault = [](const BondedJob& job, const std::int32_t* rows, std::int32_t type) -> bool {
    using Law = md_kernels::Angle<md_kernels::OpenAngle<P>>;
    return Law::template evaluate<false, double>(job, rows, type).is_fault;
  };
  return kind;
}

}  // namespace gsim::md

#define GSIM_BONDED_(make, name, Struct)                                               \
  [] {                                                                                 \
    auto kind = gsim::md::make<gsim::md_kernels::Struct>();                            \
    kind.launch = [](const gsim::Executor& executor, const gsim::md::BondedJob& job) { \
      gsim::bonded_##name(executor, job);                                              \
    };                                                                                 \
    return kind;                                                                       \
  }()
/// The BondKind, or AngleKind, of the struct md_kernels::Struct with the launcher of that name.
#define GSIM_BOND(name, Struct) GSIM_BONDED_(bond_kind_of, name, Struct)
#define GSIM_ANGLE(name, Struct) GSIM_BONDED_(angle_kind_of, name, Struct)
