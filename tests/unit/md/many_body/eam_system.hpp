#pragma once
// Systems of atoms at fixed positions whose embedded-atom forces are computed on any number of
// ranks.

#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/many_body/eam.hpp"
#include "src/modules/md/many_body/eam_kinds/sutton_chen.hpp"
#include "support/test_executor.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

namespace gsim::test {

using namespace gsim::md;

struct Atoms {
  Box box{{0, 0, 0}, {1, 1, 1}};
  std::vector<FixedPosition> positions;
  std::vector<std::int32_t> types;
};

/// An fcc crystal of `cells`^3 unit cells in which atoms are displaced by up to `noise` along each
/// axis. Every `every`-th atom has type 1, the others type 0.
inline Atoms crystal(const Box& box, int cells, double noise, int every = 0) {
  Atoms atoms{box, {}, {}};
  std::mt19937_64 random(11);
  each_fcc_site(
      box, cells, 1,
      [&] { return 2 * noise * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5); },
      [&](const FixedPosition& position) {
        const bool is_other = every > 0 && static_cast<int>(atoms.types.size()) % every == 0;
        atoms.types.push_back(is_other ? 1 : 0);
        atoms.positions.push_back(position);
      });
  return atoms;
}

inline const Box cube({0, 0, 0}, {14.44, 14.44, 14.44});
inline const Box tilted({1, 2, 3}, {14.6, 14.5, 14.3}, {2.1, -1.4, 3.0});
inline const Box open_box({-2, -2, -2}, {19, 14.44, 19}, {},
                          {Boundary::open, Boundary::periodic, Boundary::open});

inline EamTables copper() {
  SuttonChen p;
  p.cutoff = 5.6;
  return make_eam_tables(tabulate(p), std::array<std::size_t, 1>{0});
}

/// Tables of two fictitious metals. If `fs` (as in files of the format eam.fs), the density depends
/// on the types of both atoms of a pair.
inline EamFile alloy_file(bool fs) {
  constexpr std::size_t points = 600;
  EamFile file;
  file.cutoff = 5.2;
  file.r_step = 5.2 / (points - 1);
  file.rho_step = 0.05;
  file.elements.resize(2);
  const auto table = [](double step, std::size_t count, const auto& f) {
    std::vector<double> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = f(static_cast<double>(k) * step);
    return values;
  };
  const auto taper = [&](double r) { return (5.2 - r) * (5.2 - r) / 16; };
  for (std::size_t i = 0; i < 2; ++i) {
    EamElement& e = file.elements[i];
    const auto type = static_cast<double>(i);
    e.embedding = table(file.rho_step, 2000, [&](double rho) {
      return -(1.5 + 0.4 * type) * std::sqrt(rho + 0.1) + 0.01 * rho;
    });
    for (std::size_t j = 0; j < (fs ? 2u : 1u); ++j)
      e.density.push_back(table(file.r_step, points, [&](double r) {
        return (1 + 0.7 * type + 0.3 * static_cast<double>(j)) * std::exp(1.1 * (2.5 - r)) *
               taper(r);
      }));
    for (std::size_t j = 0; j <= i; ++j)
      file.r_phi.push_back(table(file.r_step, points, [&](double r) {
        const double radius = 2.4 + 0.2 * static_cast<double>(i + j);
        return r * 0.4 * std::exp(3 * (radius - r)) * taper(r);
      }));
  }
  return file;
}
/// The tables of alloy_file().
inline EamTables alloy(bool fs) {
  return make_eam_tables(alloy_file(fs), std::array<std::size_t, 2>{0, 1});
}

struct Options {
  int ranks = 1;
  Executor executor = test_executor();
  double skin = 0.5;
  PairPrecision precision = PairPrecision::mixed;
  bool shuffled = false;
  ForceQuanta quanta = {};
  bool full_lists = false;  // the neighbour lists of GPUs, also on the host
};

/// The options with one thread of the host as the executor.
inline Options on_host(Options options) {
  options.executor = Executor::host(1);
  return options;
}

/// Integer forces in the order of ids, and sums.
struct Result : PairResult {
  ForceQuanta quanta;
};

/// One rank of a system of atoms at fixed positions.
class Rank {
 public:
  Rank(const Communicator& comm, const Atoms& atoms, const EamTables& tables, const Options& o)
      : comm_(comm),
        box_(atoms.box),
        decomposition_(box_, comm_.size()),
        executor_(executor_of_rank(o.executor)),
        particles_(executor_, {}),
        eam_(make(o, tables)),
        plan_(comm_) {
    if (o.quanta.force > 0) eam_->set_quanta(o.quanta);
    fill(atoms, o.shuffled);
    Migrator(comm_, executor_, BufferPath::host).migrate(particles_.store, decomposition_);
    plan_.build(particles_.store, box_, decomposition_, tables.cutoff + o.skin);
    eam_->rebuild(context(true));
    CHECK(eam_->load_locals(context(true)));
  }

  void change_box(const Box& box) {
    box_ = box;
    eam_->box_changed(box);
  }

  ShortRange& eam() { return *eam_; }
  ForceContext context(bool with_sums) { return {particles_, box_, plan_, comm_, with_sums}; }

  Result compute(bool with_sums) {
    const ForceContext c = context(with_sums);
    ParticleStore& store = particles_.store;
    const View<std::int64_t> force = store.elements<std::int64_t>(particles_.force);
    store.executor().fill_zero(force.data, static_cast<std::size_t>(force.size) * 8);
    eam_->compute_locals(c);
    eam_->compute_ghosts(c);
    Result r;
    eam_->collect(c, r.sums);
    eam_->check();
    r.quanta = eam_->quanta();
    using Force = std::array<std::int64_t, 3>;
    const auto ids = store.to_host<std::int64_t>(store.id());
    const auto forces = store.to_host<Force>(particles_.force);
    const auto all_ids = comm_.allgather(std::span<const std::int64_t>(ids));
    const auto all = comm_.allgather(std::span<const Force>(forces));
    r.forces.resize(3 * all.size());
    for (std::size_t k = 0; k < all_ids.size(); ++k)
      for (std::size_t a = 0; a < 3; ++a)
        r.forces[3 * static_cast<std::size_t>(all_ids[k]) + a] = all[k][a];
    comm_.sum(r.sums.energy);
    comm_.sum(r.sums.virial);
    return r;
  }

 private:
  std::unique_ptr<ShortRange> make(const Options& o, const EamTables& tables) {
    const EamOptions options{.skin = o.skin, .precision = o.precision};
    // The small initial capacity of 20 neighbours must grow.
    if (o.full_lists || executor_.is_cuda())
      return make_full_list_eam(executor_, box_, tables, options, particles_, 20);
    return make_eam(executor_, box_, tables, options, particles_);
  }

  void fill(const Atoms& atoms, bool shuffled) {
    std::vector<std::size_t> order(atoms.positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(3);
    if (shuffled)
      for (std::size_t k = order.size() - 1; k > 0; --k)
        std::swap(order[k], order[random() % (k + 1)]);
    const auto own_range =
        partition({0, static_cast<Index>(order.size())}, comm_.size(), comm_.rank());
    std::vector<FixedPosition> positions;
    std::vector<std::int64_t> ids;
    std::vector<std::int32_t> types;
    for (Index i = own_range.first; i < own_range.last; ++i) {
      const std::size_t k = order[static_cast<std::size_t>(i)];
      positions.push_back(atoms.positions[k]);
      ids.push_back(static_cast<std::int64_t>(k));
      types.push_back(atoms.types[k]);
    }
    ParticleStore& store = particles_.store;
    store.resize_locals(own_range.size());
    store.assign(store.position(), positions);
    store.assign(store.id(), ids);
    store.assign(particles_.type, types);
  }

  Communicator comm_;
  Box box_;
  Decomposition decomposition_;
  Executor executor_;
  Particles particles_;
  std::unique_ptr<ShortRange> eam_;
  HaloPlan plan_;
};

inline Result compute(const Atoms& atoms, const EamTables& tables, const Options& o) {
  Result result;
  std::mutex lock;
  run_in_process(o.ranks, [&](Communicator comm) {
    Rank rank(comm, atoms, tables, o);
    const Result with_sums = rank.compute(true), without = rank.compute(false);
    const std::lock_guard guard(lock);
    CHECK(without.forces == with_sums.forces);
    CHECK(without.sums.energy[0] == ExactSum());
    CHECK(without.sums.virial[0] == ExactSum());
    result = with_sums;
  });
  return result;
}

inline long double energy(const Result& r, std::size_t part) {
  return static_cast<long double>(r.sums.energy[part].value(0.5 * r.quanta.energy));
}

}  // namespace gsim::test
