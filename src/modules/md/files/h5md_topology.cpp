#include "src/modules/md/files/h5md_topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/read_numbers.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view lists = "connectivity/";
constexpr const char* special_pairs = "parameters/special_pairs";

std::string list_path(const char* name) { return fmt::format("{}{}", lists, name); }
std::string parameter_path(const char* name, const char* what) {
  return fmt::format("parameters/{}/{}", name, what);
}

/// Writes parameter lists of different lengths as a table padded with NaN.
void write_styles(ObjectWriter& objects, const char* name, const std::vector<StoredStyle>& styles) {
  std::vector<std::string> words;
  std::size_t columns = 1;
  for (const StoredStyle& style : styles) {
    words.push_back(style.style);
    columns = std::max(columns, style.values.size());
  }
  std::vector<double> values(styles.size() * columns, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t t = 0; t < styles.size(); ++t)
    std::copy(styles[t].values.begin(), styles[t].values.end(),
              values.begin() + static_cast<std::ptrdiff_t>(t * columns));
  objects.write_strings(parameter_path(name, "style"), words);
  objects.write(parameter_path(name, "values"), values, static_cast<Index>(columns));
}

template <int n>
void write_list(ObjectWriter& objects, const WrittenTopology& w, const char* name,
                const std::vector<BondedTuple<n>>& tuples, const std::vector<std::string>& labels,
                const std::vector<StoredStyle>& styles) {
  if (tuples.empty()) return;
  std::vector<Index> ids;
  std::vector<std::int32_t> types;
  for (const BondedTuple<n>& tuple : tuples) {
    if (!std::all_of(tuple.atoms.begin(), tuple.atoms.end(), w.has)) continue;
    for (const Index atom : tuple.atoms) ids.push_back(w.id_of(atom));
    types.push_back(tuple.type + 1);
  }
  objects.write(list_path(name), ids, n);
  objects.set(list_path(name), "particles_group", ObjectReference{w.group});
  objects.write(parameter_path(name, "type"), types);
  objects.write_strings(parameter_path(name, "type_names"), labels);
  if (!styles.empty()) write_styles(objects, name, styles);
}

class TopologyReader {
 public:
  TopologyReader(ResultReader& file, const H5mdAtoms& atoms) : file_(file), atoms_(atoms) {}

  void read(AtomSystem& system) {
    refuse_unknown_lists();
    Topology& t = system.topology;
    StoredBonded& styles = system.bonded;
    t.bonds = list<2>("bonds", t.bond_types, styles.bonds);
    t.angles = list<3>("angles", t.angle_types, styles.angles);
    t.dihedrals = list<4>("dihedrals", t.dihedral_types, styles.dihedrals);
    if (file_.has(special_pairs)) styles.special = read_numbers(file_, special_pairs);
    if (!file_.has(parameter_path("bonds", "type"))) refuse_repeated_bonds(t.bonds);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const char* remedy) const {
    throw InputError(fmt::format("{}: {}; {}", atoms_.path, problem, remedy));
  }
  static constexpr const char* correct_or_ignore =
      "correct the file, or set connectivity = false in [start] to read atoms without bonds";

  /// Whether a list belongs to the selected group of particles, as lists without a group do.
  bool belongs_to_group(const std::string& object) const {
    return !file_.has_attribute(object, "particles_group") ||
           file_.attribute_target(object, "particles_group") == atoms_.group;
  }

  void refuse_unknown_lists() const {
    constexpr std::array<std::string_view, 3> known{"bonds", "angles", "dihedrals"};
    for (const std::string& path : file_.list()) {
      if (!path.starts_with(lists)) continue;
      const std::string_view relative_path = std::string_view(path).substr(lists.size());
      const std::string_view name = relative_path.substr(0, relative_path.find('/'));
      const bool is_list = relative_path == name || relative_path.substr(name.size()) == "/value";
      if (!is_list || std::find(known.begin(), known.end(), name) != known.end()) continue;
      if (belongs_to_group(fmt::format("{}{}", lists, name)))
        fail(fmt::format("it has {}, but gsim reads only the lists bonds, angles and dihedrals",
                         path),
             "rename the list, or set connectivity = false in [start] to read atoms without "
             "bonds");
    }
  }

  Index integer(const std::string& path, double value) const {
    constexpr double max_exact = 0x1p53;  // integers up to this value are exact in a double
    if (!(value >= -max_exact && value <= max_exact) || value != std::floor(value))
      fail(fmt::format("{} holds {}, which is not an integer up to 2^53", path, value),
           correct_or_ignore);
    return static_cast<Index>(value);
  }

  /// The numbers of a list in the selected frame; each row has `columns` numbers.
  std::vector<double> rows_of(const std::string& path, Index columns) const {
    std::vector<Index> sizes = file_.extents(path);
    IndexRange range{0, sizes.empty() ? 0 : sizes.front()};
    if (path.ends_with("/value")) {
      const Index frame = atoms_.frame < 0 ? range.last - 1 : atoms_.frame;
      if (frame < 0 || frame >= range.last)
        fail(fmt::format("{} has {} frames, but frame {} is requested (counted from 0)", path,
                         range.last, std::max<Index>(frame, 0)),
             correct_or_ignore);
      range = {frame, frame + 1};
      sizes.erase(sizes.begin());
    }
    if (sizes.size() != 2 || sizes[1] != columns)
      fail(fmt::format("{} is not a table of {} columns", path, columns), correct_or_ignore);
    return read_numbers(file_, path, range);
  }

  Index atom_of(const std::string& path, double value) const {
    const Index number = integer(path, value), id = atoms_.has_ids ? number : number + 1;
    const auto found = std::lower_bound(atoms_.ids.begin(), atoms_.ids.end(), id);
    if (found == atoms_.ids.end() || *found != id)
      fail(fmt::format("{} refers to {} {}, which is not in {}", path,
                       atoms_.has_ids ? "the atom with id" : "row", number, atoms_.group),
           correct_or_ignore);
    return found - atoms_.ids.begin();
  }

  template <int n>
  std::vector<BondedTuple<n>> list(const char* name, std::vector<std::string>& labels,
                                   std::vector<StoredStyle>& styles) const {
    const std::string fixed = list_path(name), varying = fixed + "/value";
    const bool varies = file_.has(varying);
    if ((!varies && !file_.has(fixed)) || !belongs_to_group(fixed)) return {};
    const std::string& path = varies ? varying : fixed;
    const std::vector<double> numbers = rows_of(path, n);
    const std::size_t rows = numbers.size() / n;
    const std::vector<std::int32_t> types = types_of(name, rows, labels);
    std::vector<BondedTuple<n>> tuples;
    tuples.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const double* const ids = &numbers[row * n];
      // Lists that change in time have the length of the longest one; unused rows are negative.
      if (varies && std::any_of(ids, ids + n, [](double id) { return id < 0; })) continue;
      BondedTuple<n> tuple{types[row], {}};
      for (std::size_t k = 0; k < n; ++k) {
        tuple.atoms[k] = atom_of(path, ids[k]);
        for (std::size_t j = 0; j < k; ++j)
          if (tuple.atoms[j] == tuple.atoms[k])
            fail(fmt::format("{}, row {}: an atom is given twice", path, row), correct_or_ignore);
      }
      tuples.push_back(tuple);
    }
    if (!labels.empty()) styles = styles_of(name, labels.size());
    return tuples;
  }

  std::vector<std::int32_t> types_of(const char* name, std::size_t rows,
                                     std::vector<std::string>& labels) const {
    const std::string path = parameter_path(name, "type");
    if (!file_.has(path)) {
      if (rows > 0) labels = {"1"};
      return std::vector<std::int32_t>(rows, 0);
    }
    const std::string names = parameter_path(name, "type_names");
    if (!file_.has(names))
      fail(fmt::format("it has {} without {}", path, names), correct_or_ignore);
    labels = file_.read_strings(names);
    const std::vector<double> numbers = read_numbers(file_, path);
    if (numbers.size() != rows)
      fail(fmt::format("{} has {} rows for {} of {}", path, numbers.size(), rows, list_path(name)),
           correct_or_ignore);
    std::vector<std::int32_t> types;
    types.reserve(rows);
    for (const double number : numbers) {
      if (!(number >= 1 && number <= static_cast<double>(labels.size())))
        fail(fmt::format("{} holds {}; there are {} types", path, number, labels.size()),
             correct_or_ignore);
      types.push_back(static_cast<std::int32_t>(integer(path, number) - 1));
    }
    return types;
  }

  std::vector<StoredStyle> styles_of(const char* name, std::size_t types) const {
    // gsim 0.1 named the dataset `law` until November 2026.
    const std::string older_path = parameter_path(name, "law");
    const std::string words_path =
        file_.has(older_path) ? older_path : parameter_path(name, "style");
    const std::string values_path = parameter_path(name, "values");
    if (!file_.has(words_path) || !file_.has(values_path)) return {};
    const std::vector<std::string> words = file_.read_strings(words_path);
    const std::vector<double> values = read_numbers(file_, values_path);
    if (words.size() != types || values.size() % types != 0)
      fail(fmt::format("{} and {} do not have a row for each of {} types", words_path, values_path,
                       types),
           correct_or_ignore);
    const std::size_t columns = values.size() / types;
    std::vector<StoredStyle> styles;
    for (std::size_t t = 0; t < types; ++t) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(t * columns);
      const auto end = std::find_if(first, first + static_cast<std::ptrdiff_t>(columns),
                                    [](double value) { return std::isnan(value); });
      styles.push_back({words[t], {first, end}});
    }
    return styles;
  }

  /// Refuses lists that contain a bond twice, for example once for each of its atoms, since every
  /// such bond would act twice.
  void refuse_repeated_bonds(const std::vector<BondedTuple<2>>& bonds) const {
    std::vector<std::pair<Index, Index>> pairs;
    pairs.reserve(bonds.size());
    for (const auto& bond : bonds) pairs.push_back(std::minmax(bond.atoms[0], bond.atoms[1]));
    std::sort(pairs.begin(), pairs.end());
    const auto twice = std::adjacent_find(pairs.begin(), pairs.end());
    if (twice == pairs.end()) return;
    const auto id = [this](Index atom) { return atoms_.ids[static_cast<std::size_t>(atom)]; };
    fail(fmt::format("connectivity/bonds has the bond of the atoms with ids {} and {} twice",
                     id(twice->first), id(twice->second)),
         correct_or_ignore);
  }

  ResultReader& file_;
  const H5mdAtoms& atoms_;
};

}  // namespace

void write_h5md_topology(ObjectWriter& objects, const WrittenTopology& w) {
  const Topology& t = w.topology;
  const StoredBonded& p = w.parameters;
  write_list(objects, w, "bonds", t.bonds, t.bond_types, p.bonds);
  write_list(objects, w, "angles", t.angles, t.angle_types, p.angles);
  write_list(objects, w, "dihedrals", t.dihedrals, t.dihedral_types, p.dihedrals);
  if (t.has_bonded_terms() && !p.special.empty()) objects.write(special_pairs, p.special);
}

void read_h5md_topology(ResultReader& file, const H5mdAtoms& atoms, AtomSystem& system) {
  TopologyReader(file, atoms).read(system);
}

}  // namespace gsim::md
