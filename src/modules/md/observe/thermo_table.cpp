#include "src/modules/md/observe/thermo_table.hpp"

#include <limits>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

std::vector<ThermoTable::Column> columns_of(const ObserverSetup& setup) {
  const Units& u = *setup.units;
  const auto text = [](std::string_view s) { return std::string(s); };
  const std::string energy = text(u.energy_name), pressure = text(u.pressure_name),
                    length = text(u.length_name);
  std::vector<ThermoTable::Column> columns = {
      {"time", text(u.time_name), "time since step 0", false},
      {"temperature", text(u.temperature_name), "2 kinetic / (degrees of freedom kB)", true},
      {"kinetic_energy", energy, "of all atoms", true},
      {"potential_energy", energy, "of all atoms", true},
      {"total_energy", energy, "kinetic + potential", true},
      {"conserved_energy", energy,
       "total energy and the work of thermostats and barostats: constant but for the time step's "
       "error",
       true},
      {"pressure", pressure, "a third of the pressure tensor's trace", true}};
  for (const char* component : {"xx", "yy", "zz", "xy", "xz", "yz"})
    columns.push_back(
        {std::string("pressure_") + component, pressure, "(sum of m v v + virial) / volume", true});
  for (const std::string& name : setup.energy_names)
    columns.push_back({name + "_energy", energy, "part of the potential energy", true});
  columns.push_back({"volume", length.empty() ? "" : length + "3", "of the box", true});
  columns.push_back({"density", length.empty() ? "" : "g cm-3", "mass / volume", true});
  for (const char* axis : {"x", "y", "z"})
    columns.push_back({std::string("length_") + axis, length, "of the box", false});
  for (const char* tilt : {"xy", "xz", "yz"})
    columns.push_back({std::string("tilt_") + tilt, length, "of the box", false});
  for (const char* axis : {"x", "y", "z"})
    columns.push_back({std::string("momentum_") + axis, "", "sum of m v", false});
  for (const MotionColumn& c : setup.motion_columns)
    columns.push_back({c.name, c.unit, c.description, false, true});
  return columns;
}

}  // namespace

void describe_thermo(Section& s, ThermoConfig& config) {
  s.optional("every", config.every,
             {.doc = "steps between rows of the table (0: none)", .minimum = 0});
  s.optional("from", config.from,
             {.doc = "averages begin at this step, when the system has come to equilibrium",
              .minimum = 0});
}

ThermoTable::ThermoTable(const ThermoConfig& config, const ObserverSetup& setup)
    : config_(config),
      columns_(columns_of(setup)),
      averages_(static_cast<Index>(columns_.size())) {}

Index ThermoTable::next(Index step) const {
  if (config_.every == 0) return std::numeric_limits<Index>::max();
  return (step + config_.every - 1) / config_.every * config_.every;
}

void ThermoTable::observe(const Snapshot& snapshot) {
  drop_end();
  add_row(*snapshot.thermo);
  average(rows() - 1);
}

void ThermoTable::observe_end(const Snapshot& snapshot) {
  drop_end();
  if (config_.every == 0 || (rows() > 0 && steps_.back() == snapshot.step)) return;
  add_row(*snapshot.thermo);
  has_end_ = true;
}

void ThermoTable::drop_end() {
  if (!has_end_) return;
  steps_.pop_back();
  values_.resize(steps_.size() * columns_.size());
  has_end_ = false;
}

void ThermoTable::add_row(const Thermo& t) {
  steps_.push_back(t.step);
  values_.insert(values_.end(), {t.time, t.temperature, t.kinetic, t.potential,
                                 t.kinetic + t.potential, t.conserved, t.pressure});
  values_.insert(values_.end(), t.pressure_tensor, t.pressure_tensor + 6);
  values_.insert(values_.end(), t.energies.begin(), t.energies.end());
  values_.insert(values_.end(), {t.volume, t.density});
  for (const Vector3& v : {t.lengths, t.tilts, t.momentum})
    values_.insert(values_.end(), v.begin(), v.end());
  values_.insert(values_.end(), t.motion.begin(), t.motion.end());
  if (values_.size() != steps_.size() * columns_.size())
    throw Error("internal error: a row of the thermo table has another length than its header");
}

void ThermoTable::average(Index row) {
  const auto r = static_cast<std::size_t>(row);
  if (steps_[r] < config_.from) return;
  averages_.add(std::span<const double>(values_).subspan(r * columns_.size(), columns_.size()));
}

std::vector<Estimate> ThermoTable::estimates() const {
  std::vector<Estimate> all;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].is_averaged)
      all.push_back(
          averages_.mean(static_cast<Index>(c)).estimate(columns_[c].name, columns_[c].unit));
  return all;
}

void ThermoTable::save(DatasetWriter& writer) const {
  const std::size_t saved = steps_.size() - (has_end_ ? 1 : 0);
  writer.write("thermo/step", std::vector(steps_.begin(), steps_.begin() + std::ptrdiff_t(saved)));
  const auto end = static_cast<std::ptrdiff_t>(saved * columns_.size());
  writer.write("thermo/values", std::vector(values_.begin(), values_.begin() + end),
               static_cast<Index>(columns_.size()));
}

void ThermoTable::restore(DatasetReader& reader) {
  steps_ = reader.read<std::int64_t>("thermo/step");
  values_ = reader.read<double>("thermo/values");
  if (values_.size() != steps_.size() * columns_.size())
    throw IoError("checkpoint: thermo/values does not hold this run's columns");
  averages_ = Blocking(static_cast<Index>(columns_.size()));
  for (Index row = 0; row < rows(); ++row) average(row);
}

void ThermoTable::write_results(DatasetWriter& writer) const {
  if (config_.every == 0) return;
  writer.write("thermo/step", steps_);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::vector<double> column;
    for (Index r = 0; r < rows(); ++r) column.push_back(value(r, c));
    const std::string path = "thermo/" + columns_[c].name;
    writer.write(path, column);
    if (!columns_[c].unit.empty()) writer.attribute(path, "unit", columns_[c].unit);
    writer.attribute(path, "description", columns_[c].description);
  }
}

std::uint64_t ThermoTable::digest() const {
  Digest digest;
  digest.add(std::span<const std::int64_t>(steps_)).add(std::span<const double>(values_));
  return digest.value();
}

}  // namespace gsim::md
