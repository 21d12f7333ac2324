#include "src/modules/md/trajectories/xyz_writer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "src/modules/md/elements.hpp"
#include "src/modules/md/files/ase_units.hpp"

namespace gsim::md {
namespace {

/// The atomic number of each type, 0 if it is not an element; empty if all names of types are
/// chemical symbols.
std::vector<Index> atomic_numbers(const OutputSetup& setup) {
  const auto is_symbol = [](const std::string& name) { return element_named(name) != nullptr; };
  const std::vector<std::string>& names = setup.type_names;
  if (std::all_of(names.begin(), names.end(), is_symbol)) return {};
  std::vector<Index> numbers;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::string& symbol = t < setup.type_elements.size() ? setup.type_elements[t] : names[t];
    const ChemicalElement* const element = element_named(symbol);
    numbers.push_back(element == nullptr ? 0 : element - chemical_elements().data() + 1);
  }
  return numbers;
}

}  // namespace

XyzWriter::XyzWriter(std::string name, const TrajectoryConfig& config, const OutputSetup& setup)
    : TextTrajectory(std::move(name), config, setup),
      energy_unit_(ase_energy(*setup.units)),
      momentum_unit_(ase_momentum(*setup.units)),
      atomic_numbers_(atomic_numbers(setup)) {}

std::string XyzWriter::header(const Snapshot& s, Index atoms) const {
  const Vector3 &l = s.box.lengths(), &t = s.box.tilts(), &o = s.box.origin();
  const auto periodic = [&](int axis) {
    return s.box.boundary(axis) == Boundary::periodic ? 'T' : 'F';
  };
  std::string properties =
      atomic_numbers_.empty() ? "species:S:1:pos:R:3:id:I:1" : "type:S:1:pos:R:3:Z:I:1:id:I:1";
  if (config().image) properties += ":map_shift:I:3";
  if (config().velocity) properties += ":velo:R:3:masses:R:1:momenta:R:3";
  if (config().force) properties += ":forces:R:3";
  std::string energy;
  if (s.thermo != nullptr && has_all_atoms())
    energy = fmt::format(" energy={}", s.thermo->potential * energy_unit_);
  return fmt::format(
      "{}\nLattice=\"{} 0 0 {} {} 0 {} {} {}\" Origin=\"{} {} {}\" pbc=\"{} {} {}\" "
      "Properties={} Time={} Step={}{}\n",
      atoms, l[0], t[0], l[1], t[1], t[2], l[2], o[0], o[1], o[2], periodic(0), periodic(1),
      periodic(2), properties, s.time, s.step, energy);
}

void XyzWriter::append_atom(std::string& text, const AtomLine& atom) const {
  const auto type = static_cast<std::size_t>(atom.type);
  text += setup().type_names[type];
  append_reals(text, atom.position);
  if (!atomic_numbers_.empty())
    fmt::format_to(std::back_inserter(text), " {}", atomic_numbers_[type]);
  fmt::format_to(std::back_inserter(text), " {}", atom.id);
}

void XyzWriter::append_velocity(std::string& text, const AtomLine& atom) const {
  const double mass = setup().type_masses[static_cast<std::size_t>(atom.type)];
  append_reals(text, atom.velocity);
  append_real(text, mass);
  for (const double v : atom.velocity) append_real(text, mass * v * momentum_unit_);
}

void XyzWriter::append_force(std::string& text, const AtomLine& atom) const {
  for (const double f : atom.force) append_real(text, f * energy_unit_);
}

}  // namespace gsim::md
