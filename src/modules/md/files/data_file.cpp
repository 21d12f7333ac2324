#include "src/modules/md/files/data_file.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/data_sections.hpp"

namespace gsim::md {
namespace {

constexpr Index max_id = std::numeric_limits<Index>::max() / 2;

/// Positions of the columns in a row of Atoms; -1: absent.
struct Columns {
  int molecule, type, charge, position;
};
Columns columns_of(DataStyle style) {
  switch (style) {
    case DataStyle::charge:
      return {-1, 1, 2, 3};
    case DataStyle::bond:
    case DataStyle::angle:
    case DataStyle::molecular:
      return {1, 2, -1, 3};
    case DataStyle::full:
      return {1, 2, 3, 4};
    default:
      return {-1, 1, -1, 2};
  }
}

class DataFile {
 public:
  DataFile(std::string_view text, const std::string& file, const DataFileOptions& options)
      : file_(file), data_(split_data_file(text, file)), options_(options), reader_({}, file) {}

  AtomSystem read() {
    AtomSystem system{box(), {}, {}, {}, {}, {}, file_};
    const DataSection* impropers = data_.find("Impropers");
    if (data_.count("impropers") > 0 || (impropers != nullptr && !impropers->rows.empty()))
      fail_file("it has improper dihedrals, and gsim has no potentials of improper dihedrals",
                "remove the section `Impropers`, and set `impropers` and `improper types` to 0");
    read_labels(system);
    read_masses(system);
    read_atoms(system);
    read_velocities(system);
    auto& t = system.topology;
    t.bonds = bonded<2>("Bonds", "bonds", "bond", t.bond_types);
    t.angles = bonded<3>("Angles", "angles", "angle", t.angle_types);
    t.dihedrals = bonded<4>("Dihedrals", "dihedrals", "dihedral", t.dihedral_types);
    read_coefficients(system);
    return system;
  }

 private:
  [[noreturn]] void fail_file(const std::string& problem, const std::string& remedy) const {
    throw InputError(fmt::format("{}: {}; {}", file_, problem, remedy));
  }
  [[noreturn]] void fail(const DataRow& row, const std::string& problem,
                         const std::string& remedy) const {
    fail_at(file_, row.line, problem, remedy);
  }
  // Conversions of LineReader; errors report the line of `row`.
  double real(const DataRow& row, std::size_t column, std::string_view field) const {
    return at(row).real(row.words[column], field);
  }
  Index integer(const DataRow& row, std::size_t column, std::string_view field, Index minimum,
                Index maximum) const {
    return at(row).integer(row.words[column], field, minimum, maximum);
  }
  const LineReader& at(const DataRow& row) const {
    reader_.set_line_number(row.line);
    return reader_;
  }
  void expect_columns(const DataRow& row, const char* section, std::size_t minimum,
                      std::size_t maximum) const {
    if (row.words.size() < minimum || row.words.size() > maximum)
      fail(row, fmt::format("a row of {} has {} columns", section, row.words.size()),
           minimum == maximum ? fmt::format("it must have {}", minimum)
                              : fmt::format("it must have {} to {}", minimum, maximum));
  }
  void expect_rows(const DataSection* section, const char* name, Index count) const {
    const auto rows = section == nullptr ? 0 : static_cast<Index>(section->rows.size());
    if (rows == count) return;
    if (section == nullptr)
      fail_file(
          fmt::format("there is no section {}, but the header announces {} rows", name, count),
          "correct the header, or add the section");
    fail_at(file_, section->line,
            fmt::format("section {} has {} rows, but the header announces {}", name, rows, count),
            "correct the header or the section");
  }

  Box box() const {
    for (std::size_t a = 0; a < 3; ++a)
      if (!data_.has_bounds[a])
        fail_file(fmt::format("the header has no line \"{0}lo {0}hi\"", static_cast<char>('x' + a)),
                  "give the bounds of the box");
    Vector3 lengths{};
    for (std::size_t a = 0; a < 3; ++a) lengths[a] = data_.high[a] - data_.low[a];
    try {
      return Box(data_.low, lengths, data_.tilts, options_.boundaries);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", file_, error.what()));
    }
  }

  std::vector<std::string> labels(const char* section_name, Index count) const {
    std::vector<std::string> names;
    for (Index i = 1; i <= count; ++i) names.push_back(std::to_string(i));
    const DataSection* section = data_.find(section_name);
    if (section == nullptr) return names;
    expect_rows(section, section_name, count);
    for (const DataRow& row : section->rows) {
      expect_columns(row, section_name, 2, 2);
      names[static_cast<std::size_t>(integer(row, 0, "the type", 1, count) - 1)] = row.words[1];
    }
    return names;
  }
  void read_labels(AtomSystem& system) {
    for (const std::string& label : labels("Atom Type Labels", data_.count("atom types")))
      system.types.push_back({label, 0});
    for (const AtomType& type : system.types) type_names_.push_back(type.label);
    auto& t = system.topology;
    t.bond_types = labels("Bond Type Labels", data_.count("bond types"));
    t.angle_types = labels("Angle Type Labels", data_.count("angle types"));
    t.dihedral_types = labels("Dihedral Type Labels", data_.count("dihedral types"));
  }
  /// The index of a type that is given by number or label.
  std::int32_t type(const DataRow& row, std::size_t column,
                    const std::vector<std::string>& names) const {
    const std::string_view word = row.words[column];
    const bool is_number = word.find_first_not_of("0123456789") == word.npos;
    if (is_number)
      return static_cast<std::int32_t>(
          integer(row, column, "the type", 1, static_cast<Index>(names.size())) - 1);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      fail(row, fmt::format("there is no type \"{}\"", word),
           "give a number, or a label of the section of type labels");
    return static_cast<std::int32_t>(found - names.begin());
  }

  void read_masses(AtomSystem& system) const {
    const DataSection* section = data_.find("Masses");
    if (section == nullptr) return;
    expect_rows(section, "Masses", data_.count("atom types"));
    for (const DataRow& row : section->rows) {
      expect_columns(row, "Masses", 2, 2);
      const double mass = real(row, 1, "the mass");
      if (!(mass > 0)) fail(row, fmt::format("the mass is {}", row.words[1]), "give more than 0");
      system.types[static_cast<std::size_t>(type(row, 0, type_names_))].mass = mass;
    }
  }

  DataStyle style(const DataSection& atoms) const {
    if (options_.style != DataStyle::from_file) return options_.style;
    if (!atoms.style.empty()) {
      const auto words = data_style_names();
      for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i] == atoms.style) return static_cast<DataStyle>(i);
      fail_at(file_, atoms.line, fmt::format("atoms have the style \"{}\"", atoms.style),
              "gsim reads atomic, charge, bond, angle, molecular and full");
    }
    const std::size_t width = atoms.rows.empty() ? 5 : atoms.rows.front().words.size();
    // Rows may end with three image flags.
    if (width == 5 || width == 8) return DataStyle::atomic;
    if (width == 7 || width == 10) return DataStyle::full;
    if (data_.count("bonds") > 0) return DataStyle::molecular;
    fail_at(file_, atoms.line,
            "the style of Atoms is ambiguous: several styles have this number of columns",
            "write the style after the name of the section: \"Atoms # charge\"");
  }

  void read_atoms(AtomSystem& system) {
    const DataSection* section = data_.find("Atoms");
    expect_rows(section, "Atoms", data_.count("atoms"));
    if (section == nullptr) fail_file("it has no atoms", "a data file needs a section Atoms");
    const Columns c = columns_of(style(*section));
    const auto n = section->rows.size(), width = static_cast<std::size_t>(c.position) + 3;
    sort_ids(*section, width);
    AtomColumns& atoms = system.atoms;
    atoms.type.resize(n);
    atoms.position.resize(n);
    atoms.image.resize(n);
    if (c.charge >= 0) atoms.charge.resize(n);
    if (c.molecule >= 0) atoms.molecule.resize(n);
    for (const DataRow& row : section->rows) {
      const auto i = static_cast<std::size_t>(index_of(row, 0));
      atoms.type[i] = type(row, static_cast<std::size_t>(c.type), type_names_);
      if (c.charge >= 0)
        atoms.charge[i] = real(row, static_cast<std::size_t>(c.charge), "the charge");
      if (c.molecule >= 0)
        atoms.molecule[i] =
            integer(row, static_cast<std::size_t>(c.molecule), "the molecule", 0, max_id);
      set_position(system, i, row, static_cast<std::size_t>(c.position));
    }
    if (ids_.back() != static_cast<Index>(n)) system.given_ids = ids_;
  }
  /// Sets ids_. `width`: number of columns of a row without image flags.
  void sort_ids(const DataSection& section, std::size_t width) {
    if (section.rows.empty()) fail_file("it has no atoms", "give at least one");
    for (const DataRow& row : section.rows) {
      if (row.words.size() != width && row.words.size() != width + 3)
        fail(row, fmt::format("a row of Atoms has {} columns", row.words.size()),
             fmt::format("its style has {}, or {} with image flags", width, width + 3));
      ids_.push_back(integer(row, 0, "the id", 1, max_id));
    }
    std::sort(ids_.begin(), ids_.end());
    const auto repeated = std::adjacent_find(ids_.begin(), ids_.end());
    if (repeated == ids_.end()) return;
    const auto has_this_id = [&](const DataRow& row) {
      return integer(row, 0, "the id", 1, max_id) == *repeated;
    };
    const auto first = std::find_if(section.rows.begin(), section.rows.end(), has_this_id);
    fail(*std::find_if(first + 1, section.rows.end(), has_this_id),
         fmt::format("id {} is given twice in section Atoms, first in line {}", *repeated,
                     first->line),
         "give each atom an id of its own");
  }
  /// The index of the atom whose id is in a column.
  Index index_of(const DataRow& row, std::size_t column) const {
    const Index id = integer(row, column, "the id of an atom", 1, max_id);
    const auto n = static_cast<Index>(ids_.size());
    if (id <= n && ids_[static_cast<std::size_t>(id - 1)] == id) return id - 1;
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (found == ids_.end() || *found != id)
      fail(row, fmt::format("there is no atom {}", id), "name an atom of section Atoms");
    return found - ids_.begin();
  }
  void set_position(AtomSystem& system, std::size_t i, const DataRow& row,
                    std::size_t column) const {
    constexpr std::string_view names[] = {"x", "y", "z"};
    constexpr std::string_view flags[] = {"image flag ix", "image flag iy", "image flag iz"};
    constexpr Index max_images = 1 << 30;
    Vector3 point{};
    for (std::size_t a = 0; a < 3; ++a) point[a] = real(row, column + a, names[a]);
    try {
      system.atoms.position[i] = system.box.to_fixed(point, system.atoms.image[i]);
    } catch (const NumericalError& error) {
      fail(row, error.what(), "correct the position or the box");
    }
    if (row.words.size() > column + 3)
      for (std::size_t a = 0; a < 3; ++a)
        system.atoms.image[i][a] += static_cast<std::int32_t>(
            integer(row, column + 3 + a, flags[a], -max_images, max_images));
  }

  void read_velocities(AtomSystem& system) const {
    const DataSection* section = data_.find("Velocities");
    if (section == nullptr) return;
    expect_rows(section, "Velocities", data_.count("atoms"));
    std::vector<bool> given(ids_.size());
    system.atoms.velocity.resize(ids_.size());
    for (const DataRow& row : section->rows) {
      expect_columns(row, "Velocities", 4, 4);
      const auto i = static_cast<std::size_t>(index_of(row, 0));
      if (given[i]) fail(row, fmt::format("atom {} has two velocities", ids_[i]), "remove one");
      given[i] = true;
      system.atoms.velocity[i] = {real(row, 1, "vx"), real(row, 2, "vy"), real(row, 3, "vz")};
    }
  }

  /// The bonds (n = 2), angles (3) or dihedrals (4) of the section `name`.
  template <int n>
  std::vector<BondedTuple<n>> bonded(const char* name, const char* count_key, const char* kind,
                                     const std::vector<std::string>& types) const {
    const DataSection* section = data_.find(name);
    expect_rows(section, name, data_.count(count_key));
    std::vector<BondedTuple<n>> list;
    if (section == nullptr) return list;
    for (const DataRow& row : section->rows) {
      expect_columns(row, name, n + 2, n + 2);
      BondedTuple<n> tuple{type(row, 1, types), {}};
      for (std::size_t k = 0; k < n; ++k) {
        tuple.atoms[k] = index_of(row, k + 2);
        for (std::size_t j = 0; j < k; ++j)
          if (tuple.atoms[j] == tuple.atoms[k])
            fail(row, fmt::format("a {} has atom {} twice", kind, row.words[k + 2]), "correct it");
      }
      list.push_back(tuple);
    }
    return list;
  }

  void read_coefficients(AtomSystem& system) const {
    const auto& t = system.topology;
    const struct {
      const char* name;
      const std::vector<std::string>& types;
      std::size_t keys;
    } kinds[] = {{"Pair Coeffs", type_names_, 1},
                 {"PairIJ Coeffs", type_names_, 2},
                 {"Bond Coeffs", t.bond_types, 1},
                 {"Angle Coeffs", t.angle_types, 1},
                 {"Dihedral Coeffs", t.dihedral_types, 1}};
    for (const auto& kind : kinds) {
      const DataSection* section = data_.find(kind.name);
      if (section == nullptr) continue;
      CoefficientSection result{kind.name, section->style, {}};
      for (const DataRow& row : section->rows) {
        expect_columns(row, kind.name, kind.keys + 1, 100);
        CoefficientLine line{{}, {}, static_cast<int>(row.line)};
        for (std::size_t k = 0; k < kind.keys; ++k) line.types.push_back(type(row, k, kind.types));
        line.words.assign(row.words.begin() + static_cast<std::ptrdiff_t>(kind.keys),
                          row.words.end());
        result.lines.push_back(std::move(line));
      }
      system.coefficients.push_back(std::move(result));
    }
  }

  std::string file_;
  DataSections data_;
  DataFileOptions options_;
  mutable LineReader reader_;
  std::vector<Index> ids_;  ///< ascending
  std::vector<std::string> type_names_;
};

}  // namespace

std::span<const std::string_view> data_style_names() {
  static constexpr std::array<std::string_view, 7> words{"from_file", "atomic",    "charge", "bond",
                                                         "angle",     "molecular", "full"};
  return words;
}

AtomSystem read_data_file(std::string_view text, const std::string& file,
                          const DataFileOptions& options) {
  return DataFile(text, file, options).read();
}

}  // namespace gsim::md
