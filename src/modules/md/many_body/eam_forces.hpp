#pragma once
// The part of the embedded-atom method that does not depend on the kind of lists: the tables in the
// precision and units of the kernels, quanta and limits, and the exchange of F' between ranks.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gsim/domain/halo.hpp"
#include "kernels/md/many_body/eam_embedding.hpp"
#include "src/modules/md/many_body/eam.hpp"
#include "src/modules/md/many_body/eam_scratch.hpp"

namespace gsim::md {

/// Sums on one rank: twice the energies in quanta of the kernels (`embedding` in those of the run),
/// and the virial.
struct EamSums {
  ExactSum embedding, pair, virial[6];
};

template <class Real>
class EamForces : public ShortRange {
 public:
  static constexpr bool mixed = sizeof(Real) == 4;

  std::vector<std::string> energy_names() const override { return {"embedding", "pair"}; }
  double cutoff() const override { return tables_.cutoff; }
  LargestForce largest() const override;
  /// InputError where largest() is above 2^50 quanta.
  void set_quanta(const ForceQuanta& common) override;
  const ForceQuanta& quanta() const override { return quanta_; }

 protected:
  EamForces(const EamTables& tables, const EamOptions& options, Particles& particles);

  /// Tables for kernels, in quanta of densities, of forces over lengths, and of energies.
  const EamRows<Real>& rows() const { return rows_; }
  std::int32_t types() const { return static_cast<std::int32_t>(tables_.types()); }
  /// Sets the arguments by which distances are converted to rows of the table.
  template <class Job>
  void set_table(Job& job) const {
    job.table_rows = rows_.rows();
    job.types = types();
    job.inverse_step = static_cast<Real>(1 / tables_.density[0].step());
    job.cutoff2 = static_cast<Real>(tables_.cutoff * tables_.cutoff);
  }
  /// The factors that convert a force quantum times a length to energy quanta (with reversed sign)
  /// and to virial quanta.
  Real energy_scale() const;
  Real virial_scale() const;
  int force_shift() const { return force_shift_; }
  int virial_shift() const { return virial_shift_; }
  /// Limits of a pair's density and |F/r|: the high 32 bits of their representation.
  std::uint32_t density_limit() const;
  std::uint32_t force_limit() const;
  /// The arguments of the kernel for F and F'. `curves`: copies of the embedding functions in
  /// executor memory.
  EamEmbedding embedding(const CubicCurve* curves) const;
  const EamTables& tables() const { return tables_; }

  /// Adds sums in the kernels' quanta to those of the run.
  void add_sums(const EamSums& kernel_sums, ForceSums& sums) const;
  /// The message of an overlap of `atoms`, such as "two embedded atoms".
  std::string overlap_message(const std::string& atoms) const;
  const EamOptions& options() const { return options_; }

  /// -F' of locals and ghosts, in executor memory.
  View<Real> slopes(Particles& particles) const {
    return particles.store.template elements<Real>(column_);
  }
  /// Plans the exchange of F'; must be called in every rebuild().
  void plan_exchange(const ForceContext& context);
  /// The exchange of F' (HaloExchange::pack).
  void pack_slopes() { halo_->pack(std::array{column_}); }
  void send_slopes() { halo_->send(); }
  bool sends_beside_kernels() const { return halo_->sends_beside_kernels(); }
  void finish_slopes();

 private:
  double force_quantum() const;

  EamTables tables_;
  EamOptions options_;
  EamRows<Real> rows_;
  double density_quantum_;
  ForceQuanta quanta_;
  ColumnId column_;  // -F'
  std::unique_ptr<HaloExchange> halo_;
  /// Quanta of the kernels are 2^shift quanta of the run.
  int force_shift_ = 0, energy_shift_ = 0, virial_shift_ = 0;
};

extern template class EamForces<float>;
extern template class EamForces<double>;

}  // namespace gsim::md
