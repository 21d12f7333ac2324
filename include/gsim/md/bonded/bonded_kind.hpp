#pragma once
// The record of a bond style (bond_style.hpp) or an angle style (angle_style.hpp), by which it is
// registered:
//
//   GSIM_DECLARE_BOND(my_name)
//   … registry.extend(GSIM_BOND(my_name, MyBond)) …
//
// or GSIM_DECLARE_ANGLE and GSIM_ANGLE. Configurations name it as the kind of [[bonded.bonds]] or
// [[bonded.angles]]. The styles of gsim itself are registered in the same way, by the build.

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "gsim/md/bonded/angle_style.hpp"
#include "gsim/md/bonded/bond_style.hpp"

namespace gsim::md {

/// The members that bond and angle styles have in common.
struct BondedKind {
  std::string_view name, doc;
  std::span<const PotentialParameter> parameters;
  int size = 0;  ///< number of coefficients
  void (*coefficients)(const double* p, double* c) = nullptr;
  /// Energy and slope in double, for set-up code and tests; x is the distance, or the cosine.
  md_kernels::EnergyAndSlope<double> (*energy_and_slope)(double x, const double* c) = nullptr;
  void (*launch)(const Executor&, const BondedJob&) = nullptr;
  /// Whether an interaction is out of range, for messages.
  bool (*is_fault)(const BondedJob& job, const std::int32_t* rows, std::int32_t type) = nullptr;
  /// A complete configuration of module md with such an interaction that runs within seconds.
  std::string_view example = {};
  /// Checks values of the parameters that are each within their range: returns a message if they
  /// are invalid together or with `longest` (max_length of a bond, 0 for an angle), else null. The
  /// function may be omitted (null).
  const char* (*problem)(const double* p, double longest) = nullptr;
  /// The largest magnitudes of the energy and of its derivative by the distance, or by the angle.
  /// If the function is omitted (null), they are found by a search.
  md_kernels::EnergyAndSlope<double> (*largest)(const double* p, double longest) = nullptr;
  /// The name of the style in LAMMPS data files, whose coefficients are `parameters`; empty: none.
  std::string_view lammps_style = {};

  /// Null if all required members are set; otherwise what the style has to be registered with, for
  /// messages (Registry::Extension).
  const char* missing() const {
    const bool is_complete = coefficients != nullptr && energy_and_slope != nullptr &&
                             launch != nullptr && is_fault != nullptr;
    return is_complete ? nullptr : "the record that GSIM_BOND or GSIM_ANGLE makes";
  }
};

struct BondKind : BondedKind {
  static constexpr char extends[] = "bond", module[] = "md";  // Registry::extend
  /// The default of max_length, above which a bond ends the run.
  double (*longest)(const double* p) = nullptr;
  /// This default in words or as a formula, for the documentation of max_length.
  const char* longest_doc = "depends on the kind";

  const char* missing() const {
    return longest != nullptr ? BondedKind::missing() : "the record that GSIM_BOND makes";
  }
};
struct AngleKind : BondedKind {
  static constexpr char extends[] = "angle", module[] = "md";
};

/// Copies the optional members of a style.
template <class Style>
void set_optional_members(BondedKind& kind) {
  if constexpr (requires { Style::lammps_style; }) kind.lammps_style = Style::lammps_style;
  if constexpr (requires(const double* p) { Style::problem(p, 1.0); })
    kind.problem = Style::problem;
  if constexpr (requires(const double* p) { Style::largest(p, 1.0); })
    kind.largest = Style::largest;
  else if constexpr (requires(const double* p) { Style::largest(p); })
    kind.largest = [](const double* p, double) { return Style::largest(p); };
}

/// The record of a style without its launcher.
template <class Style>
BondKind bond_kind_of() {
  BondKind kind;
  static_cast<BondedKind&>(kind) = {Style::name, Style::doc, Style::parameters, Style::size,
                                    Style::coefficients};
  kind.energy_and_slope = [](double r, const double* c) -> md_kernels::EnergyAndSlope<double> {
    const auto u = md_kernels::bond_response<Style, true>(r * r, c);
    return {u.energy, -u.force_over_r * r};
  };
  kind.is_fault = [](const BondedJob& job, const std::int32_t* rows, std::int32_t type) -> bool {
    return md_kernels::Bond<Style>::template evaluate<false, double>(job, rows, type).is_fault;
  };
  kind.longest = Style::longest;
  if constexpr (requires { Style::longest_doc; }) kind.longest_doc = Style::longest_doc;
  set_optional_members<Style>(kind);
  return kind;
}
template <class Style>
AngleKind angle_kind_of() {
  AngleKind kind;
  static_cast<BondedKind&>(kind) = {Style::name, Style::doc, Style::parameters, Style::size,
                                    Style::coefficients};
  kind.energy_and_slope = [](double cosine, const double* c) -> md_kernels::EnergyAndSlope<double> {
    const double sine = std::sqrt(1 - cosine * cosine);
    const auto u =
        md_kernels::angle_response<Style>(md_kernels::AngleGeometry<double>{cosine, sine, 1.0}, c);
    return {u.energy, -u.slope_over_cross};
  };
  kind.is_fault = [](const BondedJob& job, const std::int32_t* rows, std::int32_t type) -> bool {
    return md_kernels::Angle<Style>::template evaluate<false, double>(job, rows, type).is_fault;
  };
  set_optional_members<Style>(kind);
  return kind;
}

}  // namespace gsim::md

#define GSIM_BONDED_(make, launcher, Style)                                            \
  [] {                                                                                 \
    auto kind = gsim::md::make<gsim::md_kernels::Style>();                             \
    kind.launch = [](const gsim::Executor& executor, const gsim::md::BondedJob& job) { \
      gsim::launcher(executor, job);                                                   \
    };                                                                                 \
    return kind;                                                                       \
  }()
/// The BondKind or AngleKind of the struct md_kernels::Style, with the launcher bond_NAME or
/// angle_NAME.
#define GSIM_BOND(name, Style) GSIM_BONDED_(bond_kind_of, bond_##name, Style)
#define GSIM_ANGLE(name, Style) GSIM_BONDED_(angle_kind_of, angle_##name, Style)
