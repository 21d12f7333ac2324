#include "src/modules/md/trajectories/text_trajectory.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace gsim::md {
namespace {

constexpr Index lines_per_part = Index{1} << 16;

}  // namespace

/// The rows of this rank in a frame.
struct TextTrajectory::Columns {
  std::vector<Vector3> position, velocity;
  std::vector<std::array<std::int64_t, 3>> force;
  std::vector<ImageCount> image;
};

TextTrajectory::TextTrajectory(std::string name, const TrajectoryConfig& config,
                               const OutputSetup& setup)
    : name_(std::move(name)),
      config_(config),
      setup_(setup),
      rows_(setup, config.types, config.path(setup.output)) {}

void TextTrajectory::observe(const Snapshot& s) {
  if (s.step <= last_step_) return;  // written before the checkpoint from which this run resumes
  if (!file_) {
    rows_.select(s);
    file_ = std::make_unique<AppendOnlyFile>(setup_.communicator, config_.path(setup_.output));
    file_->start();
  }
  Columns columns;
  for (const FixedPosition& x : rows_.rows<FixedPosition>(s, s.particles.store.position()))
    columns.position.push_back(s.box.to_cartesian(x));
  if (config_.velocity) columns.velocity = rows_.rows<Vector3>(s, s.particles.velocity);
  if (config_.force) columns.force = rows_.rows<std::array<std::int64_t, 3>>(s, s.particles.force);
  if (config_.image) columns.image = rows_.rows<ImageCount>(s, s.particles.image);
  file_->append(setup_.communicator.is_root() ? header(s, rows_.total()) : std::string());
  for (Index first = 0; first < rows_.total(); first += lines_per_part)
    append_part(columns, {first, std::min(first + lines_per_part, rows_.total())});
  last_step_ = s.step;
}

void TextTrajectory::append_part(const Columns& columns, IndexRange part) {
  const IndexRange local = rows_.local();
  std::string text;
  for (Index row = std::max(part.first, local.first); row < std::min(part.last, local.last);
       ++row) {
    const auto i = static_cast<std::size_t>(row - local.first);
    AtomLine atom{rows_.id_of(rows_.atoms()[i]), rows_.types()[i], rows_.charges()[i],
                  columns.position[i]};
    if (config_.velocity) atom.velocity = columns.velocity[i];
    if (config_.force)
      for (std::size_t a = 0; a < 3; ++a)
        atom.force[a] = static_cast<double>(columns.force[i][a]) * setup_.quanta.force;
    if (config_.image) atom.image = columns.image[i];
    append_line(text, atom);
  }
  file_->append(text);
}

void TextTrajectory::append_line(std::string& text, const AtomLine& atom) const {
  append_atom(text, atom);
  if (config_.image)
    fmt::format_to(std::back_inserter(text), " {} {} {}", atom.image[0], atom.image[1],
                   atom.image[2]);
  if (config_.velocity) append_velocity(text, atom);
  if (config_.force) append_force(text, atom);
  text += '\n';
}

void TextTrajectory::append_real(std::string& text, double value) const {
  // The smallest number of digits that represents the same floating-point number.
  if (config_.precision == TrajectoryPrecision::float32)
    fmt::format_to(std::back_inserter(text), " {}", static_cast<float>(value));
  else
    fmt::format_to(std::back_inserter(text), " {}", value);
}

void TextTrajectory::append_reals(std::string& text, const Vector3& values) const {
  for (const double value : values) append_real(text, value);
}

void TextTrajectory::save(DatasetWriter& writer) const {
  writer.write(name_ + "/last_step", last_step_);
  if (file_) file_->save(writer, name_ + "/file");
}

void TextTrajectory::restore(DatasetReader& reader) {
  last_step_ = reader.read_value<Index>(name_ + "/last_step");
  if (last_step_ < 0) return;
  rows_.select(reader);
  file_ = std::make_unique<AppendOnlyFile>(setup_.communicator, config_.path(setup_.output));
  file_->restore(reader, name_ + "/file");
}

void TextTrajectory::write_results(DatasetWriter&) const {
  if (file_) file_->finish();
}

std::uint64_t TextTrajectory::digest() const { return file_ ? file_->digest() : 0; }

}  // namespace gsim::md
