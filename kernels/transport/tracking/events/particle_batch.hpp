#pragma once
// The particles that a host thread transports together, event by event: each member of a particle
// is an array, which the lanes of packs read.

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

/// The first n lanes of a pack as bits; all lanes if there are fewer.
GSIM_HD unsigned first_lanes(int n) { return n < lanes ? (1u << n) - 1 : (1u << lanes) - 1; }

/// Components of vectors, one array each.
template <int size>
struct VectorArrays {
  alignas(64) double x[size], y[size], z[size];
};

/// The members of ParticleOf that all events use. Behind the places of particles are those that
/// fill the last pack of a list of places; nothing reads what is put there.
struct ParticleBatch {
  static constexpr int particles = 256;
  static constexpr int capacity = particles + lanes;
  VectorArrays<capacity> direction;
  alignas(64) double path[capacity], free_paths[capacity], weight[capacity], track_start[capacity];
  alignas(64) double k_collision[capacity], k_absorption[capacity], k_track_length[capacity];
  alignas(64) std::uint64_t history[capacity], random_position[capacity];
  alignas(64) std::int64_t first_flight[capacity];  ///< flights of the batch before its first one
  alignas(64) std::int32_t group[capacity], material[capacity], fission_sites[capacity];
  alignas(64) std::int32_t stalled[capacity];
};

/// The places of some particles of the batch.
struct PlaceList {
  std::int32_t place[2 * ParticleBatch::capacity];
  int count = 0;

  GSIM_HD void add(int at) { place[count++] = at; }

  GSIM_HD void add(int first, unsigned bits) {
    for (; bits != 0; bits &= bits - 1) place[count++] = first + __builtin_ctz(bits);
  }
  /// Fills the last pack with a place behind those of particles.
  GSIM_HD void fill_last_pack() {
    for (int i = count; i % lanes != 0; ++i) place[i] = ParticleBatch::particles;
  }
  /// The lanes of the pack from element `first` on that are places of particles, as bits.
  GSIM_HD unsigned used(int first) const { return first_lanes(count - first); }
};

/// Reads and writes the members at the places of a pack.
struct PlacesOf {
  Integers index;

  explicit GSIM_HD PlacesOf(const std::int32_t* places) : index(load<Integers>(places)) {}
  explicit GSIM_HD PlacesOf(Integers places) : index(places) {}
  /// The places in the arrays of a level, which follow those of the level before (LevelBatch).
  GSIM_HD PlacesOf at_level(int level) const {
    return PlacesOf(index + Integers(level * ParticleBatch::capacity));
  }
  GSIM_HD PlacesOf at_level(Reals level) const {
    return PlacesOf(index +
                    convert<std::int32_t>(level * static_cast<double>(ParticleBatch::capacity)));
  }
  /// The same where lanes are in `kept`, otherwise a place of no particle.
  GSIM_HD PlacesOf only(Lanes kept) const {
    return PlacesOf(convert<std::int32_t>(select(
        kept, convert<double>(index), Reals(static_cast<double>(ParticleBatch::particles)))));
  }
  GSIM_HD std::int32_t place(int lane) const { return extract(index, lane); }
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
    for (int i = 0; i < lanes; ++i) to[place(i)] = each[i];
#endif
  }
  GSIM_HD void put(std::uint64_t* to, Words values) const {
    put(reinterpret_cast<double*>(to), bit_cast_to<double>(values));
  }
  GSIM_HD void put(std::int32_t* to, Reals values) const {
#if defined(GSIM_AVX512)
    _mm256_i32scatter_epi32(to, (__m256i)index.v, (__m256i)convert<std::int32_t>(values).v, 4);
#else
    std::int32_t each[lanes];
    store(each, convert<std::int32_t>(values));
    for (int i = 0; i < lanes; ++i) to[place(i)] = each[i];
#endif
  }
  GSIM_HD void put(std::int64_t* to, std::int64_t value) const {
    for (int i = 0; i < lanes; ++i) to[place(i)] = value;
  }
  template <int size>
  GSIM_HD void put(VectorArrays<size>& to, const Positions& values) const {
    put(to.x, values.x);
    put(to.y, values.y);
    put(to.z, values.z);
  }
};

/// Makes the particle at a place of the batch, after `flights` flights of the batch, the current
/// one of the history; its flight starts at `origin` and is not located.
template <class Banks>
GSIM_HD void load_flight(History<Banks>& h, const ParticleBatch& b, const Vector3& origin, int i,
                         std::int64_t flights) {
  auto& p = h.particle;
  reset(p);
  p.random = HistoryRandom(h.args.key, {b.history[i], b.random_position[i]});
  p.direction = {b.direction.x[i], b.direction.y[i], b.direction.z[i]};
  begin_flight(p.coordinates, origin, p.direction);
  p.coordinates.path = b.path[i];
  p.coordinates.entered_level = 0;
  p.coordinates.stalled = b.stalled[i];
  p.weight = b.weight[i];
  p.time = 0;
  p.free_paths = b.free_paths[i];
  p.track_start = b.track_start[i];
  p.k = {b.k_collision[i], b.k_absorption[i], b.k_track_length[i]};
  p.secondaries = 0;
  p.flights = flights - b.first_flight[i];
  p.group = b.group[i];
  p.fission_sites = b.fission_sites[i];
  p.cell = -1;
  const Index item = static_cast<Index>(b.history[i]) - h.args.first_history;
  h.banks.sites = h.args.fission_sites + item / h.args.chunk_size;
}
template <int size>
GSIM_HD Vector3 vector_at(const VectorArrays<size>& from, int i) {
  return {from.x[i], from.y[i], from.z[i]};
}
template <int size>
GSIM_HD void put_vector(VectorArrays<size>& to, int i, const Vector3& from) {
  to.x[i] = from.x;
  to.y[i] = from.y;
  to.z[i] = from.z;
}
/// Puts the current particle of the history into a place of the batch, without its coordinates.
template <class Banks>
GSIM_HD void store_flight(const History<Banks>& h, ParticleBatch& b, int i, std::int64_t flights) {
  const auto& p = h.particle;
  put_vector(b.direction, i, p.direction);
  b.path[i] = p.coordinates.path;
  b.free_paths[i] = p.free_paths;
  b.weight[i] = p.weight;
  b.track_start[i] = p.track_start;
  b.k_collision[i] = p.k.k_collision;
  b.k_absorption[i] = p.k.k_absorption;
  b.k_track_length[i] = p.k.k_track_length;
  b.history[i] = p.random.state().history;
  b.random_position[i] = p.random.state().position;
  b.first_flight[i] = flights - p.flights;
  b.group[i] = p.group;
  b.fission_sites[i] = p.fission_sites;
  b.stalled[i] = p.coordinates.stalled;
}
/// Copies element `from` of arrays to element `to`.
template <class... T>
GSIM_HD void copy_element(int to, int from, T&... arrays) {
  ((arrays[to] = arrays[from]), ...);
}
template <int size>
GSIM_HD void copy_vector(VectorArrays<size>& v, int to, int from) {
  copy_element(to, from, v.x, v.y, v.z);
}
GSIM_HD void copy_flight(ParticleBatch& b, int to, int from) {
  copy_vector(b.direction, to, from);
  copy_element(to, from, b.path, b.free_paths, b.weight, b.track_start, b.k_collision,
               b.k_absorption, b.k_track_length, b.history, b.random_position, b.first_flight,
               b.group, b.material, b.fission_sites, b.stalled);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
