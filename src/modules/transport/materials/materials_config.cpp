#include "src/modules/transport/materials/materials_config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/transport/materials/material_tables.hpp"
#include "src/modules/transport/materials/mgxs_file.hpp"

namespace gsim::transport {
namespace {

using Doubles = std::vector<double>;
using Rows = std::vector<Doubles>;

/// The highest Legendre order in tables of a configuration; libraries may have higher ones.
constexpr int max_orders = 9;

struct GroupsConfig {
  Doubles bounds, speed;
};

/// The keys that select the data of a material in a library.
struct LibraryConfig {
  std::string file, entry;
  double temperature = std::numeric_limits<double>::quiet_NaN();
};

/// The values of the keys of [[material]] that validate() converts into members of Material.
/// Matrices are lists of rows, one for each incident group.
struct MaterialKeys {
  std::array<Rows, max_orders + 1> scatter;  ///< by Legendre order
  Rows multiplicity, chi_matrix;
  Doubles beta;
  LibraryConfig library;
  Index scattering_order = -1;
};

void describe_groups(Section& s, GroupsConfig& c) {
  s.optional("bounds", c.bounds,
             {.doc = "energies of the group bounds, one more than groups, rising or falling; "
                     "required by sources and tallies that depend on energies",
              .unit = "eV",
              .minimum = 0,
              .min_size = 2});
  s.optional("speed", c.speed,
             {.doc = "speed of each group, the fastest group first, in materials without speeds "
                     "of their own; required by time-dependent runs. In void, particles have the "
                     "largest speed of their group in any material",
              .unit = "cm/s",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 1});
}

void validate_groups(const Section& s, GroupsConfig& c, MaterialSet& set) {
  if (c.bounds.empty()) return;
  if (c.bounds.front() < c.bounds.back()) std::reverse(c.bounds.begin(), c.bounds.end());
  for (std::size_t g = 1; g < c.bounds.size(); ++g)
    if (!(c.bounds[g] < c.bounds[g - 1]))
      s.fail("bounds", "energies neither increase nor decrease");
  set.bounds = c.bounds;
  set.groups = static_cast<Index>(c.bounds.size()) - 1;
}

void optional_vector(Section& s, const char* key, Doubles& values, const char* unit,
                     const std::string& doc) {
  s.optional(key, values, {.doc = doc, .unit = unit, .min_size = 1});
}

/// The key of a Legendre moment of the scattering matrix.
std::string moment_key(int order) {
  return order == 0 ? "scatter" : fmt::format("scatter_l{}", order);
}

/// Returns the matrix of the key with its rows joined; empty where the key is absent. `groups`: 0
/// where their number is not known yet.
Doubles joined_rows(const Section& s, const std::string& key, const Rows& rows, Index groups) {
  Doubles flat;
  if (rows.empty()) return flat;
  const auto n = static_cast<std::size_t>(groups > 0 ? groups : static_cast<Index>(rows.size()));
  if (rows.size() != n)
    s.fail(key,
           fmt::format("`{}` has {} for {}", key, count_of(static_cast<Index>(rows.size()), "row"),
                       count_of(static_cast<Index>(n), "group")),
           "give a row for each group that particles come from");
  for (const Doubles& row : rows) {
    if (row.size() != n)
      s.fail(key, fmt::format("a row of {} numbers for {} groups", row.size(), n),
             "each row is an incoming group, and has a number for each outgoing one");
    flat.insert(flat.end(), row.begin(), row.end());
  }
  return flat;
}

void describe_reactions(Section& s, Material& m) {
  optional_vector(s, "total", m.total, "1/cm",
                  "total cross section, the fastest group first; default: the sum of "
                  "absorption and scattering");
  optional_vector(s, "absorption", m.absorption, "1/cm",
                  "absorption cross section, fission included; default: total minus "
                  "scattering");
  optional_vector(s, "capture", m.capture, "1/cm",
                  "absorption cross section without fission, in place of absorption");
  optional_vector(s, "fission", m.fission, "1/cm", "fission cross section");
  optional_vector(s, "nu_fission", m.nu_fission, "1/cm",
                  "number of neutrons per fission, prompt and delayed, times the fission "
                  "cross section");
  optional_vector(s, "nu", m.nu, "1", "number of neutrons per fission, in place of nu_fission");
  optional_vector(s, "kappa_fission", m.kappa_fission, "eV/cm",
                  "recoverable energy per fission times the fission cross section");
  optional_vector(s, "speed", m.speed, "cm/s", "speed of each group");
}

void describe_scattering(Section& s, MaterialKeys& keys) {
  for (int l = 0; l <= max_orders; ++l)
    s.optional(
        moment_key(l), keys.scatter[static_cast<std::size_t>(l)],
        {.doc =
             l == 0
                 ? "scattering matrix; rows are incoming groups"
                 : fmt::format(
                       "Legendre moment of order {} of the scattering matrix, without the factor "
                       "{}",
                       l, 2 * l + 1),
         .unit = "1/cm",
         .min_size = 1});
  s.optional("multiplicity", keys.multiplicity,
             {.doc = "number of outgoing neutrons per scattering, for (n,xn) reactions; "
                     "default: 1",
              .unit = "1",
              .min_size = 1});
}

void set_scattering(const Section& s, const MaterialKeys& keys, Material& m) {
  for (int l = 0; l <= max_orders; ++l) {
    Doubles moment =
        joined_rows(s, moment_key(l), keys.scatter[static_cast<std::size_t>(l)], m.groups);
    if (moment.empty()) continue;
    if (static_cast<int>(m.scatter.size()) != l)
      s.fail(moment_key(l), fmt::format("{} without {}", moment_key(l), moment_key(l - 1)));
    m.scatter.push_back(std::move(moment));
    if (l == 0 && m.groups == 0)
      m.groups = static_cast<Index>(std::llround(std::sqrt(m.scatter[0].size())));
  }
  m.multiplicity = joined_rows(s, "multiplicity", keys.multiplicity, m.groups);
}

void describe_fission(Section& s, Material& m, MaterialKeys& keys) {
  optional_vector(s, "chi", m.chi, "1",
                  "spectrum of fission neutrons; of prompt ones if chi_delayed is given");
  s.optional("chi_matrix", keys.chi_matrix,
             {.doc = "spectra of fission neutrons by the incoming group, in place of chi",
              .unit = "1",
              .min_size = 1});
  optional_vector(s, "beta", keys.beta, "1", "fraction of fission neutrons in each delayed group");
  optional_vector(s, "decay_constants", m.delayed.decay_constants, "1/s",
                  "decay constants of the precursors of the delayed groups");
  s.optional("chi_delayed", m.delayed.spectra,
             {.doc = "spectrum of each delayed group; default: chi", .min_size = 1});
}

void set_fission(const Section& s, const MaterialKeys& keys, Material& m) {
  if (s.has("chi") && s.has("chi_matrix"))
    s.fail("chi_matrix", "both chi and chi_matrix are given", "give one of them");
  if (s.has("chi_matrix")) m.chi = joined_rows(s, "chi_matrix", keys.chi_matrix, m.groups);
  for (const double b : keys.beta)
    m.delayed.fractions.emplace_back(static_cast<std::size_t>(m.groups), b);
  if (!keys.beta.empty() && m.delayed.spectra.empty()) {
    if (m.chi_is_matrix())
      s.fail("beta", "beta and chi_matrix without chi_delayed", "give chi_delayed too");
    m.delayed.spectra.assign(keys.beta.size(), m.chi);
  }
}

/// The file with the [[material]] tables: a configuration, or a library from which one material is
/// read.
struct MaterialFile {
  bool is_library = false;
  std::string entry;  ///< name of the material that is read from the library
};
void describe_all(Section& top, MaterialSet& set, const MaterialFile& file);

void describe_library(Section& s, LibraryConfig& c) {
  s.optional("library", c.file,
             {.doc = "file with all data of the material: OpenMC's multigroup library "
                     "(mgxs.h5), or a file of [[material]] tables (NAME.toml)"});
  s.optional("entry", c.entry,
             {.doc = "name of the entry of the library; default: the name of the material"});
  s.optional("temperature", c.temperature,
             {.doc = "temperature; the nearest one in the library is used; required if the library "
                     "has several",
              .unit = "K",
              .minimum = 0});
}

/// The keys that a material from a library must not have, since its data are in the library.
constexpr std::string_view data_keys[] = {
    "total",           "absorption", "capture",    "fission", "nu_fission",   "nu",
    "kappa_fission",   "chi",        "chi_matrix", "scatter", "multiplicity", "beta",
    "decay_constants", "chi_delayed"};

/// An entry of a library, and the energies of its group bounds, if known.
struct LibraryEntry {
  Material material;
  Doubles bounds;
};

/// Reads an entry of OpenMC's library.
LibraryEntry mgxs_entry(const Section& s, const LibraryConfig& c, const std::string& entry,
                        const std::string& name, MaterialSet& set) {
  const std::string path = s.input_hdf5("library", c.file);
  MgxsEntry read;
  try {
    read = read_mgxs(path, entry, s.has("temperature") ? c.temperature : -1.0);
  } catch (const InputError& error) {
    s.fail(c.entry.empty() ? "library" : "entry", error.what());
  }
  if (s.has("temperature") && std::abs(read.temperature - c.temperature) > 1)
    set.notes.push_back(fmt::format("material `{}`: data for {:.1f} K are used for {} K", name,
                                    read.temperature, c.temperature));
  set.input_digest = Digest().add(set.input_digest).add(digest_of(read.material)).value();
  return {std::move(read.material), std::move(read.bounds)};
}

/// Reads an entry of a file of [[material]] tables, and completes it.
LibraryEntry table_entry(const Section& s, const LibraryConfig& c, const std::string& entry,
                         MaterialSet& set) {
  if (s.has("temperature"))
    s.fail("temperature", "a file of [[material]] tables has data of one temperature",
           "remove the key");
  const InputFile& input = s.input_file("library", c.file);
  MaterialSet library;
  ConfigFile::parse(input.text, input.path).read([&](Section& top) {
    describe_all(top, library, {.is_library = true, .entry = entry});
  });
  const Index at = library.find(entry);
  if (at < 0) {
    std::vector<std::string> known;
    for (const Material& m : library.materials) known.push_back(m.name);
    s.fail(c.entry.empty() ? "library" : "entry",
           fmt::format("{} has no material `{}`", c.file, entry),
           suggest_known(entry, known, "it has"));
  }
  set.notes.insert(set.notes.end(), library.notes.begin(), library.notes.end());
  return {std::move(library.materials[static_cast<std::size_t>(at)]), std::move(library.bounds)};
}

/// Sets the group bounds of the set, or checks that they are the same for all materials.
void set_or_check_bounds(const Section& s, const Doubles& bounds, MaterialSet& set) {
  if (bounds.empty()) return;
  if (set.bounds.empty()) set.bounds = bounds;
  const bool is_same =
      std::equal(set.bounds.begin(), set.bounds.end(), bounds.begin(), bounds.end(),
                 [](double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(a); });
  if (!is_same)
    s.fail("library",
           "its group bounds differ from those of [groups] or of libraries that are "
           "named before");
}

/// Replaces the data of `m` by those of its library; name, speeds and conversion of angles are
/// kept.
void replace_by_library(const Section& s, const LibraryConfig& c, Material& m, MaterialSet& set) {
  for (const std::string_view key : data_keys)
    if (s.has(key))
      s.fail(key, fmt::format("{} cannot be given with a library", key), "remove one of them");
  const std::string entry = c.entry.empty() ? m.name : c.entry;
  LibraryEntry read = c.file.ends_with(".toml") ? table_entry(s, c, entry, set)
                                                : mgxs_entry(s, c, entry, m.name, set);
  read.material.name = m.name;
  if (!m.speed.empty()) read.material.speed = m.speed;
  if (m.negative_scattering == NegativeScattering::discrete)
    read.material.negative_scattering = m.negative_scattering;
  m = std::move(read.material);
  set_or_check_bounds(s, read.bounds, set);
}

/// Checks that angles can be sampled, before any work starts.
void check_angles(const Section& s, const Material& m) {
  MaterialArrays scratch;
  scratch.groups = m.groups;
  try {
    add_material(m, scratch);
  } catch (const InputError& error) {
    s.fail(s.has("negative_scattering") ? "negative_scattering"
           : s.has("scatter_l1")        ? "scatter_l1"
                                        : "name",
           error.what());
  }
}

void describe_material(Section& s, Material& m, MaterialKeys& keys, const MaterialFile& file) {
  static constexpr std::string_view treatments[] = {"refuse", "discrete"};
  s.required("name", m.name, {.doc = "name of the material, for `fill` of cells"});
  describe_reactions(s, m);
  describe_scattering(s, keys);
  describe_fission(s, m, keys);
  if (!file.is_library) describe_library(s, keys.library);
  s.optional("scattering_order", keys.scattering_order,
             {.doc = "highest order of Legendre moments that is used; -1: all", .minimum = -1});
  s.optional("negative_scattering", m.negative_scattering, treatments,
             {.doc = "treatment of Legendre expansions with negative densities: an error, or "
                     "discrete angles with the same moments (Carter and Forest 1972)"});
}

/// Completes and checks the materials of a configuration, one after the other.
class MaterialsValidation {
 public:
  MaterialsValidation(MaterialSet& set, const GroupsConfig& groups, const MaterialFile& file)
      : set_(set), groups_(groups), file_(file) {}

  void validate(const Section& s, const MaterialKeys& keys, Material& m) {
    m.groups = set_.groups;
    set_scattering(s, keys, m);
    set_fission(s, keys, m);
    const LibraryConfig& library = keys.library;
    if (!library.file.empty()) replace_by_library(s, library, m, set_);
    check_groups(s, m);
    const Index order = keys.scattering_order;
    if (order >= 0 && static_cast<Index>(m.scatter.size()) > order + 1)
      m.scatter.resize(static_cast<std::size_t>(order) + 1);
    if (m.speed.empty()) m.speed = groups_.speed;
    check_name(s, m);
    if (file_.is_library && m.name != file_.entry) return;
    complete(
        m,
        [&](std::string_view key, const std::string& problem, const std::string& advice) {
          s.fail(s.has(key) ? key : !library.file.empty() ? "library" : "name", problem, advice);
        },
        set_.notes);
    // The run that uses the library may drop moments, or convert them.
    if (!file_.is_library) check_angles(s, m);
  }

 private:
  void check_groups(const Section& s, Material& m) {
    if (m.scatter.empty()) {
      // Without scattering the number of groups is that of the other data.
      for (const Doubles* values : {&m.total, &m.absorption, &m.capture})
        if (m.groups == 0) m.groups = static_cast<Index>(values->size());
      m.scatter.assign(1, Doubles(static_cast<std::size_t>(m.groups * m.groups), 0.0));
    }
    if (set_.groups == 0) set_.groups = m.groups;
    if (m.groups != set_.groups)
      s.fail("name", fmt::format("material `{}` has {} groups; there are {} elsewhere", m.name,
                                 m.groups, set_.groups));
  }
  void check_name(const Section& s, const Material& m) {
    if (m.name == "void")
      s.fail("name", "a material cannot be named `void`", "cells without material are void");
    const auto same = [&](const Material& other) { return &other != &m && other.name == m.name; };
    if (std::any_of(set_.materials.begin(), set_.materials.end(), same))
      s.fail("name", fmt::format("there are two materials `{}`", m.name));
  }

  MaterialSet& set_;
  const GroupsConfig& groups_;
  const MaterialFile& file_;
};

void describe_tables(Section& top, MaterialSet& set, const MaterialFile& file) {
  set = {};
  GroupsConfig groups;
  top.optional_table("groups",
                     validated([&](Section& s) { describe_groups(s, groups); },
                               [&](const Section& s) { validate_groups(s, groups, set); }),
                     "energies and speeds of the groups");
  MaterialsValidation validation(set, groups, file);
  top.tables<Material>(
      "material", set.materials,
      [&](Section& s, Material& m) {
        MaterialKeys keys;
        validated([&](Section& t) { describe_material(t, m, keys, file); },
                  [&](const Section& t) { validation.validate(t, keys, m); })(s);
      },
      "a material with its macroscopic multigroup cross sections");
}

void require_materials(const Section& top, const MaterialSet& set) {
  if (set.materials.empty()) top.fail("material", "no [[material]] is given");
}

void describe_all(Section& top, MaterialSet& set, const MaterialFile& file) {
  validated([&](Section& s) { describe_tables(s, set, file); },
            [&](const Section& s) { require_materials(s, set); })(top);
}

}  // namespace

void describe_materials(Section& top, MaterialSet& set) { describe_all(top, set, {}); }

}  // namespace gsim::transport
