// The embedded-atom method over full neighbour lists, on any executor; runs on a GPU use it.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/md/many_body/full_eam_jobs.hpp"
#include "src/modules/md/many_body/eam_forces.hpp"
#include "src/modules/md/neighbour_lists/over_full_list.hpp"

namespace gsim::md {
namespace {

void run(const Executor& executor, const FullEamDensityJob<float>& job) {
  full_eam_densities_f32(executor, job);
}
void run(const Executor& executor, const FullEamDensityJob<double>& job) {
  full_eam_densities_f64(executor, job);
}
void run(const Executor& executor, const FullEamEmbedJob<float>& job) {
  full_eam_embed_f32(executor, job);
}
void run(const Executor& executor, const FullEamEmbedJob<double>& job) {
  full_eam_embed_f64(executor, job);
}
void run(const Executor& executor, const FullEamForceJob<float>& job) {
  full_eam_forces_f32(executor, job);
}
void run(const Executor& executor, const FullEamForceJob<double>& job) {
  full_eam_forces_f64(executor, job);
}

/// Embedding functions in executor memory.
class Curves {
 public:
  Curves(const Executor& executor, const EamTables& tables)
      : cubics_(executor, 0), curves_(executor, 0) {
    std::vector<CubicTable::Cubic> all;
    for (const CubicTable& f : tables.embedding)
      all.insert(all.end(), f.intervals().begin(), f.intervals().end());
    cubics_ = Array<CubicTable::Cubic>(executor, std::span<const CubicTable::Cubic>(all));
    std::vector<CubicCurve> curves;
    const CubicTable::Cubic* at = cubics_.view().data;
    for (const CubicTable& f : tables.embedding) {
      curves.push_back({at->data(), static_cast<Index>(f.intervals().size()), f.step()});
      at += f.intervals().size();
    }
    curves_ = Array<CubicCurve>(executor, std::span<const CubicCurve>(curves));
  }
  const CubicCurve* data() const { return curves_.view().data; }

 private:
  Array<CubicTable::Cubic> cubics_;
  Array<CubicCurve> curves_;
};

template <class Real>
class FullListEam final : public OverFullList<Real, EamForces<Real>> {
  using Base = OverFullList<Real, EamForces<Real>>;
  using Base::list;
  using Force = typename PairIntegers<Real>::Force;

 public:
  FullListEam(const Executor& executor, const Box& box, const EamTables& tables,
              const EamOptions& options, Particles& particles, int capacity)
      : Base(executor, box, tables.cutoff, options.skin, capacity, ListedRows::locals, tables,
             options, particles),
        curves_(executor, tables),
        table_(executor, 0),
        densities_(executor, 0),
        device_sums_(executor, 0) {
    upload();
  }

  void set_quanta(const ForceQuanta& common) override {
    EamForces<Real>::set_quanta(common);
    upload();
  }

  bool can_use_device_box() const override { return list().executor().is_cuda(); }
  void use_device_box(const DeviceBox* box, DeviceForces& forces) override {
    list().use_device_box(box);
    list().set_limits(forces);
    device_sums_.resize_discard(1 + DeviceSums::count);
    forces.energy_quantum = Base::quanta().energy;
    forces.sums[forces.kinds++] = {device_sums_.view().data + 1, Base::virial_shift(), 1};
    is_on_device_ = true;
  }
  void leave_device_box() override {
    Base::leave_device_box();
    is_on_device_ = false;
  }

  void rebuild(const ForceContext& context) override {
    Particles& p = context.particles;
    Base::plan_exchange(context);
    list().rebuild(pair_atoms(p), nullptr);
    if (densities_.size() != p.locals()) densities_.resize_discard(p.locals());
  }

  bool load_locals(const ForceContext& context) override {
    return Base::read_list(context.particles.positions()) == ListState::good;
  }
  bool replaces_forces() const override { return true; }
  void compute_locals(const ForceContext& context) override { add_densities(context, false); }
  void compute_ghosts(const ForceContext& context) override {
    if (list().ghosts() > 0) {
      list().load_ghosts(context.particles.positions());
      add_densities(context, true);
    }
    embed(context);
    if (context.communicator.size() == 1) return add_forces(context, false);
    Base::pack_slopes();
    if (!Base::sends_beside_kernels()) Base::send_slopes();
    add_forces(context, false);
    if (Base::sends_beside_kernels()) Base::send_slopes();
    Base::finish_slopes();
    if (list().ghosts() > 0) add_forces(context, true);
  }
  void collect(const ForceContext&, ForceSums& sums) override {
    Base::add_sums(sums_, sums);
    sums_ = {};
  }

 private:
  static View<const std::int32_t> types_of(Particles& p) {
    return p.store.template view<std::int32_t>(p.type);
  }

  void upload() { table_ = Array<Four<Real>>(list().executor(), Base::rows().cubics()); }

  /// A place of device_sums_ while a device changes the box, else null.
  WideInteger* device_sum(Index place) {
    return is_on_device_ ? device_sums_.view().data + place : nullptr;
  }

  /// Sets the arguments that both passes over pairs share.
  void set_pass(FullEamPass<Real>& job, bool ghosts, bool with_sums) {
    static_cast<FullListPass<Real>&>(job) = list().pass(ghosts);
    Base::set_table(job);
    job.table = table_.view().data;
    job.with_sums = with_sums;
  }

  void add_densities(const ForceContext& context, bool ghosts) {
    FullEamDensityJob<Real> job;
    set_pass(job, ghosts, context.with_sums);
    job.limit = Base::density_limit();
    job.sums = &sums_.pair;
    job.device_sums = device_sum(1);
    job.densities = densities_.view().data;
    job.energy_scale = Base::energy_scale();
    run(list().executor(), job);
  }

  void embed(const ForceContext& context) {
    run(list().executor(),
        FullEamEmbedJob<Real>{Base::embedding(curves_.data()), types_of(context.particles).data,
                              densities_.view().data, Base::slopes(context.particles).data,
                              list().locals(), context.with_sums, &sums_.embedding, device_sum(0)});
  }

  void add_forces(const ForceContext& context, bool ghosts) {
    Particles& p = context.particles;
    FullEamForceJob<Real> job;
    set_pass(job, ghosts, context.with_sums);
    job.limit = Base::force_limit();
    job.sums = sums_.virial;
    job.device_sums = device_sum(2);
    job.slopes = Base::slopes(p).data;
    job.virial_scale = Base::virial_scale();
    job.force_shift = Base::force_shift();
    job.forces = p.store.template elements<std::int64_t>(p.force).data;
    job.kept = ghosts ? -1 : 0;
    run(list().executor(), job);
  }

  std::string message_of_overlap(std::uint64_t id) const override {
    const auto& id_of = Base::options().id_of;
    const auto atom = static_cast<Index>(id);
    return Base::overlap_message(
        fmt::format("embedded atom {} and another one", id_of ? id_of(atom) : atom));
  }

  Curves curves_;
  Array<Four<Real>> table_;
  Array<Force> densities_;
  EamSums sums_;
  Array<WideInteger> device_sums_;  // the same after use_device_box(), in this order
  bool is_on_device_ = false;
};

}  // namespace

std::unique_ptr<ShortRange> make_full_list_eam(const Executor& executor, const Box& box,
                                               const EamTables& tables, const EamOptions& options,
                                               Particles& particles, int capacity) {
  if (options.precision == PairPrecision::mixed)
    return std::make_unique<FullListEam<float>>(executor, box, tables, options, particles,
                                                capacity);
  return std::make_unique<FullListEam<double>>(executor, box, tables, options, particles, capacity);
}

}  // namespace gsim::md
