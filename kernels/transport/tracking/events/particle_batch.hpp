#pragma once
// The particles that a host thread transports together, event by event: each member of a particle is
// an array, which the lanes of packs read.

#include "kernels/transport/geometry/lanes.hpp"
#include "kernels/transport/tracking/migration.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

using Reals = packed<double>;
using Words = rebind<Reals, std::uint64_t>;
using Integers = rebind<Reals, std::int32_t>;
using Lanes = mask_of<Reals>;
using Positions = LaneVector<Reals>;
inline constexpr int lanes = lanes_of<Reals>;

/// Components of vectors, one array each.
template <int size>
struct VectorArrays {
  alignas(64) double x[size], y[size], z[size];
};

/// The members of ParticleOf that events of delta tracking use. Behind the places of particles are
/// those that fill the last pack of a list of places; nothing reads what is put there.
struct DeltaBatch {
  static constexpr int particles = 256;
  static constexpr int capacity = particles + lanes;
  VectorArrays<capacity> origin, direction;
  alignas(64) double path[capacity], free_paths[capacity], weight[capacity];
  alignas(64) double k_collision[capacity], k_absorption[capacity], track_start[capacity];
  alignas(64) double outer_path[capacity];
  alignas(64) std::uint64_t history[capacity], random_position[capacity];
  alignas(64) std::int64_t first_flight[capacity];  ///< flights of the batch before its first one
  alignas(64) std::int32_t group[capacity], material[capacity], fission_sites[capacity];
  alignas(64) std::int32_t outer_side[capacity], outer_half_space[capacity];
  alignas(64) std::int32_t stalled[capacity];
};

/// The places of some particles of the batch.
struct PlaceList {
  std::int32_t place[2 * DeltaBatch::capacity];
  int count = 0;

  GSIM_HD void add(int at) { place[count++] = at; }

  GSIM_HD void add(int first, unsigned bits) {
    for (; bits != 0; bits &= bits - 1) place[count++] = first + __builtin_ctz(bits);
  }
  /// Fills the last pack with a place behind those of particles.
  GSIM_HD void fill_last_pack() {
    for (int i = count; i % lanes != 0; ++i) place[i] = DeltaBatch::particles;
  }
  /// The lanes of the pack from element `first` on that are places of particles, as bits.
  GSIM_HD unsigned used(int first) const {
    return count - first < lanes ? (1u << (count - first)) - 1 : (1u << lanes) - 1;
  }
};

/// Reads and writes the members at the places of a pack.
struct PlacesOf {
  Integers index;
  std::int32_t place[lanes];

  explicit GSIM_HD PlacesOf(const std::int32_t* places) : index(load<Integers>(places)) {
    store(place, index);
  }
  GSIM_HD Reals reals(const double* from) const { return gather(from, index); }
  GSIM_HD Words words(const std::uint64_t* from) const {
    return bit_cast_to<std::uint64_t>(gather(reinterpret_cast<const double*>(from), index));
  }
  GSIM_HD Integers indices(const std::int32_t* from) const {
    return convert<std::int32_t>(integers(from));
  }
  GSIM_HD Reals integers(const std::int32_t* from) const {
    return gather_integers<Reals>(from, index);
  }
  template <int size>
  GSIM_HD Positions vectors(const VectorArrays<size>& from) const {
    return {reals(from.x), reals(from.y), reals(from.z)};
  }
  GSIM_HD void put(double* to, Reals values) const {
#if defined(GSIM_AVX512)
    _mm512_i32scatter_pd(to, (__m256i)index.v, values.v, 8);
#else
    double each[lanes];
    store(each, values);
    for (int i = 0; i < lanes; ++i) to[place[i]] = each[i];
#endif
  }
  GSIM_HD void put(std::uint64_t* to, Words values) const {
    put(reinterpret_cast<double*>(to), bit_cast_to<double>(values));
  }
  GSIM_HD void put(std::int32_t* to, Reals values) const {
    std::int32_t each[lanes];
    store(each, convert<std::int32_t>(values));
    for (int i = 0; i < lanes; ++i) to[place[i]] = each[i];
  }
  GSIM_HD void put(std::int64_t* to, std::int64_t value) const {
    for (int i = 0; i < lanes; ++i) to[place[i]] = value;
  }
  template <int size>
  GSIM_HD void put(VectorArrays<size>& to, const Positions& values) const {
    put(to.x, values.x);
    put(to.y, values.y);
    put(to.z, values.z);
  }
};

/// Makes the particle at a place of the batch, after `flights` flights of the batch, the current one
/// of the history.
template <class Banks>
GSIM_HD void load_particle(History<Banks>& h, const DeltaBatch& b, int i, std::int64_t flights) {
  auto& p = h.particle;
  reset(p);
  p.random = HistoryRandom(h.args.key, {b.history[i], b.random_position[i]});
  p.direction = {b.direction.x[i], b.direction.y[i], b.direction.z[i]};
  begin_flight(p.coordinates, {b.origin.x[i], b.origin.y[i], b.origin.z[i]}, p.direction);
  p.coordinates.path = b.path[i];
  p.coordinates.entered_level = 0;
  p.coordinates.stalled = b.stalled[i];
  p.weight = b.weight[i];
  p.time = 0;
  p.free_paths = b.free_paths[i];
  p.track_start = b.track_start[i];
  p.k = {b.k_collision[i], b.k_absorption[i], 0};
  p.outer_boundary = {b.outer_path[i], 0, b.outer_side[i], b.outer_half_space[i]};
  p.secondaries = 0;
  p.flights = flights - b.first_flight[i];
  p.group = b.group[i];
  p.fission_sites = b.fission_sites[i];
  p.cell = -1;
  const Index item = static_cast<Index>(b.history[i]) - h.args.first_history;
  h.banks.sites = h.args.fission_sites + item / h.args.chunk_size;
}
/// Puts the current particle of the history into a place of the batch.
template <class Banks>
GSIM_HD void store_particle(const History<Banks>& h, DeltaBatch& b, int i, std::int64_t flights) {
  const auto& p = h.particle;
  const auto put = [i](auto& to, const Vector3& from) {
    to.x[i] = from.x;
    to.y[i] = from.y;
    to.z[i] = from.z;
  };
  put(b.origin, p.coordinates.level[0].origin);
  put(b.direction, p.direction);
  b.path[i] = p.coordinates.path;
  b.free_paths[i] = p.free_paths;
  b.weight[i] = p.weight;
  b.k_collision[i] = p.k.k_collision;
  b.k_absorption[i] = p.k.k_absorption;
  b.track_start[i] = p.track_start;
  b.outer_path[i] = p.outer_boundary.path;
  b.history[i] = p.random.state().history;
  b.random_position[i] = p.random.state().position;
  b.first_flight[i] = flights - p.flights;
  b.group[i] = p.group;
  b.fission_sites[i] = p.fission_sites;
  b.outer_side[i] = p.outer_boundary.side;
  b.outer_half_space[i] = p.outer_boundary.half_space;
  b.stalled[i] = p.coordinates.stalled;
}
/// Moves a particle to another place.
GSIM_HD void move_particle(DeltaBatch& b, int to, int from) {
  const auto move = [to, from](auto&... arrays) { ((arrays[to] = arrays[from]), ...); };
  move(b.origin.x, b.origin.y, b.origin.z, b.direction.x, b.direction.y, b.direction.z, b.path,
       b.free_paths, b.weight, b.k_collision, b.k_absorption, b.track_start, b.outer_path, b.history,
       b.random_position, b.first_flight, b.group, b.material, b.fission_sites, b.outer_side,
       b.outer_half_space, b.stalled);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
