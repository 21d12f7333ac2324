#include "src/modules/transport/materials/material_tables.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/materials/alias_table.hpp"

namespace gsim::transport {
namespace {

std::int32_t to_index(std::size_t n) { return static_cast<std::int32_t>(n); }

void append_spectrum(std::span<const double> chi, MaterialArrays& arrays) {
  const auto slots = make_alias_table(chi);
  arrays.spectra.insert(arrays.spectra.end(), slots.begin(), slots.end());
}

/// The distribution of the scattering cosine from one group to another; appended to `tables` where
/// it is not linear. InputError where make_angular_distribution() returns none.
AngularDistribution angular_distribution(const Material& m, Index from, Index to,
                                         AngleTables& tables) {
  std::vector<double> moments;
  for (std::size_t l = 0; l < m.scatter.size(); ++l)
    moments.push_back(m.moment(l, from, to) / m.moment(0, from, to));
  std::string problem;
  if (const auto distribution =
          make_angular_distribution(moments, m.negative_scattering, tables, problem))
    return *distribution;
  throw InputError(fmt::format(
      "material `{}`, scattering from group {} to {}: {}; {}", m.name, from + 1, to + 1, problem,
      m.negative_scattering == NegativeScattering::refuse
          ? "set negative_scattering = \"discrete\" for discrete angles with the same moments, or "
            "give more or fewer moments"
          : "give more or fewer moments"));
}

/// The groups to which `from` scatters; most probable first where kernels search them in order.
std::vector<Index> outgoing_groups(const Material& m, Index from) {
  std::vector<Index> groups;
  for (Index to = 0; to < m.groups; ++to)
    if (m.moment(0, from, to) > 0) groups.push_back(to);
  if (groups.size() <= searched_transfers)
    std::stable_sort(groups.begin(), groups.end(),
                     [&](Index a, Index b) { return m.moment(0, from, a) > m.moment(0, from, b); });
  return groups;
}

/// The thresholds that select a transfer with these weights (Transfer::threshold).
void set_thresholds(const std::vector<double>& weights, std::span<Transfer> row) {
  if (weights.empty()) return;
  if (weights.size() > searched_transfers) {
    const auto slots = make_alias_table(weights);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      row[i].threshold = slots[i].threshold;
      row[i].alias = static_cast<std::int16_t>(slots[i].alias);
    }
    return;
  }
  double all = 0, sum = 0;
  for (const double w : weights) all += w;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    row[i].threshold = i + 1 < weights.size() ? sum / all : 2;  // 2: above every random number
  }
}

/// The transfers from group `from`.
void append_transfers(const Material& m, Index from, GroupData& data, MaterialArrays& arrays) {
  std::vector<double> weights;
  data.first_transfer = to_index(arrays.transfers.size());
  for (const Index to : outgoing_groups(m, from)) {
    const AngularDistribution distribution = angular_distribution(m, from, to, arrays.angles);
    const double multiplicity =
        m.multiplicity.empty() ? 1 : m.multiplicity[static_cast<std::size_t>(from * m.groups + to)];
    weights.push_back(m.moment(0, from, to));
    arrays.transfers.push_back({1, distribution.slope, multiplicity, static_cast<std::int16_t>(to),
                                0, distribution.index});
  }
  data.transfers = to_index(weights.size());
  set_thresholds(weights, std::span(arrays.transfers).last(weights.size()));
}

void append_fission(const Material& m, MaterialArrays& arrays) {
  FissionData fission;
  const auto groups = static_cast<std::size_t>(m.groups);
  fission.prompt_spectrum = to_index(arrays.spectra.size() / groups);
  fission.prompt_stride = m.chi_is_matrix() ? 1 : 0;
  for (std::size_t first = 0; first < m.chi.size(); first += groups)
    append_spectrum(std::span(m.chi).subspan(first, groups), arrays);
  fission.first_delayed = to_index(arrays.delayed.size());
  fission.delayed_groups = to_index(m.delayed.decay_constants.size());
  fission.first_fraction = to_index(arrays.fractions.size());
  for (std::size_t d = 0; d < m.delayed.decay_constants.size(); ++d) {
    arrays.delayed.push_back(
        {1 / m.delayed.decay_constants[d], to_index(arrays.spectra.size() / groups), 0});
    append_spectrum(m.delayed.spectra[d], arrays);
  }
  for (std::size_t g = 0; g < groups; ++g) {
    double sum = 0;
    for (const auto& fraction : m.delayed.fractions) {
      sum += fraction[g];
      arrays.fractions.push_back(sum);
    }
  }
  arrays.fission.push_back(fission);
}

}  // namespace

void add_material(const Material& m, MaterialArrays& arrays) {
  if (m.groups > std::numeric_limits<std::int16_t>::max())
    throw InputError(fmt::format("material `{}`: {} groups; at most {} are supported", m.name,
                                 m.groups, std::numeric_limits<std::int16_t>::max()));
  for (Index g = 0; g < m.groups; ++g) {
    const auto i = static_cast<std::size_t>(g);
    GroupData data;
    data.total = m.total[i];
    data.absorption = m.absorption[i];
    data.fission = m.fission[i];
    data.nu_fission = m.nu_fission[i];
    data.kappa_fission = m.kappa_fission[i];
    data.speed = m.speed.empty() ? 0 : m.speed[i];
    data.scattering_ratio = m.total[i] > 0 ? m.scattering(g) / m.total[i] : 0;
    append_transfers(m, g, data, arrays);
    arrays.data.push_back(data);
  }
  append_fission(m, arrays);
  const std::size_t largest = std::numeric_limits<std::int32_t>::max();
  if (std::max({arrays.transfers.size(), arrays.angles.slots.size(),
                arrays.angles.coefficients.size(), arrays.spectra.size()}) > largest)
    throw InputError(
        "the tables of materials have more than 2^31 entries; use fewer groups or lower scattering "
        "orders");
}

MaterialArrays make_material_arrays(const MaterialSet& set, const std::vector<bool>& is_used) {
  MaterialArrays arrays;
  arrays.groups = set.groups;
  arrays.majorant.assign(static_cast<std::size_t>(set.groups), 0.0);
  arrays.void_speed.assign(static_cast<std::size_t>(set.groups), 0.0);
  for (std::size_t i = 0; i < set.materials.size(); ++i) {
    const Material& m = set.materials[i];
    add_material(m, arrays);
    if (!is_used.empty() && !is_used[i]) continue;
    for (std::size_t g = 0; g < m.total.size(); ++g)
      arrays.majorant[g] = std::max(arrays.majorant[g], m.total[g]);
    for (std::size_t g = 0; g < m.speed.size(); ++g)
      arrays.void_speed[g] = std::max(arrays.void_speed[g], m.speed[g]);
  }
  return arrays;
}

MaterialTables::MaterialTables(const Executor& executor, const MaterialArrays& a)
    : groups_(a.groups),
      data_(executor, a.data),
      transfers_(executor, a.transfers),
      angles_(executor, a.angles.laws),
      angle_slots_(executor, a.angles.slots),
      coefficients_(executor, a.angles.coefficients),
      fission_(executor, a.fission),
      delayed_(executor, a.delayed),
      fractions_(executor, a.fractions),
      spectra_(executor, a.spectra),
      majorant_(executor, a.majorant),
      void_speed_(executor, a.void_speed) {}

MaterialView MaterialTables::view() const {
  MaterialView v;
  v.groups = static_cast<std::int32_t>(groups_);
  v.materials = static_cast<std::int32_t>(fission_.size());
  v.data = data_.view();
  v.transfers = transfers_.view();
  v.angles = angles_.view();
  v.angle_slots = angle_slots_.view();
  v.coefficients = coefficients_.view();
  v.fission = fission_.view();
  v.delayed = delayed_.view();
  v.fractions = fractions_.view();
  v.spectra = spectra_.view();
  v.majorant = majorant_.view();
  v.void_speed = void_speed_.view();
  return v;
}

}  // namespace gsim::transport
