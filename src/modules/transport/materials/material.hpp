#pragma once
// Multigroup data of materials from a configuration or a library, completed and checked. Group 0 is
// the fastest. Cross sections are macroscopic, 1/cm.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::transport {

/// What is done with scattering moments whose density of the cosine is negative somewhere.
enum class NegativeScattering { refuse, discrete };

struct DelayedGroups {
  std::vector<double> decay_constants;         ///< 1/s
  std::vector<std::vector<double>> fractions;  ///< [delayed group][group]: fractions of nu_fission
  std::vector<std::vector<double>> spectra;    ///< [delayed group][group], sums of 1
};

struct Material {
  std::string name;
  Index groups = 0;

  // By group. Vectors are empty where nothing was given; complete() computes the next four.
  std::vector<double> total, absorption, fission, nu_fission;
  std::vector<double> capture, nu;    ///< alternatives to absorption and nu_fission
  std::vector<double> kappa_fission;  ///< eV/cm
  std::vector<double> speed;          ///< cm/s
  /// Legendre moments of scattering, without the factor 2 l + 1: [l][from * groups + to].
  std::vector<std::vector<double>> scatter;
  std::vector<double> multiplicity;  ///< [from * groups + to], neutrons emitted per scattering
  /// Spectrum of prompt neutrons, [group] or, by the group of the incident neutron, [from * groups
  /// + to].
  std::vector<double> chi;
  DelayedGroups delayed;
  NegativeScattering negative_scattering = NegativeScattering::refuse;

  bool is_fissile() const;
  bool chi_is_matrix() const { return chi.size() > static_cast<std::size_t>(groups); }
  /// The scattering cross section of `group`, to all groups.
  double scattering(Index group) const;
  double& moment(std::size_t l, Index from, Index to) {
    return scatter[l][static_cast<std::size_t>(from * groups + to)];
  }
  double moment(std::size_t l, Index from, Index to) const {
    return scatter[l][static_cast<std::size_t>(from * groups + to)];
  }
};

/// A digest of all data but the name.
std::uint64_t digest_of(const Material& material);

/// Reports an error of the data under `key` ("scatter", "chi", …) and what to do. Does not return.
using MaterialFault = std::function<void(std::string_view key, const std::string& problem,
                                         const std::string& advice)>;

/// Derives absent data (total, absorption, nu_fission), checks sizes, signs and sums, and scales
/// spectra to sums of exactly 1. Corrections within rounding are reported in `notes`. Errors are
/// passed to `fault`, which throws.
void complete(Material& material, const MaterialFault& fault, std::vector<std::string>& notes);

struct MaterialSet {
  Index groups = 0;
  std::vector<double> bounds;  ///< groups + 1 energies, eV, descending; empty: unknown
  std::vector<Material> materials;
  std::vector<std::string> notes;  ///< messages to the user, one line each
  /// A digest of data from files that are not stored with the run; 0: none.
  std::uint64_t input_digest = 0;

  /// Position of the material `name`; -1: there is none.
  Index find(std::string_view name) const;
  /// Whether all materials have speeds, which time-dependent runs need.
  bool has_speeds() const;
};

}  // namespace gsim::transport
