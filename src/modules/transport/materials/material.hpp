#pragma once
// Multigroup data of materials as a configuration or a library gives them, completed and checked.
// Group 0 is the fastest. Cross sections are macroscopic, 1/cm.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::transport {

enum class NegativeScattering { refuse, discrete };

struct DelayedGroups {
  std::vector<double> decay_constants;         ///< 1/s
  std::vector<std::vector<double>> fractions;  ///< [delayed group][group]: parts of nu_fission
  std::vector<std::vector<double>> spectra;    ///< [delayed group][group], sums of 1
};

struct Material {
  std::string name;
  Index groups = 0;

  // Per group. Vectors are empty where nothing was given; complete() fills those of the first line.
  std::vector<double> total, absorption, fission, nu_fission;
  std::vector<double> capture, nu;    ///< other ways to give absorption and nu_fission
  std::vector<double> kappa_fission;  ///< eV/cm
  std::vector<double> speed;          ///< cm/s
  /// Legendre moments of scattering, without 2 l + 1: [l][from * groups + to].
  std::vector<std::vector<double>> scatter;
  std::vector<double> multiplicity;  ///< [from * groups + to], neutrons out per scattering
  /// Spectrum of prompt neutrons, [group] or, by the group of the neutron that fissions,
  /// [from * groups + to].
  std::vector<double> chi;
  DelayedGroups delayed;
  NegativeScattering negative_scattering = NegativeScattering::refuse;

  bool is_fissile() const;
  bool chi_is_matrix() const { return chi.size() > static_cast<std::size_t>(groups); }
  /// Cross section of scattering out of `group`, to all groups.
  double scattering(Index group) const;
  double& moment(std::size_t l, Index from, Index to) {
    return scatter[l][static_cast<std::size_t>(from * groups + to)];
  }
  double moment(std::size_t l, Index from, Index to) const {
    return scatter[l][static_cast<std::size_t>(from * groups + to)];
  }
};

/// Of all data but the name.
std::uint64_t digest_of(const Material& material);

/// Says that the data under `key` ("scatter", "chi", …) are wrong, and what to do; does not return.
using MaterialFault = std::function<void(std::string_view key, const std::string& problem,
                                         const std::string& advice)>;

/// Derives what was not given (total, absorption, nu_fission), sees that sizes, signs and sums are
/// right, and scales spectra to sums of exactly 1. Remarks on what was mended within rounding are
/// appended to `notes`. Faults are told to `fault`, which throws.
void complete(Material& material, const MaterialFault& fault, std::vector<std::string>& notes);

struct MaterialSet {
  Index groups = 0;
  std::vector<double> bounds;  ///< of the groups, eV, falling: groups + 1 of them; empty: not known
  std::vector<Material> materials;
  std::vector<std::string> notes;  ///< for the user, a line each
  /// Of what was read from files whose text is kept nowhere else; 0: nothing.
  std::uint64_t input_digest = 0;

  /// Position of the material `name`; -1: there is none.
  Index find(std::string_view name) const;
  /// Whether all materials have speeds, as runs in time need them.
  bool has_speeds() const;
};

}  // namespace gsim::transport
