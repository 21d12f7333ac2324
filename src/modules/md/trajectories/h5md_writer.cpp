#include "src/modules/md/trajectories/h5md_writer.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/error.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/bonded/stored_bonded.hpp"
#include "src/modules/md/files/coefficient_lines.hpp"
#include "src/modules/md/files/h5md_topology.hpp"
#include "src/modules/md/files/h5md_units.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {
namespace {

constexpr const char* group = "particles/trajectory";

std::string in_group(std::string_view name) { return fmt::format("{}/{}", group, name); }

/// Thermodynamic quantities of a frame.
struct Observable {
  const char* name;
  bool is_tensor;
  std::string_view Units::*unit;
  const char* exponent;  ///< appended to the name of the unit, as in H5MD's "nm+3"
  const double* (*values)(const Thermo&);
};
const Observable observables[] = {
    {"temperature", false, &Units::temperature_name, "",
     [](const Thermo& t) { return &t.temperature; }},
    {"kinetic_energy", false, &Units::energy_name, "", [](const Thermo& t) { return &t.kinetic; }},
    {"potential_energy", false, &Units::energy_name, "",
     [](const Thermo& t) { return &t.potential; }},
    {"conserved_energy", false, &Units::energy_name, "",
     [](const Thermo& t) { return &t.conserved; }},
    {"pressure", false, &Units::pressure_name, "", [](const Thermo& t) { return &t.pressure; }},
    {"pressure_tensor", true, &Units::pressure_name, "",
     [](const Thermo& t) { return &t.pressure_tensor[0]; }},
    {"volume", false, &Units::length_name, "+3", [](const Thermo& t) { return &t.volume; }},
};

std::string observable(const Observable& o) { return fmt::format("observables/{}", o.name); }

/// Real numbers in the precision of the file.
struct Reals {
  Reals(TrajectoryPrecision precision, std::vector<double> values) : doubles(std::move(values)) {
    if (precision == TrajectoryPrecision::float64) return;
    floats.reserve(doubles.size());
    for (const double x : doubles) floats.push_back(static_cast<float>(x));
  }
  const void* data() const {
    return floats.empty() ? static_cast<const void*>(doubles.data()) : floats.data();
  }
  std::vector<double> doubles;
  std::vector<float> floats;
};

/// The components of all rows, three each, times `factor`.
template <class Row>
std::vector<double> flat(const std::vector<Row>& rows, double factor) {
  std::vector<double> values;
  values.reserve(3 * rows.size());
  for (const Row& row : rows)
    for (const auto component : row) values.push_back(static_cast<double>(component) * factor);
  return values;
}

using Matrix = std::array<double, 9>;
/// The 3 x 3 matrix of a symmetric tensor {xx, yy, zz, xy, xz, yz}, row by row.
Matrix full_matrix(const double* t) {
  return {t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2]};
}

}  // namespace

/// One frame of this rank.
struct H5mdWriter::Values {
  Index step = 0;
  double time = 0;
  std::array<double, 9> edges{};
  Reals position;
  std::optional<Reals> velocity, force;
  std::vector<ImageCount> image;
  const Thermo* thermo = nullptr;
};

H5mdWriter::H5mdWriter(std::string name, const TrajectoryConfig& config, const OutputSetup& setup)
    : name_(std::move(name)),
      config_(config),
      setup_(setup),
      rows_(setup, config.types, config.path(setup.output)) {}

void H5mdWriter::make_file() {
  const ElementType real = config_.precision == TrajectoryPrecision::float32 ? ElementType::float32
                                                                             : ElementType::float64;
  std::vector<FrameSeries> series{{in_group("position/step"), ElementType::int64, {}},
                                  {in_group("position/time"), ElementType::float64, {}},
                                  {in_group("box/edges/value"), ElementType::float64, {3, 3}}};
  const auto add = [&](bool is_selected, const char* quantity, ElementType type) {
    if (!is_selected) return;
    series.push_back(
        {in_group(fmt::format("{}/value", quantity)), type, {rows_.total(), 3}, rows_.local()});
  };
  add(true, "position", real);
  add(config_.velocity, "velocity", real);
  add(config_.force, "force", real);
  add(config_.image, "image", ElementType::int32);
  if (config_.thermo)
    for (const Observable& o : observables) {
      const auto shape = o.is_tensor ? std::vector<Index>{3, 3} : std::vector<Index>{};
      series.push_back({observable(o) + "/value", ElementType::float64, shape});
    }
  file_ = std::make_unique<SegmentedFile>(setup_.communicator, config_.path(setup_.output),
                                          std::move(series));
}

void H5mdWriter::append(const Values& v) {
  std::vector<const void*> data{&v.step, &v.time, v.edges.data(), v.position.data()};
  if (v.velocity) data.push_back(v.velocity->data());
  if (v.force) data.push_back(v.force->data());
  if (config_.image) data.push_back(v.image.data());
  Matrix tensor{};
  if (config_.thermo)
    for (const Observable& o : observables) {
      if (o.is_tensor) tensor = full_matrix(o.values(*v.thermo));
      data.push_back(o.is_tensor ? tensor.data() : o.values(*v.thermo));
    }
  file_->append(data);
}

void H5mdWriter::observe(const Snapshot& s) {
  if (s.step <= last_step_) return;  // written before the checkpoint from which this run resumes
  if (!file_) {
    rows_.select(s);
    make_file();
    file_->start();
    for (int a = 0; a < 3; ++a) periodic_.push_back(s.box.boundary(a) == Boundary::periodic);
    origin_.assign(s.box.origin().begin(), s.box.origin().end());
  }
  std::vector<double> positions;
  for (const FixedPosition& x : rows_.rows<FixedPosition>(s, s.particles.store.position())) {
    const Vector3 point = s.box.to_cartesian(x);
    positions.insert(positions.end(), point.begin(), point.end());
  }
  const Vector3 &l = s.box.lengths(), &t = s.box.tilts();
  Values values{s.step,
                s.time,
                {l[0], 0, 0, t[0], l[1], 0, t[1], t[2], l[2]},
                Reals(config_.precision, std::move(positions)),
                {},
                {},
                {},
                s.thermo};
  if (config_.velocity)
    values.velocity.emplace(config_.precision, flat(rows_.rows<Vector3>(s, s.particles.velocity),
                                                    h5md_velocity(*setup_.units).factor));
  if (config_.force)
    values.force.emplace(config_.precision,
                         flat(rows_.rows<std::array<std::int64_t, 3>>(s, s.particles.force),
                              setup_.quanta.force * h5md_force(*setup_.units).factor));
  if (config_.image) values.image = rows_.rows<ImageCount>(s, s.particles.image);
  append(values);
  last_step_ = s.step;
}

void H5mdWriter::describe(ObjectWriter& objects) const {
  const Units& units = *setup_.units;
  objects.set("h5md", "version", std::vector<Index>{1, 1});
  objects.set("h5md/author", "name", FixedLengthString{config_.author});
  objects.set("h5md/creator", "name", FixedLengthString{"gsim"});
  objects.set("h5md/creator", "version", FixedLengthString{build_info().version});
  const std::string box = in_group("box");
  objects.set(box, "dimension", Index{3});
  std::vector<std::string> boundary;
  for (const Index p : periodic_) boundary.push_back(p != 0 ? "periodic" : "none");
  objects.set(box, "boundary", boundary);
  objects.set(box, "origin", origin_);
  const auto unit = [&](const std::string& path, std::string_view name) {
    if (!name.empty()) objects.set(path, "unit", VariableLengthString{std::string(name)});
  };
  unit(in_group("position/time"), units.time_name);
  unit(in_group("position/value"), units.length_name);
  unit(box + "/edges/value", units.length_name);
  std::vector<std::string> elements{box + "/edges"};
  if (config_.image) elements.push_back(in_group("image"));
  if (config_.velocity) {
    elements.push_back(in_group("velocity"));
    unit(elements.back() + "/value", h5md_velocity(units).name);
  }
  if (config_.force) {
    elements.push_back(in_group("force"));
    unit(elements.back() + "/value", h5md_force(units).name);
  }
  if (config_.thermo)
    for (const Observable& o : observables) {
      elements.push_back(observable(o));
      if (const std::string name(units.*o.unit); !name.empty())
        unit(elements.back() + "/value", name + o.exponent);
    }
  for (const std::string& element : elements)
    for (const char* axis : {"step", "time"})
      objects.link(fmt::format("{}/{}", element, axis), in_group(fmt::format("position/{}", axis)));
  objects.attribute("parameters", "units",
                    unit_system_names()[static_cast<std::size_t>(units.system)]);
  objects.write_strings("parameters/type_names", setup_.type_names);
  describe_atoms(objects);
  const auto pairs = coefficient_lines(setup_.coefficients, setup_.type_names);
  if (!pairs.empty()) objects.write_strings(h5md_pair_coefficients, pairs);
  if (setup_.topology != nullptr) describe_topology(objects);
}

void H5mdWriter::describe_atoms(ObjectWriter& objects) const {
  const Units& units = *setup_.units;
  const auto put = [&]<class T>(const char* name, const std::vector<T>& values,
                                std::string_view unit) {
    const std::string path = in_group(name);
    objects.write_rows(path, std::span<const T>(values), rows_.local(), rows_.total());
    if (!unit.empty()) objects.set(path, "unit", VariableLengthString{std::string(unit)});
  };
  std::vector<std::int32_t> species;
  std::vector<double> masses;
  for (const std::int32_t type : rows_.types()) {
    species.push_back(type + 1);
    masses.push_back(setup_.type_masses[static_cast<std::size_t>(type)]);
  }
  put("id", rows_.ids(), "");
  put("species", species, "");
  put("mass", masses, units.mass_name);
  put("charge", rows_.charges(), units.charge_name);
  if (setup_.molecules) put("molecule", rows_.molecules(), "");
}

// Writes bonds, angles and dihedrals whose atoms are all in the file.
void H5mdWriter::describe_topology(ObjectWriter& objects) const {
  const Topology& topology = *setup_.topology;
  if (!topology.has_bonded_terms()) return;
  std::vector<std::uint8_t> is_in_file(static_cast<std::size_t>(setup_.atoms), 1);
  if (!rows_.is_all()) {
    std::fill(is_in_file.begin(), is_in_file.end(), std::uint8_t{0});
    for (const Index atom : setup_.communicator.allgather(std::span<const Index>(rows_.atoms())))
      is_in_file[static_cast<std::size_t>(atom)] = 1;
  }
  const StoredBonded parameters =
      setup_.bonded != nullptr ? stored_bonded(*setup_.bonded) : StoredBonded{};
  write_h5md_topology(objects, {topology, parameters, group,
                                [&is_in_file](Index atom) {
                                  return is_in_file[static_cast<std::size_t>(atom)] != 0;
                                },
                                [this](Index atom) { return rows_.id_of(atom); }});
}

void H5mdWriter::save(DatasetWriter& writer) const {
  writer.write(name_ + "/last_step", last_step_);
  if (!file_) return;
  writer.write(name_ + "/periodic", periodic_);
  writer.write(name_ + "/origin", origin_);
  file_->save(writer, name_ + "/file");
}

void H5mdWriter::restore(DatasetReader& reader) {
  last_step_ = reader.read_value<Index>(name_ + "/last_step");
  if (last_step_ < 0) return;
  periodic_ = reader.read<Index>(name_ + "/periodic");
  origin_ = reader.read<double>(name_ + "/origin");
  rows_.select(reader);
  make_file();
  file_->restore(reader, name_ + "/file");
}

void H5mdWriter::write_results(DatasetWriter&) const {
  if (file_) file_->finish([this](ObjectWriter& objects) { describe(objects); });
}

std::uint64_t H5mdWriter::digest() const { return file_ ? file_->digest() : 0; }

}  // namespace gsim::md
