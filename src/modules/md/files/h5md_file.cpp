#include "src/modules/md/files/h5md_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/read_numbers.hpp"
#include "gsim/io/result_file.hpp"
#include "src/modules/md/files/coefficient_lines.hpp"
#include "src/modules/md/files/h5md_topology.hpp"
#include "src/modules/md/files/h5md_units.hpp"
#include "src/modules/md/files/sorted_atoms.hpp"

namespace gsim::md {
namespace {

/// The value of an H5MD element in the selected frame, row by row.
struct Element {
  std::string path;
  std::vector<double> numbers;
  Index rows = 0, columns = 1;
};

class H5mdFile {
 public:
  H5mdFile(const std::string& path, const H5mdOptions& options)
      : path_(path), options_(options), file_(Communicator::self(), path) {
    group_ = "particles/" + (options.group.empty() ? only_group() : options.group);
  }

  AtomSystem read() {
    const Element position = required("position");
    atoms_ = position.rows;
    check_unit(position.path, options_.units ? options_.units->length_name : "");
    if (position.columns != 3)
      fail(fmt::format("{} has {} columns; gsim is three-dimensional", position.path,
                       position.columns));
    const Box box = read_box();
    UnsortedAtoms all;
    read_positions(box, position, all);
    read_velocities(all);
    if (const auto charge = per_atom("charge")) all.atoms.charge = charge->numbers;
    if (const auto mass = per_atom("mass")) all.masses = mass->numbers;
    if (const auto molecule = per_atom("molecule"))
      for (const double value : molecule->numbers)
        all.atoms.molecule.push_back(integer(*molecule, value));
    const auto id = per_atom("id");
    if (id)
      for (const double value : id->numbers) all.ids.push_back(integer(*id, value));
    else
      for (Index i = 0; i < atoms_; ++i) all.ids.push_back(i + 1);
    read_species(all);
    AtomSystem system = sorted_system(box, std::move(all), path_);
    read_interactions(system, id.has_value());
    return system;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}: {}", path_, problem));
  }

  /// The name of the only group of particles that has positions.
  std::string only_group() const {
    std::set<std::string> found;
    for (const std::string& name : file_.list()) {
      const std::string_view path = name;
      if (!path.starts_with("particles/")) continue;  // 10 characters
      const std::size_t end = path.find('/', 10);
      const std::string_view element_path = end == path.npos ? "" : path.substr(end);
      if (element_path == "/position" || element_path == "/position/value")
        found.emplace(path.substr(10, end - 10));
    }
    if (found.empty()) fail("it has no particles/GROUP/position; give an H5MD file with positions");
    if (found.size() > 1)
      fail(fmt::format("it has several groups of particles ({}); name one of them",
                       fmt::join(found, ", ")));
    return *found.begin();
  }

  /// An element in the selected frame: PATH/value [frames][…], or PATH if it is constant in time.
  std::optional<Element> element(const std::string& name) const {
    const std::string fixed = fmt::format("{}/{}", group_, name), varying = fixed + "/value";
    Element e;
    IndexRange rows;
    std::vector<Index> sizes;
    if (file_.has(varying)) {
      e.path = varying;
      sizes = file_.extents(varying);
      const Index frames = sizes.empty() ? 0 : sizes.front();
      const Index frame = options_.frame < 0 ? frames - 1 : options_.frame;
      if (frame < 0 || frame >= frames)
        fail(fmt::format("{} has {} frames, but frame {} is requested (counted from 0)", varying,
                         frames, options_.frame < 0 ? Index{0} : options_.frame));
      rows = {frame, frame + 1};
      sizes.erase(sizes.begin());
    } else if (file_.has(fixed)) {
      e.path = fixed;
      sizes = file_.extents(fixed);
      rows = {0, sizes.empty() ? 1 : sizes.front()};
    } else {
      return std::nullopt;
    }
    e.rows = sizes.empty() ? 1 : sizes.front();
    for (std::size_t i = 1; i < sizes.size(); ++i) e.columns *= sizes[i];
    e.numbers = read_numbers(file_, e.path, rows);
    return e;
  }
  Element required(const std::string& name) const {
    auto found = element(name);
    if (!found) fail(fmt::format("it has no {}/{}", group_, name));
    return std::move(*found);
  }
  std::optional<Element> per_atom(const std::string& name, Index columns = 1) const {
    auto found = element(name);
    if (found && (found->rows != atoms_ || found->columns != columns))
      fail(fmt::format("{} has {} rows of {} columns; expected {} rows (one per atom) of {}",
                       found->path, found->rows, found->columns, atoms_, columns));
    return found;
  }

  Index integer(const Element& e, double value) const {
    constexpr double max_exact = 0x1p53;  // integers up to this value are exact in a double
    if (!(value >= -max_exact && value <= max_exact) ||
        value != static_cast<double>(static_cast<Index>(value)))
      fail(fmt::format("{} holds {}, which is not an integer up to 2^53", e.path, value));
    return static_cast<Index>(value);
  }

  void check_unit(const std::string& path, std::string_view unit_of_run) const {
    if (unit_of_run.empty() || !file_.has_attribute(path, "unit")) return;
    const std::string unit_of_file = file_.attribute(path, "unit");
    if (unit_of_file != unit_of_run)
      fail(fmt::format("{} is in {}, this run is in {}; convert the file, or choose other units",
                       path, unit_of_file, unit_of_run));
  }

  /// The velocity unit of the run in units of the file.
  double velocity_unit(const std::string& path) const {
    if (options_.units && file_.has_attribute(path, "unit"))
      if (const auto factor = velocity_in(*options_.units, file_.attribute(path, "unit")))
        return *factor;
    check_unit(path, options_.units ? options_.units->velocity_name : "");
    return 1;
  }

  Box read_box() const {
    const Element edges = required("box/edges");
    std::vector<double> m(9, 0.0);
    if (edges.rows == 3 && edges.columns == 1)
      for (std::size_t a = 0; a < 3; ++a) m[4 * a] = edges.numbers[a];
    else if (edges.rows == 3 && edges.columns == 3)
      m = edges.numbers;
    else
      fail(fmt::format("{} is {} x {}, not [3] or [3][3]", edges.path, edges.rows, edges.columns));
    if (m[1] != 0 || m[2] != 0 || m[5] != 0)
      fail(
          fmt::format("{}: the first box vector is not along x, or the second not in the xy "
                      "plane; rotate box and atoms",
                      edges.path));
    const std::string box = group_ + "/box";
    std::array<Boundary, 3> boundaries{};
    if (file_.has_attribute(box, "boundary")) {
      const auto words = file_.attribute_texts(box, "boundary");
      for (std::size_t a = 0; a < 3; ++a) {
        const std::string& word = words.size() == 1 ? words[0] : words.at(a);
        if (word != "periodic" && word != "none")
          fail(fmt::format("attribute boundary of {} is \"{}\", not periodic or none", box, word));
        boundaries[a] = word == "periodic" ? Boundary::periodic : Boundary::open;
      }
    }
    Vector3 origin{};
    if (file_.has_attribute(box, "origin")) {
      const auto o = file_.attribute_numbers(box, "origin");
      if (o.size() != 3)
        fail(fmt::format("attribute origin of {} does not have three numbers", box));
      std::copy(o.begin(), o.end(), origin.begin());
    }
    try {
      return Box(origin, {m[0], m[4], m[8]}, {m[3], m[6], m[7]}, boundaries);
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void read_positions(const Box& box, const Element& position, UnsortedAtoms& all) const {
    const auto image = per_atom("image", 3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(atoms_); ++i) {
      const double* const x = &position.numbers[3 * i];
      ImageCount crossings{};
      try {
        all.atoms.position.push_back(box.to_fixed({x[0], x[1], x[2]}, crossings));
      } catch (const NumericalError& error) {
        fail(fmt::format("{}, row {}: {}", position.path, i, error.what()));
      }
      if (image)
        for (std::size_t a = 0; a < 3; ++a)
          crossings[a] += static_cast<std::int32_t>(integer(*image, image->numbers[3 * i + a]));
      all.atoms.image.push_back(crossings);
    }
  }

  void read_velocities(UnsortedAtoms& all) const {
    const auto velocity = per_atom("velocity", 3);
    if (!velocity) return;
    const double unit = velocity_unit(velocity->path);
    for (std::size_t i = 0; i < static_cast<std::size_t>(atoms_); ++i) {
      const double* const v = &velocity->numbers[3 * i];
      if (!std::isfinite(v[0]) || !std::isfinite(v[1]) || !std::isfinite(v[2]))
        fail(fmt::format("{}, row {}: a velocity is not finite", velocity->path, i));
      all.atoms.velocity.push_back({v[0] / unit, v[1] / unit, v[2] / unit});
    }
  }

  void read_species(UnsortedAtoms& all) {
    const auto species = per_atom("species");
    std::vector<std::string> names;
    if (file_.has("parameters/type_names")) names = file_.read_strings("parameters/type_names");
    all.known_species = names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(atoms_); ++i) {
      const Index number = species ? integer(*species, species->numbers[i]) : 1;
      const bool is_named = number >= 1 && number <= static_cast<Index>(names.size());
      all.species.push_back(is_named ? names[static_cast<std::size_t>(number - 1)]
                                     : fmt::format("{}", number));
    }
  }

  /// Reads bonded interactions and pair coefficients.
  void read_interactions(AtomSystem& system, bool has_ids) {
    if (options_.connectivity) {
      H5mdAtoms atoms{path_, group_, options_.frame, system.given_ids, has_ids};
      for (Index i = 0; i < atoms_ && system.given_ids.empty(); ++i) atoms.ids.push_back(i + 1);
      read_h5md_topology(file_, atoms, system);
    }
    if (file_.has(h5md_pair_coefficients))
      system.coefficients =
          coefficient_sections(file_.read_strings(h5md_pair_coefficients), system.types, path_);
  }

  std::string path_;
  H5mdOptions options_;
  mutable ResultReader file_;  // its member functions are not const
  std::string group_;
  Index atoms_ = 0;
};

template <int n>
void add_tuples(Digest& digest, const std::vector<BondedTuple<n>>& tuples,
                const std::vector<std::string>& labels, const std::vector<StoredStyle>& styles) {
  digest.add(static_cast<Index>(tuples.size()));
  for (const auto& tuple : tuples) digest.add(tuple.type).add(std::span<const Index>(tuple.atoms));
  for (const std::string& label : labels) digest.add(label);
  for (const StoredStyle& style : styles)
    digest.add(style.style).add(std::span<const double>(style.values));
}

// Adds nothing for systems without bonds, so that digests in older checkpoints remain valid.
void add_topology(Digest& digest, const AtomSystem& system) {
  const Topology& t = system.topology;
  const StoredBonded& b = system.bonded;
  if (t.has_bonded_terms()) {
    add_tuples(digest, t.bonds, t.bond_types, b.bonds);
    add_tuples(digest, t.angles, t.angle_types, b.angles);
    add_tuples(digest, t.dihedrals, t.dihedral_types, b.dihedrals);
    digest.add(std::span<const double>(b.special));
  }
  for (const CoefficientSection& section : system.coefficients) {
    digest.add(section.name).add(section.style);
    for (const CoefficientLine& line : section.lines) {
      digest.add(std::span<const std::int32_t>(line.types));
      for (const std::string& word : line.words) digest.add(word);
    }
  }
}

}  // namespace

AtomSystem read_h5md(const std::string& path, const H5mdOptions& options) {
  try {
    return H5mdFile(path, options).read();
  } catch (const IoError& error) {
    throw InputError(error.what());  // errors of an input file are input errors
  }
}

std::uint64_t digest_of(const AtomSystem& system) {
  Digest digest;
  const auto add_vector = [&](const Vector3& v) { digest.add(std::span<const double>(v)); };
  const Box& box = system.box;
  for (const Vector3& v : {box.origin(), box.lengths(), box.tilts()}) add_vector(v);
  for (int a = 0; a < 3; ++a) digest.add(box.boundary(a) == Boundary::periodic);
  for (const AtomType& type : system.types) digest.add(type.label).add(type.mass);
  const AtomColumns& atoms = system.atoms;
  digest.add(atoms.size()).add(std::span<const std::int32_t>(atoms.type));
  for (const FixedPosition& x : atoms.position) digest.add(std::span<const std::uint64_t>(x.x));
  for (const ImageCount& image : atoms.image) digest.add(std::span<const std::int32_t>(image));
  digest.add(atoms.velocity.size());
  for (const Vector3& v : atoms.velocity) add_vector(v);
  digest.add(atoms.charge.size()).add(std::span<const double>(atoms.charge));
  digest.add(std::span<const Index>(system.given_ids));
  add_topology(digest, system);
  return digest.value();
}

}  // namespace gsim::md
