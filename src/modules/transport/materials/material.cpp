#include "src/modules/transport/materials/material.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/text.hpp"

namespace gsim::transport {
namespace {

using Doubles = std::vector<double>;

/// Allowed rounding error of printed cross sections, relative to the total cross section.
constexpr double rounding = 1e-4;
/// The allowed difference of total and absorption plus scattering, relative to the total: libraries
/// made by Monte Carlo have statistical errors.
constexpr double largest_imbalance = 0.1;

/// Completes and checks one material.
class Completion {
 public:
  Completion(Material& m, const MaterialFault& fault, std::vector<std::string>& notes)
      : m_(m), fault_(fault), notes_(notes), n_(static_cast<std::size_t>(m.groups)) {}

  void run() {
    check_sizes();
    check_scattering();
    derive_absorption();
    derive_total();
    check_balance();
    derive_fission();
    if (!m_.is_fissile()) {
      m_.chi.clear();
      m_.delayed = {};
      return;
    }
    check_spectra();
    check_delayed();
  }

 private:
  [[noreturn]] void fail(std::string_view key, const std::string& problem,
                         const std::string& advice = {}) const {
    fault_(key, fmt::format("material `{}`: {}", m_.name, problem), advice);
    std::abort();  // not reached: fault_ throws
  }
  void note(const std::string& text) const {
    notes_.push_back(fmt::format("material `{}`: {}", m_.name, text));
  }

  void check_vector(std::string_view key, const Doubles& values) const {
    if (values.empty()) return;
    if (values.size() != n_)
      fail(key, fmt::format("`{}` has {}", key, counts(values.size())),
           "give one for each group, the fastest first");
    for (std::size_t g = 0; g < n_; ++g)
      if (!(values[g] >= 0) || !std::isfinite(values[g]))
        fail(key,
             fmt::format("`{}` is {} in group {}; it must not be negative", key, values[g], g + 1));
  }
  /// Returns text such as "2 numbers for 1 group".
  std::string counts(std::size_t numbers) const {
    return fmt::format("{} for {}", count_of(static_cast<Index>(numbers), "number"),
                       count_of(static_cast<Index>(n_), "group"));
  }
  void check_sizes() const {
    check_vector("total", m_.total);
    check_vector("absorption", m_.absorption);
    check_vector("capture", m_.capture);
    check_vector("fission", m_.fission);
    check_vector("nu_fission", m_.nu_fission);
    check_vector("nu", m_.nu);
    check_vector("kappa_fission", m_.kappa_fission);
    check_vector("speed", m_.speed);
    for (std::size_t g = 0; g < m_.speed.size(); ++g)
      if (!(m_.speed[g] > 0))
        fail("speed",
             fmt::format("`speed` is {} cm/s in group {}; it must be above 0", m_.speed[g], g + 1));
  }

  static std::string moment_key(std::size_t l) {
    return l == 0 ? "scatter" : fmt::format("scatter_l{}", l);
  }
  void check_scattering() const {
    for (std::size_t l = 0; l < m_.scatter.size(); ++l)
      for (std::size_t i = 0; i < n_ * n_; ++i) check_moment(l, i);
    for (std::size_t i = 0; i < m_.multiplicity.size(); ++i)
      if (!(m_.multiplicity[i] >= 0) || !std::isfinite(m_.multiplicity[i]))
        fail("multiplicity",
             fmt::format("`multiplicity` is {} from group {} to {}; it must not be negative",
                         m_.multiplicity[i], i / n_ + 1, i % n_ + 1));
  }
  void check_moment(std::size_t l, std::size_t i) const {
    const double value = m_.scatter[l][i], total_scattering = m_.scatter[0][i];
    const std::string groups = fmt::format("from group {} to {}", i / n_ + 1, i % n_ + 1);
    if (!std::isfinite(value))
      fail(moment_key(l),
           fmt::format("`{}` is {} {}; it must be a finite number", moment_key(l), value, groups));
    if (l == 0 && value < 0)
      fail("scatter", fmt::format("`scatter` is {} {}; it must not be negative", value, groups),
           "a particle cannot be scattered with a negative probability: if a transport correction "
           "makes it negative, use more groups, or give the moments (scatter_l1) instead of the "
           "correction");
    if (l > 0 && std::abs(value) > total_scattering * (1 + rounding))
      fail(moment_key(l),
           fmt::format("`{}` is {} {}, above scatter's {}", moment_key(l), value, groups,
                       total_scattering),
           "moments are averages of Legendre polynomials, which are at most 1; they are given "
           "without the factor 2 l + 1");
  }

  void derive_absorption() {
    if (!m_.capture.empty() && !m_.absorption.empty())
      fail("capture", "both absorption and capture are given",
           "give one of them; absorption is capture and fission together");
    if (m_.absorption.empty() && !m_.capture.empty()) {
      m_.absorption = m_.capture;
      for (std::size_t g = 0; g < m_.fission.size(); ++g) m_.absorption[g] += m_.fission[g];
    }
    m_.capture.clear();
  }
  void derive_total() {
    const bool has_absorption = !m_.absorption.empty();
    if (m_.total.empty() && !has_absorption)
      fail("total", "neither total, absorption nor capture is given",
           "give one of them; what is not given is derived from the others and scatter");
    if (!has_absorption) m_.absorption.assign(n_, 0.0);
    if (m_.total.empty()) {
      m_.total = m_.absorption;
      for (std::size_t g = 0; g < n_; ++g) m_.total[g] += scattering(g);
    } else if (!has_absorption) {
      for (std::size_t g = 0; g < n_; ++g)
        m_.absorption[g] = std::max(0.0, m_.total[g] - scattering(g));
    }
  }
  double scattering(std::size_t g) const { return m_.scattering(static_cast<Index>(g)); }

  void check_balance() const {
    double worst = 0;
    for (std::size_t g = 0; g < n_; ++g) {
      const double total = m_.total[g], excess = scattering(g) - total;
      if (excess > rounding * total)
        fail("scatter",
             fmt::format("the scattering of group {} is {}, above its total {}", g + 1,
                         scattering(g), total),
             "rows are groups that particles come from, columns groups that they go to; neutrons "
             "of (n,xn) go into `multiplicity`");
      const double sum = m_.absorption[g] + scattering(g);
      if (total > 0) worst = std::max(worst, std::abs(total - sum) / total);
      if (std::abs(total - sum) > largest_imbalance * total)
        fail("total",
             fmt::format(
                 "in group {} total is {:.6g}, but the sum of absorption {:.6g} and scattering "
                 "{:.6g} is {:.6g}",
                 g + 1, total, m_.absorption[g], scattering(g), sum),
             "a neutron that collides is absorbed or scattered: leave out `total` or `absorption` "
             "to have it derived");
    }
    if (worst > rounding)
      note(
          fmt::format("total and the sum of absorption and scattering differ by {:.2g} of total; "
                      "histories use total and scattering, and absorption is only used for scores",
                      worst));
  }

  void derive_fission() {
    if (!m_.nu.empty() && !m_.nu_fission.empty())
      fail("nu", "both nu and nu_fission are given", "give one of them");
    if (m_.fission.empty()) {
      if (!m_.nu.empty()) fail("nu", "nu without fission", "give fission too");
      for (const double x : m_.nu_fission)
        if (x > 0) fail("nu_fission", "nu_fission without fission", "give fission too, or nu");
      m_.fission.assign(n_, 0.0);
    }
    if (m_.nu_fission.empty()) {
      m_.nu_fission.assign(n_, 0.0);
      for (std::size_t g = 0; g < m_.nu.size(); ++g) m_.nu_fission[g] = m_.nu[g] * m_.fission[g];
    }
    m_.nu.clear();
    if (m_.kappa_fission.empty()) m_.kappa_fission.assign(n_, 0.0);
    for (std::size_t g = 0; g < n_; ++g) {
      if (m_.fission[g] > m_.absorption[g] + rounding * m_.total[g])
        fail("fission",
             fmt::format("`fission` is {} in group {}, above absorption's {}", m_.fission[g], g + 1,
                         m_.absorption[g]),
             "absorption is capture and fission together");
      if (m_.nu_fission[g] > 0 && !(m_.fission[g] > 0))
        fail("nu_fission",
             fmt::format("`nu_fission` is {} in group {}, where fission is 0", m_.nu_fission[g],
                         g + 1),
             "give fission there too, or set nu_fission to 0");
      if (m_.fission[g] > 0 && m_.nu_fission[g] > 20 * m_.fission[g])
        fail("nu_fission",
             fmt::format("nu_fission / fission is {} neutrons per fission in group {}",
                         m_.nu_fission[g] / m_.fission[g], g + 1),
             "nu_fission is a cross section in 1/cm, nu a number of neutrons");
    }
  }

  /// Scales the n numbers from `first` to a sum of 1; returns their former sum.
  double normalise(std::string_view key, Doubles& values, std::size_t first,
                   const std::string& which) const {
    double sum = 0;
    for (std::size_t g = 0; g < n_; ++g) {
      const double x = values[first + g];
      if (!(x >= 0) || !std::isfinite(x))
        fail(key, fmt::format("`{}` is {} in group {}{}; it must not be negative", key, x, g + 1,
                              which));
      sum += x;
    }
    if (!(std::abs(sum - 1) < 1e-3))
      fail(key, fmt::format("`{}` sums to {}{}, not to 1", key, sum, which),
           "each number is the fraction of the fission neutrons that start in that group");
    for (std::size_t g = 0; g < n_; ++g) values[first + g] /= sum;
    return sum;
  }
  void check_spectra() {
    if (m_.chi.empty())
      fail("chi", "it fissions, and has no chi",
           "give chi, the fraction of the fission neutrons that start in each group");
    if (m_.chi.size() != n_ && m_.chi.size() != n_ * n_)
      fail("chi", fmt::format("`chi` has {}", counts(m_.chi.size())),
           "give one for each group, the fastest first");
    double worst = 0;
    for (std::size_t first = 0; first < m_.chi.size(); first += n_) {
      const std::size_t from = first / n_;
      if (m_.chi_is_matrix() && !(m_.nu_fission[from] > 0)) {
        fill_unused_row(first);
        continue;
      }
      const std::string which =
          m_.chi_is_matrix() ? fmt::format(" for neutrons from group {}", from + 1) : std::string{};
      worst = std::max(worst, std::abs(normalise("chi", m_.chi, first, which) - 1));
    }
    if (worst > rounding)
      note(fmt::format("chi summed to 1 only within {:.1e}; it is scaled to 1", worst));
  }
  /// Rows of groups without fission are not used, but zeros would have no alias table.
  void fill_unused_row(std::size_t first) {
    std::fill_n(m_.chi.begin() + static_cast<std::ptrdiff_t>(first), n_, 0.0);
    m_.chi[first] = 1;
  }

  void check_delayed() {
    DelayedGroups& d = m_.delayed;
    const std::size_t count = d.decay_constants.size();
    if (count == 0 && d.fractions.empty() && d.spectra.empty()) return;
    if (d.fractions.size() != count || d.spectra.size() != count)
      fail("beta",
           fmt::format("{} decay constants, {} fractions and {} spectra of delayed neutrons", count,
                       d.fractions.size(), d.spectra.size()),
           "give beta, decay_constants and chi_delayed for each delayed group");
    for (std::size_t k = 0; k < count; ++k) {
      if (!(d.decay_constants[k] > 0) || !std::isfinite(d.decay_constants[k]))
        fail("decay_constants",
             fmt::format("the decay constant of delayed group {} is {} /s; it must be above 0",
                         k + 1, d.decay_constants[k]));
      if (d.fractions[k].size() != n_ || d.spectra[k].size() != n_)
        fail("chi_delayed",
             fmt::format("delayed group {} has {}", k + 1, counts(d.spectra[k].size())));
      normalise("chi_delayed", d.spectra[k], 0, fmt::format(" in delayed group {}", k + 1));
    }
    for (std::size_t g = 0; g < n_; ++g) {
      double sum = 0;
      for (const Doubles& fraction : d.fractions) {
        if (!(fraction[g] >= 0))
          fail("beta", fmt::format("`beta` is {} in group {}; it must not be negative", fraction[g],
                                   g + 1));
        sum += fraction[g];
      }
      if (sum > 1)
        fail("beta",
             fmt::format("`beta` sums to {} over the delayed groups in group {}; it is at most 1",
                         sum, g + 1));
    }
  }

  Material& m_;
  const MaterialFault& fault_;
  std::vector<std::string>& notes_;
  std::size_t n_;
};

}  // namespace

bool Material::is_fissile() const {
  return std::any_of(nu_fission.begin(), nu_fission.end(), [](double x) { return x > 0; });
}

double Material::scattering(Index group) const {
  double sum = 0;
  for (Index to = 0; to < groups; ++to) sum += moment(0, group, to);
  return sum;
}

void complete(Material& material, const MaterialFault& fault, std::vector<std::string>& notes) {
  Completion(material, fault, notes).run();
}

Index MaterialSet::find(std::string_view name) const {
  const auto at = std::find_if(materials.begin(), materials.end(),
                               [&](const Material& m) { return m.name == name; });
  return at == materials.end() ? -1 : at - materials.begin();
}

bool MaterialSet::has_speeds() const {
  return std::all_of(materials.begin(), materials.end(),
                     [](const Material& m) { return !m.speed.empty(); });
}

std::uint64_t digest_of(const Material& m) {
  Digest digest;
  const auto add = [&digest](const std::vector<double>& values) {
    digest.add(values.size()).add(std::span<const double>(values));
  };
  for (const auto* values : {&m.total, &m.absorption, &m.fission, &m.nu_fission, &m.kappa_fission,
                             &m.speed, &m.multiplicity, &m.chi, &m.delayed.decay_constants})
    add(*values);
  for (const auto* tables : {&m.scatter, &m.delayed.fractions, &m.delayed.spectra}) {
    digest.add(tables->size());
    for (const auto& values : *tables) add(values);
  }
  return digest.value();
}

}  // namespace gsim::transport
