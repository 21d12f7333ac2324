#pragma once
// Multigroup cross sections as flat arrays. Group 0 is the fastest. Cross sections are macroscopic,
// in 1/cm, energies in eV, speeds in cm/s.
//
// src/modules/transport/materials builds these arrays (MaterialTables).

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "kernels/transport/materials/alias_table.hpp"

namespace gsim::transport {

/// All that a flight and the choice at a collision need of one material and group: one cache line.
/// Indices count from the beginning of MaterialView's arrays.
struct alignas(64) GroupData {
  double total = 0;
  /// Scattering over total cross section: the weight that survives a collision. It may differ from
  /// 1 - absorption / total where data were corrected for transport.
  double scattering_ratio = 0;
  double absorption = 0;  ///< fission included
  double fission = 0;
  double nu_fission = 0;     ///< prompt and delayed neutrons
  double kappa_fission = 0;  ///< energy that fission leaves here, eV/cm
  double speed = 0;          ///< 0: not known
  std::int32_t first_transfer = 0, transfers = 0;
};
static_assert(sizeof(GroupData) == 64);

/// Groups to which particles of one group scatter, up to which they are searched one after the
/// other, the likeliest first; more of them are an alias table. Measured: a collision in C5G7,
/// whose rows have up to 7, takes 20 ns so and 31 ns with tables, which win in rows of 100.
inline constexpr int searched_transfers = 16;

/// Scattering from one group to another.
struct Transfer {
  double threshold = 1;     ///< searched: probability of the row up to and with this transfer; the
                            ///< last one's is 2. Else as in AliasSlot, whose value is this
  double slope = 0;         ///< 3 f1 of a linear law: f(mu) = (1 + slope mu) / 2
  double multiplicity = 1;  ///< neutrons that leave, on average: a factor of the weight
  std::int16_t group = 0;   ///< that neutrons are scattered to
  std::int16_t alias = 0;   ///< the slot's other transfer, counted from the first one of its row
  std::int32_t angle = -1;  ///< index into MaterialView::angles; -1: linear
};
static_assert(sizeof(Transfer) == 32);

/// A law of the cosine of the scattering angle that is not linear: slots from first_slot on.
struct AngleLaw {
  std::int32_t first_slot = 0;
  std::int32_t slots = 0;
  std::int32_t first_coefficient = 0;
  /// Of the polynomial; of discrete cosines -1 - that of the expansion that they stand for.
  std::int32_t order = 0;
};
/// Of a polynomial law: the bin that the slot stands for, of width 2 / slots; of a discrete one:
/// one of the cosines.
struct AngleSlot {
  double threshold = 1;
  double value = 0;  ///< a bound of the density in the bin, or the cosine
  std::int32_t alias = 0;
  std::int32_t padding = 0;
};
static_assert(sizeof(AngleSlot) == 24);

/// Where the spectra of a material's fission neutrons stand.
struct FissionData {
  /// Spectrum of prompt neutrons of incoming group g: prompt_spectrum + g * prompt_stride. A
  /// spectrum is `groups` slots of MaterialView::spectra from groups * spectrum on.
  std::int32_t prompt_spectrum = 0;
  std::int32_t prompt_stride = 0;  ///< 0: one spectrum for all incoming groups
  std::int32_t first_delayed = 0;  ///< group of delayed neutrons, into MaterialView::delayed
  std::int32_t delayed_groups = 0;
  /// Parts of nu_fission by incoming group g, summed up to and with delayed group d:
  /// fractions[first_fraction + g * delayed_groups + d].
  std::int32_t first_fraction = 0;
  std::int32_t padding = 0;
};
struct DelayedData {
  double mean_delay = 0;  ///< 1 / decay constant, s
  std::int32_t spectrum = 0;
  std::int32_t padding = 0;
};

struct MaterialView {
  std::int32_t groups = 0;
  std::int32_t materials = 0;
  View<const GroupData> data;      ///< [material][group]
  View<const Transfer> transfers;  ///< [material][group][first_transfer …]
  View<const AngleLaw> angles;
  View<const AngleSlot> angle_slots;
  View<const double> coefficients;  ///< of densities in Chebyshev polynomials
  View<const FissionData> fission;  ///< [material]
  View<const DelayedData> delayed;
  View<const double> fractions;
  View<const AliasSlot> spectra;
  View<const double> majorant;    ///< [group]: the largest total cross section
  View<const double> free_speed;  ///< [group], in void: the largest of any material
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::MaterialView;

GSIM_HD const transport::GroupData& group_data(const MaterialView& m, std::int32_t material,
                                               std::int32_t group) {
  return m.data[Index{material} * m.groups + group];
}

/// The group that u in (0, 1) chooses from a spectrum.
GSIM_HD std::int32_t sample_spectrum(const MaterialView& m, std::int32_t spectrum, double u) {
  return transport_kernels::sample_alias(m.spectra.data + Index{spectrum} * m.groups, m.groups, u);
}

}  // namespace transport_kernels
GSIM_TARGET_END
