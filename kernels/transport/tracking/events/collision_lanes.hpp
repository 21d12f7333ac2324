#pragma once
// Collisions of several particles in the lanes of packs, with the bits of collide().

#include "kernels/transport/collisions/collide.hpp"
#include "kernels/transport/tracking/events/particle_batch.hpp"
#include "kernels/transport/tracking/events/random_lanes.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Cross sections and other members of GroupData at materials and groups, which are integers.
class GroupDataLanes {
 public:
  GSIM_HD GroupDataLanes(const MaterialView& m, Reals material, Reals group)
      : data_(reinterpret_cast<const double*>(m.data.data)),
        index_(convert<std::int32_t>(fma(material, Reals(static_cast<double>(m.groups)), group) *
                                     8.0)) {}
  GSIM_HD Reals total() const { return gather(data_, index_); }
  GSIM_HD Reals scattering_ratio() const { return gather(data_ + 1, index_); }
  GSIM_HD Reals absorption() const { return gather(data_ + 2, index_); }
  GSIM_HD Reals nu_fission() const { return gather(data_ + 4, index_); }
  /// The index of the first transfer, and their number.
  GSIM_HD void transfers(Reals& first, Reals& count) const {
    const Words both = bit_cast_to<std::uint64_t>(gather(data_ + 7, index_));
    first = convert<double>(both & Words(0xffffffffu));
    count = convert<double>(both >> 32);
  }

 private:
  const double* data_;
  Integers index_;
};

/// Transfers at indices, which are integers.
class TransferLanes {
 public:
  GSIM_HD TransferLanes(const MaterialView& m, Reals index)
      : data_(reinterpret_cast<const double*>(m.transfers.data)),
        index_(convert<std::int32_t>(index * 4.0)),
        bits_(bit_cast_to<std::uint64_t>(gather(data_ + 3, index_))) {}
  GSIM_HD Reals slope() const { return gather(data_ + 1, index_); }
  GSIM_HD Reals multiplicity() const { return gather(data_ + 2, index_); }
  GSIM_HD Reals group() const { return convert<double>(bits_ & Words(0xffffu)); }
  /// Whether the scattering cosine is linear or isotropic: Transfer::angle is negative.
  GSIM_HD Lanes is_linear() const { return (bits_ >> 63) != Words(0); }
  static GSIM_HD Reals threshold(const MaterialView& m, Reals index) {
    return gather(reinterpret_cast<const double*>(m.transfers.data),
                  convert<std::int32_t>(index * 4.0));
  }

 private:
  const double* data_;
  Integers index_;
  Words bits_;
};

/// The transfers that u selects in the lanes of `searched` from rows of `count` transfers, the
/// first of which is `row`: indices in MaterialView::transfers.
GSIM_HD Reals choose_transfers(const MaterialView& m, Reals row, Reals count, Reals u,
                               Lanes searched) {
  const Lanes is_table =
      searched & (count > Reals(static_cast<double>(transport::searched_transfers)));
  Lanes searching = searched & !is_table;
  Reals at = row;
  for (;;) {
    searching = searching & (u >= TransferLanes::threshold(m, at));
    if (!any(searching)) break;
    at = select(searching, at + 1.0, at);
  }
  for (unsigned bits = lane_bits(is_table); bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits);
    double places[lanes];
    store(places, at);
    const auto n = static_cast<std::int32_t>(extract(count, i));
    const transport::Transfer* const first =
        m.transfers.data + static_cast<std::int32_t>(places[i]);
    places[i] = static_cast<double>(&choose_transfer(first, n, extract(u, i)) - m.transfers.data);
    at = load<Reals>(places);
  }
  return at;
}

/// Particles in the lanes of packs during a collision.
struct CollisionLanes {
  using Random = HistoryRandomLanes<Reals, 3>;
  /// Prompt neutrons of a fission that lanes draw; a collision needs few other numbers.
  static constexpr double most_neutrons = 32;

  PlacesOf at;
  Lanes used;  ///< lanes with particles
  Reals group, material, weight, k_collision, k_absorption;
  Positions direction;
  Random random;

  GSIM_HD CollisionLanes(const HistoriesArgs& args, const ParticleBatch& b, const PlaceList& list,
                         int first)
      : at(list.place + first),
        used(mask_from_bits<Reals>(list.used(first))),
        group(select(used, at.integers(b.group), Reals(0.0))),
        material(select(used, at.integers(b.material), Reals(0.0))),  // others may have none
        weight(at.reals(b.weight)),
        k_collision(at.reals(b.k_collision)),
        k_absorption(at.reals(b.k_absorption)),
        direction(at.vectors(b.direction)),
        random(args.key, at.words(b.history), at.words(b.random_position)) {}
};

/// Stands for a random number stream of which one number is drawn.
struct GivenNumber {
  double number;
  GSIM_HD double uniform() const { return number; }
};

/// Banks floor(count) fission sites at x for each lane in `banking`.
template <class Banks>
GSIM_TRANSPORT_NOINLINE void bank_fission_sites(History<Banks>& h, ParticleBatch& b,
                                                CollisionLanes& c, const Positions& x, Reals count,
                                                Lanes banking) {
  const MaterialView& m = h.args.materials;
  double counts[lanes], numbers[lanes];
  std::uint64_t positions[lanes];
  VectorArrays<lanes> at;
  store(counts, count);
  store(positions, c.random.position());
  store(at.x, x.x);
  store(at.y, x.y);
  store(at.z, x.z);
  const auto position = [&](int i) { return Vector3{at.x[i], at.y[i], at.z[i]}; };
  const auto bank = [&](int i, const FissionNeutron& neutron) {
    const int place = c.at.place(i);
    const Index history = static_cast<Index>(b.history[place]) - h.args.first_history;
    append(
        h.args.fission_sites[history / h.args.chunk_size],
        FissionSite{position(i), history + h.args.first_parent, positions[i] >> history_draw_bits,
                    b.fission_sites[place]++, static_cast<std::int16_t>(neutron.group),
                    static_cast<std::int16_t>(neutron.delayed_group)});
  };
  // One particle at a time, where neutrons may be delayed or need more numbers than lanes may draw.
  unsigned one_by_one = 0;
  for (unsigned bits = lane_bits(banking); bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits), place = c.at.place(i);
    if (m.fission[b.material[place]].delayed_groups == 0 &&
        counts[i] < CollisionLanes::most_neutrons)
      continue;
    one_by_one |= 1u << i;
    HistoryRandom random(h.args.key, {b.history[place], positions[i]});
    for (int n = static_cast<int>(counts[i]); n > 0; --n)
      bank(i, sample_fission_neutron(m, b.material[place], b.group[place], random));
    c.random.set_position(i, random.state().position);
  }
  banking = banking & !mask_from_bits<Reals>(one_by_one);
  for (double n = 1;; ++n) {
    banking = banking & (count >= Reals(n));
    unsigned bits = lane_bits(banking);
    if (bits == 0) return;
    store(numbers, c.random.uniform(banking));
    for (; bits != 0; bits &= bits - 1) {
      const int i = __builtin_ctz(bits), place = c.at.place(i);
      GivenNumber random{numbers[i]};  // prompt neutrons draw one
      bank(i, sample_fission_neutron(m, b.material[place], b.group[place], random));
    }
  }
}

/// Scores the expected fission neutrons of collisions at x for k and banks them, as fission() does.
template <class Banks>
GSIM_HD void fission(History<Banks>& h, ParticleBatch& b, CollisionLanes& c, const Positions& x,
                     Reals nu_fission, Reals total) {
  const Lanes is_fissile = c.used & (nu_fission > Reals(0.0));
  if (!any(is_fissile)) return;
  const Reals yield = c.weight * nu_fission / total;
  c.k_collision = select(is_fissile, c.k_collision + yield, c.k_collision);
  if (h.rules.fission != transport::Fission::next) return;
  const Reals count = yield / h.args.k + c.random.uniform(is_fissile);
  const Lanes banking = is_fissile & (count >= Reals(1.0));
  if (any(banking)) bank_fission_sites(h, b, c, x, count, banking);
}

/// Scatters the lanes in `scattered` from the group data xs; the materials scatter in these groups.
/// Returns the multiplicities.
template <class Banks>
GSIM_HD Reals scatter(const History<Banks>& h, const ParticleBatch& b, CollisionLanes& c,
                      const GroupDataLanes& xs, Lanes scattered) {
  const MaterialView& m = h.args.materials;
  Reals row, count;
  xs.transfers(row, count);
  row = select(scattered, row, Reals(0.0));
  const Lanes chooses = scattered & (count > Reals(1.0));
  if (any(chooses)) row = choose_transfers(m, row, count, c.random.uniform(chooses), chooses);
  const TransferLanes transfer(m, row);
  const Lanes is_isotropic = scattered & transfer.is_linear() & (transfer.slope() == Reals(0.0));
  const Reals mu = fma(Reals(2.0), c.random.uniform(is_isotropic), Reals(-1.0));
  const Positions turned = direction_from<Positions>(mu, c.random.uniform(is_isotropic));
  unsigned others = lane_bits(scattered & !is_isotropic);
  c.direction = chosen<Reals>(is_isotropic, turned, c.direction);
  if (others != 0) {
    std::uint64_t positions[lanes];
    VectorArrays<lanes> d;
    double rows[lanes];
    store(positions, c.random.position());
    store(d.x, c.direction.x);
    store(d.y, c.direction.y);
    store(d.z, c.direction.z);
    store(rows, row);
    for (; others != 0; others &= others - 1) {
      const int i = __builtin_ctz(others);
      HistoryRandom random(h.args.key, {b.history[c.at.place(i)], positions[i]});
      const Vector3 out = scattered_direction(m, m.transfers[static_cast<std::int32_t>(rows[i])],
                                              {d.x[i], d.y[i], d.z[i]}, random);
      d.x[i] = out.x;
      d.y[i] = out.y;
      d.z[i] = out.z;
      c.random.set_position(i, random.state().position);
    }
    c.direction = {load<Reals>(d.x), load<Reals>(d.y), load<Reals>(d.z)};
  }
  c.group = select(scattered, transfer.group(), c.group);
  return transfer.multiplicity();
}

/// Russian roulette of the lanes in `scattered` at low weights, as in apply_weight_cutoff();
/// returns the lanes that survive.
GSIM_HD Lanes play_roulette(const transport::HistoryRules& rules, CollisionLanes& c,
                            Lanes scattered) {
  const Lanes is_light = scattered & !(c.weight >= Reals(rules.cutoff));
  if (!any(is_light)) return scattered;
  const Reals survival(rules.survival);
  const Lanes survives = c.random.uniform(is_light) * survival < c.weight;
  c.weight = select(is_light & survives, survival, c.weight);
  return scattered & (survives | !is_light);
}

/// Collides the particles at x; returns the lanes that survive.
template <class Banks>
GSIM_HD Lanes collide(History<Banks>& h, ParticleBatch& b, CollisionLanes& c, const Positions& x) {
  const GroupDataLanes xs(h.args.materials, c.material, c.group);
  const Reals total = xs.total(), ratio = xs.scattering_ratio(), nu_fission = xs.nu_fission();
  fission(h, b, c, x, nu_fission, total);
  const Reals absorption = xs.absorption(), before = c.weight;
  const bool is_analog = h.rules.capture == transport::Capture::analog;
  const Lanes scattered =
      c.used & (is_analog ? c.random.uniform(c.used) < ratio : ratio > Reals(0.0));
  const Reals absorbed = is_analog ? before : before * absorption / total;
  const Lanes scores = (is_analog ? c.used & !scattered : c.used) & (nu_fission > Reals(0.0));
  c.k_absorption =
      select(scores, c.k_absorption + absorbed * nu_fission / absorption, c.k_absorption);
  if (!any(scattered)) return scattered;
  const Reals multiplicity = scatter(h, b, c, xs, scattered);
  if (is_analog) {
    const Reals weight = before * multiplicity;
    c.weight = select(ratio > Reals(1.0), weight * ratio, weight);
  } else {
    c.weight = before * (ratio * multiplicity);
    return play_roulette(h.rules, c, scattered);
  }
  return scattered;
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
