#include "src/modules/md/sampling/thermo_table.hpp"

#include <vector>

namespace gsim::md {
namespace {

std::vector<SeriesColumn> columns_of(const OutputSetup& setup) {
  const Units& u = *setup.units;
  const auto text = [](std::string_view s) { return std::string(s); };
  const std::string energy = text(u.energy_name), pressure = text(u.pressure_name),
                    length = text(u.length_name);
  std::vector<SeriesColumn> columns = {
      {"time", text(u.time_name), "time since step 0", false},
      {"temperature", text(u.temperature_name), "2 kinetic / (degrees of freedom kB)", true},
      {"kinetic_energy", energy, "kinetic energy of all atoms", true},
      {"potential_energy", energy, "potential energy of all atoms", true},
      {"total_energy", energy, "kinetic + potential", true},
      {"conserved_energy", energy,
       "total energy minus the energy supplied by thermostats and barostats: constant but for the "
       "error of the time step",
       true},
      {"pressure", pressure, "a third of the trace of the pressure tensor", true}};
  for (const char* component : {"xx", "yy", "zz", "xy", "xz", "yz"})
    columns.push_back(
        {std::string("pressure_") + component, pressure, "(sum of m v v + virial) / volume", true});
  for (const std::string& name : setup.energy_names)
    columns.push_back({name + "_energy", energy, "contribution to the potential energy", true});
  columns.push_back({"volume", length.empty() ? "" : length + "3", "volume of the box", true});
  columns.push_back({"density", length.empty() ? "" : "g cm-3", "mass / volume", true});
  for (const char* axis : {"x", "y", "z"})
    columns.push_back({std::string("length_") + axis, length, "edge length of the box", false});
  for (const char* tilt : {"xy", "xz", "yz"})
    columns.push_back({std::string("tilt_") + tilt, length, "tilt factor of the box", false});
  for (const char* axis : {"x", "y", "z"})
    columns.push_back({std::string("momentum_") + axis, "", "sum of m v", false});
  for (const IntegratorColumn& c : setup.integrator_columns)
    columns.push_back({c.name, c.unit, c.description, false});
  return columns;
}

std::vector<double> row_of(const Thermo& t) {
  std::vector<double> row = {t.time,      t.temperature,           t.kinetic,
                             t.potential, t.kinetic + t.potential, t.conserved,
                             t.pressure};
  row.insert(row.end(), t.pressure_tensor, t.pressure_tensor + 6);
  row.insert(row.end(), t.energies.begin(), t.energies.end());
  row.insert(row.end(), {t.volume, t.density});
  for (const Vector3& v : {t.lengths, t.tilts, t.momentum})
    row.insert(row.end(), v.begin(), v.end());
  row.insert(row.end(), t.motion.begin(), t.motion.end());
  return row;
}

}  // namespace

ThermoTable::ThermoTable(const ThermoConfig& config, const OutputSetup& setup)
    : table_("thermo", columns_of(setup), config),
      first_of_integrator_(table_.columns().size() - setup.integrator_columns.size()) {}

void ThermoTable::observe(const Snapshot& snapshot) {
  table_.append(snapshot.thermo->step, row_of(*snapshot.thermo));
}

void ThermoTable::observe_end(const Snapshot& snapshot) {
  table_.append_end(snapshot.step, row_of(*snapshot.thermo));
}

}  // namespace gsim::md
