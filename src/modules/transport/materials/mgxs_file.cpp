#include "src/modules/transport/materials/mgxs_file.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/io/read_numbers.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::transport {
namespace {

using Doubles = std::vector<double>;

/// The names of HDF5 groups and datasets directly below `group`.
std::set<std::string> children(const ResultReader& file, const std::string& group) {
  std::set<std::string> names;
  const std::string prefix = group.empty() ? "" : group + "/";
  for (const std::string& path : file.list()) {
    const std::size_t begin = path.starts_with('/') ? 1 : 0;
    if (path.compare(begin, prefix.size(), prefix) != 0) continue;
    const std::size_t first = begin + prefix.size();
    names.insert(path.substr(first, path.find('/', first) - first));
  }
  return names;
}

class MgxsFile {
 public:
  explicit MgxsFile(const std::string& path) : path_(path), file_(Communicator::self(), path) {
    if (!file_.has_attribute("/", "filetype") || file_.attribute("/", "filetype") != "mgxs")
      fail("it is no library of cross sections: its attribute filetype is not \"mgxs\"");
  }
  std::vector<std::string> entries() const {
    const auto names = children(file_, "");
    return {names.begin(), names.end()};
  }

  MgxsEntry read(const std::string& entry, double temperature) {
    const auto names = entries();
    if (std::find(names.begin(), names.end(), entry) == names.end())
      fail(fmt::format("it has no entry `{}`; it has {}", entry, fmt::join(names, ", ")));
    entry_ = entry;
    result_.material.name = entry;
    read_groups();
    check_attribute("representation", "isotropic",
                    "angle-dependent cross sections are not supported");
    check_attribute(
        "scatter_format", "legendre",
        "write the library with Legendre moments (XSdata.scatter_format = \"legendre\")");
    check_attribute("scatter_shape", "[G][G'][Order]", "");
    choose_temperature(temperature);
    read_vectors();
    read_scattering();
    read_fission();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}: {}", path_, problem));
  }

  void read_groups() {
    if (!file_.has_attribute("/", "group structure")) fail("it has no attribute `group structure`");
    result_.bounds = file_.attribute_numbers("/", "group structure");
    if (result_.bounds.size() < 2 || !std::is_sorted(result_.bounds.begin(), result_.bounds.end()))
      fail("the energies of its group structure do not increase");
    std::reverse(result_.bounds.begin(), result_.bounds.end());
    n_ = result_.bounds.size() - 1;
    result_.material.groups = static_cast<Index>(n_);
  }
  /// Checks an attribute; an absent one has its default, which is `expected`.
  void check_attribute(const char* name, std::string_view expected, std::string_view advice) const {
    if (!file_.has_attribute(entry_, name)) return;
    std::string value = file_.attribute(entry_, name);
    while (value.ends_with(' ')) value.pop_back();
    if (value != expected)
      fail(fmt::format("entry `{}` has {} \"{}\"; gsim reads \"{}\"{}{}", entry_, name, value,
                       expected, advice.empty() ? "" : "; ", advice));
  }
  void choose_temperature(double wanted) {
    std::vector<std::pair<double, std::string>> known;  // K
    for (const std::string& name : children(file_, entry_ + "/kTs")) {
      constexpr double boltzmann = 8.617333262e-5;  // eV/K, CODATA 2018
      known.emplace_back(
          read_numbers(file_, fmt::format("{}/kTs/{}", entry_, name)).at(0) / boltzmann, name);
    }
    if (known.empty()) fail(fmt::format("entry `{}` has no temperatures (kTs)", entry_));
    if (wanted < 0 && known.size() > 1) {
      std::vector<std::string> names;
      names.reserve(known.size());
      for (const auto& [kelvin, name] : known) names.push_back(name);
      fail(fmt::format("entry `{}` has data for {}; set temperature", entry_,
                       fmt::join(names, ", ")));
    }
    const auto nearest =
        std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
          return std::abs(a.first - wanted) < std::abs(b.first - wanted);
        });
    result_.temperature = nearest->first;
    folder_ = fmt::format("{}/{}/", entry_, nearest->second);
  }

  bool has(const std::string& name) const { return file_.has(folder_ + name); }
  Doubles numbers(const std::string& name) { return read_numbers(file_, folder_ + name); }
  Doubles optional(const std::string& name) { return has(name) ? numbers(name) : Doubles{}; }

  void read_vectors() {
    Material& m = result_.material;
    m.total = optional("total");
    m.absorption = optional("absorption");
    if (m.absorption.empty()) fail(fmt::format("it has no {}absorption", folder_));
    m.fission = optional("fission");
    m.kappa_fission = optional("kappa-fission");
    for (const double inverse : optional("inverse-velocity")) m.speed.push_back(1 / inverse);
  }

  /// Calls put(i, l, value) for the flattened data `name`, which have `depth` numbers (l) for each
  /// incident group and each of its outgoing groups g_min to g_max (numbered from 1). i is the
  /// index in a full matrix [incident group][outgoing group].
  template <class Put>
  void unpack(const std::string& name, std::size_t depth, const Put& put) {
    const Doubles low = numbers("scatter_data/g_min"), high = numbers("scatter_data/g_max");
    const Doubles flat = numbers("scatter_data/" + name);
    if (low.size() != n_ || high.size() != n_)
      fail(fmt::format("{}scatter_data/g_min or g_max is not of {} groups", folder_, n_));
    std::size_t next = 0;
    for (std::size_t from = 0; from < n_; ++from) {
      const auto last = static_cast<double>(n_);
      if (!(low[from] >= 1 && low[from] <= high[from] && high[from] <= last))
        fail(fmt::format("{}scatter_data: group {} scatters to groups {} to {}, of {}", folder_,
                         from + 1, low[from], high[from], n_));
      for (auto to = static_cast<std::size_t>(low[from]);
           to <= static_cast<std::size_t>(high[from]); ++to)
        for (std::size_t l = 0; l < depth; ++l, ++next)
          if (next < flat.size()) put(from * n_ + to - 1, l, flat[next]);
    }
    if (next != flat.size())
      fail(fmt::format("{}scatter_data/{} has {} numbers, but g_min, g_max and order require {}",
                       folder_, name, flat.size(), next));
  }
  void read_scattering() {
    if (!file_.has_attribute(entry_, "order")) fail(fmt::format("entry `{}` has no order", entry_));
    const auto order = static_cast<std::size_t>(file_.attribute_numbers(entry_, "order").at(0));
    Material& m = result_.material;
    m.scatter.assign(order + 1, Doubles(n_ * n_, 0.0));
    // OpenMC writes and reads the order last, unlike [Order][G][G'] of its documentation.
    unpack("scatter_matrix", order + 1,
           [&](std::size_t at, std::size_t l, double value) { m.scatter[l][at] = value; });
    if (!has("scatter_data/multiplicity_matrix")) return;
    m.multiplicity.assign(n_ * n_, 1.0);
    unpack("multiplicity_matrix", 1, [&](std::size_t at, std::size_t, double value) {
      if (value > 0) m.multiplicity[at] = value;  // 0 in the file where nothing is scattered
    });
  }

  /// Rows of a matrix by incident group: their sums, and each row divided by its sum.
  void split_matrix(const Doubles& matrix, Doubles& sums, Doubles& rows) const {
    sums.assign(n_, 0.0);
    rows = matrix;
    for (std::size_t i = 0; i < matrix.size(); ++i) sums[i / n_] += matrix[i];
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (sums[i / n_] > 0) rows[i] /= sums[i / n_];
  }
  void check_size(const std::string& name, std::size_t size, std::size_t expected) const {
    if (size != expected)
      fail(fmt::format("{}{} has {} numbers instead of {}", folder_, name, size, expected));
  }

  void read_fission() {
    Material& m = result_.material;
    if (has("nu-fission")) {
      const Doubles nu_fission = numbers("nu-fission");
      if (nu_fission.size() == n_) {
        m.nu_fission = nu_fission;
      } else {
        check_size("nu-fission", nu_fission.size(), n_ * n_);
        split_matrix(nu_fission, m.nu_fission, m.chi);
      }
      read_beta();
    } else if (has("prompt-nu-fission")) {
      read_prompt_and_delayed();
    } else {
      return;
    }
    for (const char* name : {"chi", "chi-prompt"})
      if (m.chi.empty()) m.chi = optional(name);
    if (m.fission.empty()) {
      // Only tally scores use the fission cross section, but they need it if there are fission
      // neutrons.
      fail(fmt::format("it has {}nu-fission and no {}fission", folder_, folder_));
    }
    read_delayed_spectra();
  }
  /// beta: [delayed group] or [delayed group][group].
  void read_beta() {
    const Doubles beta = optional("beta");
    if (beta.empty()) return;
    const std::size_t count = read_decay_constants();
    if (beta.size() != count) check_size("beta", beta.size(), count * n_);
    for (std::size_t d = 0; d < count; ++d) {
      const std::size_t first = beta.size() == count ? d : d * n_;
      Doubles row(n_, beta[first]);
      if (beta.size() != count)
        std::copy_n(beta.begin() + static_cast<std::ptrdiff_t>(first), n_, row.begin());
      result_.material.delayed.fractions.push_back(row);
    }
  }
  /// Reads the decay constants of the delayed groups; returns the number of these groups.
  std::size_t read_decay_constants() {
    DelayedGroups& d = result_.material.delayed;
    if (!has("decay-rate"))
      fail(fmt::format("it has delayed neutrons and no {}decay-rate", folder_));
    d.decay_constants = numbers("decay-rate");
    return d.decay_constants.size();
  }
  void read_prompt_and_delayed() {
    Material& m = result_.material;
    const Doubles prompt = numbers("prompt-nu-fission");
    if (prompt.size() == n_) {
      m.nu_fission = prompt;
    } else {
      check_size("prompt-nu-fission", prompt.size(), n_ * n_);
      split_matrix(prompt, m.nu_fission, m.chi);
    }
    const Doubles delayed = optional("delayed-nu-fission");
    if (delayed.empty()) return;
    const std::size_t count = read_decay_constants();
    const bool is_matrix = delayed.size() != count * n_;
    if (is_matrix) check_size("delayed-nu-fission", delayed.size(), count * n_ * n_);
    const std::size_t size = is_matrix ? n_ * n_ : n_;
    for (std::size_t d = 0; d < count; ++d) {
      const auto first = delayed.begin() + static_cast<std::ptrdiff_t>(d * size);
      Doubles row(first, first + static_cast<std::ptrdiff_t>(size)), sums = row;
      if (is_matrix) {
        Doubles rows;
        split_matrix(row, sums, rows);
        m.delayed.spectra.push_back(column_average(row));
      }
      m.delayed.fractions.push_back(sums);
    }
    for (const Doubles& sums : m.delayed.fractions)
      for (std::size_t g = 0; g < n_; ++g) m.nu_fission[g] += sums[g];
    for (Doubles& sums : m.delayed.fractions)
      for (std::size_t g = 0; g < n_; ++g)
        sums[g] = m.nu_fission[g] > 0 ? sums[g] / m.nu_fission[g] : 0;
  }
  /// The spectrum of a delayed group from its matrix [incident group][outgoing group]: the sum over
  /// incident groups, normalised. Precursors decay independently of the neutron that caused the
  /// fission, so that the spectrum does not depend on the incident group.
  Doubles column_average(const Doubles& matrix) const {
    Doubles spectrum(n_, 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      spectrum[i % n_] += matrix[i];
      sum += matrix[i];
    }
    for (double& x : spectrum) x = sum > 0 ? x / sum : 1 / static_cast<double>(n_);
    return spectrum;
  }
  /// chi-delayed: [group] or [delayed group][group]; without it chi.
  void read_delayed_spectra() {
    DelayedGroups& d = result_.material.delayed;
    const std::size_t count = d.decay_constants.size();
    if (count == 0 || !d.spectra.empty()) return;
    Doubles chi = optional("chi-delayed");
    if (chi.empty()) chi = result_.material.chi;
    if (chi.size() != n_) check_size("chi-delayed", chi.size(), count * n_);
    for (std::size_t k = 0; k < count; ++k) {
      const auto first = chi.begin() + static_cast<std::ptrdiff_t>(chi.size() == n_ ? 0 : k * n_);
      d.spectra.emplace_back(first, first + static_cast<std::ptrdiff_t>(n_));
    }
  }

  std::string path_, entry_;  ///< path of the file; name of the entry that is read
  std::string folder_;        ///< path of the entry's data at one temperature, with a final /
  ResultReader file_;
  MgxsEntry result_;
  std::size_t n_ = 0;  ///< number of groups
};

/// Converts errors of the file into InputError.
template <class Read>
auto as_input(const Read& read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw InputError(error.what());
  }
}

}  // namespace

MgxsEntry read_mgxs(const std::string& path, const std::string& entry, double temperature) {
  return as_input([&] { return MgxsFile(path).read(entry, temperature); });
}

std::vector<std::string> mgxs_entries(const std::string& path) {
  return as_input([&] { return MgxsFile(path).entries(); });
}

}  // namespace gsim::transport
