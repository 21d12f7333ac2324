#include "src/modules/transport/particle_files/particle_file.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/transport/tallies/exact_score.hpp"

namespace gsim::transport {
namespace {

constexpr double mev_per_ev = 1e-6, ms_per_second = 1e3;
/// Number of records that rank 0 holds at a time.
constexpr Index part_records = Index{1} << 16;
const std::string file_group = "particle_file";

/// The energies that represent groups, MeV; 0 if bounds are unknown.
std::vector<double> energies_of(const MaterialSet& materials) {
  std::vector<double> energies;
  for (std::size_t g = 0; g < static_cast<std::size_t>(materials.groups); ++g) {
    if (materials.bounds.empty()) {
      energies.push_back(0);
      continue;
    }
    const double upper = materials.bounds[g], lower = materials.bounds[g + 1];
    energies.push_back(mev_per_ev * (lower > 0 ? std::sqrt(upper * lower) : upper / 2));
  }
  return energies;
}

/// The value of RecordedSurfaces::sides of a surface.
std::int32_t side_bits(CrossingSide side) {
  if (side == CrossingSide::negative) return 1;
  return side == CrossingSide::positive ? 2 : 3;
}

std::size_t find_surface(const ParticleFileConfig& config, const Geometry& geometry,
                         const std::string& name) {
  const auto& known = geometry.surface_names;
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    throw ConfigError(config.keys.location("surfaces"),
                      fmt::format("there is no surface `{}`", name),
                      suggest_known(name, known, "there are"));
  return static_cast<std::size_t>(found - known.begin());
}

/// Numbers of surfaces, from 1 on; 0: crossings are not written.
std::vector<std::uint32_t> surface_numbers(const ParticleFileConfig& config,
                                           const Geometry& geometry) {
  std::vector<std::uint32_t> numbers(geometry.surfaces.size(), 0);
  std::uint32_t next = 1;
  for (const std::string& name : config.surfaces)
    numbers[find_surface(config, geometry, name)] = next++;
  if (!config.surfaces.empty()) return numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (geometry.surfaces[i].boundary == SurfaceBoundary::vacuum) numbers[i] = next++;
  return numbers;
}

/// RecordedSurfaces::sides: the sides to which recorded crossings lead, by surface.
std::vector<std::int32_t> recorded_sides(const std::vector<std::uint32_t>& numbers,
                                         CrossingSide side) {
  std::vector<std::int32_t> sides;
  sides.reserve(numbers.size());
  for (const std::uint32_t number : numbers) sides.push_back(number == 0 ? 0 : side_bits(side));
  return sides;
}

McplHeader make_header(const ParticleFileConfig& config, const std::vector<std::uint32_t>& numbers,
                       const Geometry& geometry) {
  McplHeader header;
  header.source_name = "gsim";
  header.is_single = false;  // rounding to floats could move positions across surfaces
  header.common_pdg = config.pdg;
  header.comments.push_back("energies are the middles of groups: see [particle_file] of gsim");
  header.has_flags =
      std::count_if(numbers.begin(), numbers.end(), [](std::uint32_t n) { return n > 0; }) > 1;
  if (!header.has_flags) return header;
  std::string text = "user flags: surfaces";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] > 0) text += fmt::format(" {}={}", numbers[i], geometry.surface_names[i]);
  header.comments.push_back(text);
  return header;
}

}  // namespace

void ParticleFile::check(const ParticleFileConfig& config, const Geometry& geometry,
                         const MaterialSet& materials, bool is_delta_tracking) {
  if (materials.groups > 1 && materials.bounds.empty())
    throw ConfigError(config.keys.location(),
                      "the groups have no energy bounds, which particle files need",
                      "give bounds in [groups]");
  const auto numbers = surface_numbers(config, geometry);
  if (std::all_of(numbers.begin(), numbers.end(), [](std::uint32_t n) { return n == 0; }))
    throw ConfigError(config.keys.location(), "no particle can leak from this geometry",
                      "name `surfaces`");
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const SurfaceBoundary boundary = geometry.surfaces[i].boundary;
    if (numbers[i] == 0 || boundary == SurfaceBoundary::vacuum) continue;
    if (boundary != SurfaceBoundary::transmission)
      throw ConfigError(
          config.keys.location("surfaces"),
          fmt::format("no particle crosses `{}`: it is reflective", geometry.surface_names[i]));
    if (is_delta_tracking)
      throw ConfigError(
          config.keys.location("surfaces"),
          fmt::format("delta tracking has no crossings of `{}`, which has no boundary "
                      "condition",
                      geometry.surface_names[i]),
          "set tracking = \"surface\" in [transport]");
  }
}

ParticleFile::ParticleFile(const Communicator& communicator, const Executor& executor,
                           const ParticleFileConfig& config, const Geometry& geometry,
                           const MaterialSet& materials, const std::string& output,
                           const SourceBatch& batch)
    : config_(config),
      communicator_(communicator),
      energies_(energies_of(materials)),
      numbers_(surface_numbers(config, geometry)),
      sides_(executor, std::span<const std::int32_t>(recorded_sides(numbers_, config.side))),
      batch_(batch),
      header_(make_header(config, numbers_, geometry)),
      file_(std::make_unique<AppendOnlyFile>(communicator, config.path(output),
                                             static_cast<Index>(header_text().size()))) {}

RecordedSurfaces ParticleFile::recorded() const { return {sides_.view(), config_.ends ? 1 : 0}; }

// The header states the number of source particles in MCPL's form "stat:sum": tools that merge
// files add these numbers.
std::string ParticleFile::header_text() const {
  const double sources = static_cast<double>(batches_) * batch_.particles / batch_.strength;
  McplHeader header = header_;
  header.comments.push_back(fmt::format("stat:sum:{}:{:24.17g}", mcpl_sources, sources));
  return mcpl_head(header, static_cast<std::uint64_t>(particles_));
}

void ParticleFile::start() { file_->start(); }

McplParticle ParticleFile::particle(const CrossingRecord& from) const {
  McplParticle p;
  const double x[3] = {from.position.x, from.position.y, from.position.z};
  const double u[3] = {from.direction.x, from.direction.y, from.direction.z};
  std::copy(std::begin(x), std::end(x), std::begin(p.position));
  std::copy(std::begin(u), std::end(u), std::begin(p.direction));
  p.energy = energies_[static_cast<std::size_t>(from.group)];
  p.time = from.time * ms_per_second;
  p.weight = from.weight;
  p.pdg = config_.pdg;
  p.flags = numbers_[static_cast<std::size_t>(from.half_space >> 1)];
  return p;
}

void ParticleFile::add(std::span<const CrossingRecord> mine) {
  struct Part {
    WideInteger weight = 0;
    Index count = 0;
  };
  Part part;
  part.count = static_cast<Index>(mine.size());
  for (const CrossingRecord& record : mine)
    part.weight += transport_kernels::to_fixed_point(record.weight);
  const std::vector<Part> parts = communicator_.allgather(std::span<const Part>(&part, 1));
  WideInteger weight = 0;
  Index count = 0;
  for (const Part& rank : parts) {
    weight += rank.weight;
    count += rank.count;
  }
  weights_.push_back(ExactSum(weight).value(score_resolution) / batch_.particles);
  if (is_full()) return;
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    for (Index first = 0; first < parts[rank].count; first += part_records) {
      std::string text;
      if (communicator_.rank() == static_cast<int>(rank))
        for (const CrossingRecord& record :
             mine.subspan(static_cast<std::size_t>(first),
                          static_cast<std::size_t>(std::min(part_records, part.count - first))))
          append_mcpl_record(text, header_, particle(record));
      file_->append(text);
    }
  particles_ += count;
  ++batches_;
}

void ParticleFile::save(DatasetWriter& writer) const {
  writer.write(file_group + "/particles", particles_);
  writer.write(file_group + "/batches", batches_);
  writer.write(file_group + "/weight", weights_);
  file_->save(writer, file_group + "/file");
}

void ParticleFile::restore(DatasetReader& reader) {
  particles_ = reader.read_value<Index>(file_group + "/particles");
  batches_ = reader.read_value<Index>(file_group + "/batches");
  weights_ = reader.read<double>(file_group + "/weight");
  file_->restore(reader, file_group + "/file");
}

void ParticleFile::write_results(DatasetWriter& writer) const {
  if (const std::string backup_path = file_->finish(header_text()); !backup_path.empty())
    backup_path_ = backup_path;
  writer.write(file_group + "/particles", particles_);
  writer.write(file_group + "/batches", batches_);
  writer.write(file_group + "/weight", weights_);
  writer.attribute(file_group + "/weight", "description",
                   "weight that crossed the recorded surfaces in each batch, per source particle");
}

std::string ParticleFile::summary() const {
  return fmt::format(
      "{}: {} particles of {} batches{}{}", file_->path(), particles_, batches_,
      is_full() ? ", the limit is reached" : "",
      backup_path_.empty() ? "" : "; the previous file of that name is kept as " + backup_path_);
}

std::uint64_t ParticleFile::digest() const { return file_->digest(); }

}  // namespace gsim::transport
