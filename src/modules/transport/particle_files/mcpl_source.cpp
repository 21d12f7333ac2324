#include "src/modules/transport/particle_files/mcpl_source.hpp"

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "src/modules/transport/sources/spectra/integrals.hpp"

namespace gsim::transport {
namespace {

constexpr double ev_per_mev = 1e6, second_per_ms = 1e-3;
constexpr std::size_t buffer_size = 4096;

}  // namespace

McplSource::McplSource(const std::string& path, std::int32_t pdg, std::vector<double> bounds)
    : path_(path), reader_(path), pdg_(pdg), bounds_(std::move(bounds)), buffer_(buffer_size) {
  scan_file();
}

double McplSource::strength() const {
  const double sources = mcpl_sum(reader_.header(), mcpl_sources);
  return sources > 0 ? total_weight_ / sources : -1;
}

bool McplSource::convert(const McplParticle& from, SourceParticle& to) const {
  const double* const x = from.position;
  const double* const u = from.direction;
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  if (!std::isfinite(x[0] + x[1] + x[2] + from.time + square) || !(square > 0.5))
    throw InputError(
        fmt::format("{}: particle {} has a position, direction or time that is not "
                    "a number",
                    path_, reader_.position()));
  const double scale = 1 / sqrt(square);
  to.position = {x[0], x[1], x[2]};
  to.direction = {u[0] * scale, u[1] * scale, u[2] * scale};
  to.time = from.time * second_per_ms;
  to.weight = from.weight;
  to.group = bounds_.empty() ? 0 : group_of(bounds_, from.energy * ev_per_mev);
  to.source = 0;
  return to.group >= 0;
}

void McplSource::scan_file() {
  Index of_other_kinds = 0, unusable = 0;
  Digest digest;
  std::uint64_t index = 0;
  for (std::size_t count; (count = reader_.read(buffer_)) > 0;)
    for (std::size_t i = 0; i < count; ++i, ++index) {
      SourceParticle p;
      if (buffer_[i].pdg != pdg_) {
        ++of_other_kinds;
      } else if (!(buffer_[i].weight > 0) || !convert(buffer_[i], p)) {
        ++unusable;
      } else {
        if (size_ % stride == 0) stride_starts_.push_back(index);
        ++size_;
        total_weight_ += p.weight;
        const double numbers[] = {p.position.x,  p.position.y,  p.position.z, p.direction.x,
                                  p.direction.y, p.direction.z, p.time,       p.weight};
        digest.add(std::span<const double>(numbers)).add(p.group);
      }
    }
  digest_ = digest.add(mcpl_sum(reader_.header(), mcpl_sources)).value();
  if (of_other_kinds > 0)
    notes_.push_back(fmt::format("{}: {} particles are not of kind {} and are left out", path_,
                                 of_other_kinds, pdg_));
  if (unusable > 0)
    notes_.push_back(
        fmt::format("{}: {} particles have energies outside of all groups, or no "
                    "weight, and are left out",
                    path_, unusable));
  if (size_ == 0)
    throw InputError(
        fmt::format("{}: none of its {} particles can start (kind {}, energies within "
                    "the groups)",
                    path_, reader_.particles(), pdg_));
  reader_.seek(0);
}

SourceParticle McplSource::next() {
  for (;;) {
    if (buffer_next_ == buffer_count_) {
      if (reader_.position() == reader_.particles()) reader_.seek(0);
      buffer_count_ = reader_.read(buffer_);
      buffer_next_ = 0;
    }
    const McplParticle& from = buffer_[buffer_next_++];
    SourceParticle p;
    if (from.pdg != pdg_ || !(from.weight > 0) || !convert(from, p)) continue;
    p.weight *= static_cast<double>(size_) / total_weight_;
    next_ = (next_ + 1) % size_;
    return p;
  }
}

std::vector<SourceParticle> McplSource::particles(IndexRange histories) {
  const Index first = histories.first % size_;
  if (first < next_ || first >= next_ + stride) {
    // Reading continues from the last recorded position at or before `first`.
    const Index interval = first / stride;
    reader_.seek(stride_starts_[static_cast<std::size_t>(interval)]);
    buffer_next_ = buffer_count_ = 0;
    next_ = interval * stride;
  }
  while (next_ != first) next();
  std::vector<SourceParticle> list;
  list.reserve(static_cast<std::size_t>(histories.size()));
  for (Index h = histories.first; h < histories.last; ++h) list.push_back(next());
  return list;
}

}  // namespace gsim::transport
