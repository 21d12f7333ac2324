#pragma once
// Multigroup cross sections as flat arrays. Group 0 is the fastest. Cross sections are macroscopic,
// in 1/cm, energies in eV, speeds in cm/s.
//
// src/modules/transport/materials builds these arrays (MaterialTables).

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "kernels/transport/materials/alias_table.hpp"

namespace gsim::transport {

/// The cross sections of one material and group that flights and collisions use, in one cache line.
/// Indices are into the arrays of MaterialView.
struct alignas(64) GroupData {
  double total = 0;
  /// Ratio of the scattering to the total cross section: the weight that survives a collision. It
  /// differs from 1 - absorption / total in transport-corrected data.
  double scattering_ratio = 0;
  double absorption = 0;  ///< fission included
  double fission = 0;
  double nu_fission = 0;     ///< prompt and delayed neutrons
  double kappa_fission = 0;  ///< recoverable fission energy, eV/cm
  double speed = 0;          ///< 0: unknown
  /// The transfers from this group: index of the first in MaterialView::transfers, and their
  /// number.
  std::int32_t first_transfer = 0, transfers = 0;
};
static_assert(sizeof(GroupData) == 64);

/// Rows of up to this many outgoing groups are searched linearly, the most probable group first;
/// longer ones are alias tables. Measured: a collision in C5G7, whose rows have up to 7 groups,
/// takes 20 ns with linear search and 31 ns with tables, which are faster for rows of 100.
inline constexpr int searched_transfers = 16;

/// Scattering from one group to another.
struct Transfer {
  /// In rows that are searched: cumulative probability up to this transfer, 2 for the last one. In
  /// alias tables: the probability that the slot selects this transfer rather than `alias`.
  double threshold = 1;
  double slope = 0;         ///< 3 f1 of a linear distribution: f(mu) = (1 + slope mu) / 2
  double multiplicity = 1;  ///< mean number of outgoing neutrons: factor of the weight
  std::int16_t group = 0;   ///< outgoing group
  std::int16_t alias = 0;   ///< other transfer of the slot, counted from the first of the row
  std::int32_t angle = -1;  ///< index into MaterialView::angles; -1: linear
};
static_assert(sizeof(Transfer) == 32);

/// A nonlinear distribution of the scattering cosine: slots from first_slot on.
struct AngleLaw {
  std::int32_t first_slot = 0;
  std::int32_t slots = 0;
  std::int32_t first_coefficient = 0;
  /// Order of the polynomial; for discrete cosines, -(1 + order of their Legendre expansion).
  std::int32_t order = 0;
};
/// For polynomials: one of the bins, of width 2 / slots; for discrete distributions: one of the
/// cosines. The slots of a distribution are an alias table (alias_table.hpp).
struct AngleSlot {
  double threshold = 1;  ///< probability that the slot selects itself rather than `alias`
  double value = 0;      ///< upper bound of the density in the bin, or the cosine
  std::int32_t alias = 0;
  std::int32_t padding = 0;
};
static_assert(sizeof(AngleSlot) == 24);

/// The spectra of fission neutrons of a material.
struct FissionData {
  /// Index of the prompt spectrum of incoming group g: prompt_spectrum + g * prompt_stride. A
  /// spectrum is `groups` slots of MaterialView::spectra from groups * index on.
  std::int32_t prompt_spectrum = 0;
  std::int32_t prompt_stride = 0;  ///< 0: one spectrum for all incoming groups
  std::int32_t first_delayed = 0;  ///< index into MaterialView::delayed
  std::int32_t delayed_groups = 0;
  /// Fractions of nu_fission in incoming group g, cumulative up to delayed group d:
  /// fractions[first_fraction + g * delayed_groups + d].
  std::int32_t first_fraction = 0;
  std::int32_t padding = 0;
};
/// One group of delayed neutrons.
struct DelayedData {
  double mean_delay = 0;  ///< 1 / decay constant, s
  std::int32_t spectrum = 0;
  std::int32_t padding = 0;
};

struct MaterialView {
  std::int32_t groups = 0;
  std::int32_t materials = 0;
  View<const GroupData> data;      ///< [material][group]
  View<const Transfer> transfers;  ///< rows of outgoing groups, from GroupData::first_transfer on
  View<const AngleLaw> angles;
  View<const AngleSlot> angle_slots;
  View<const double> coefficients;  ///< of densities in Chebyshev polynomials
  View<const FissionData> fission;  ///< [material]
  View<const DelayedData> delayed;
  View<const double> fractions;
  View<const AliasSlot> spectra;
  View<const double> majorant;    ///< [group]: the largest total cross section
  View<const double> void_speed;  ///< [group]: speed in void, the largest of any material
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::MaterialView;

GSIM_HD const transport::GroupData& group_data(const MaterialView& m, std::int32_t material,
                                               std::int32_t group) {
  return m.data[Index{material} * m.groups + group];
}

/// The group that u in (0, 1) selects from a spectrum.
GSIM_HD std::int32_t sample_spectrum(const MaterialView& m, std::int32_t spectrum, double u) {
  return transport_kernels::sample_alias(m.spectra.data + Index{spectrum} * m.groups, m.groups, u);
}

}  // namespace transport_kernels
GSIM_TARGET_END
