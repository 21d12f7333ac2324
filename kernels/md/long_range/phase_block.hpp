#pragma once
// Blocks of eight vector registers of atoms, for hosts: the tables of cosines and sines of a block
// stay in the level-1 cache while all k-vectors are computed.

#include "gsim/math/pack.hpp"
#include "kernels/md/long_range/phases.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

class PhaseBlock {
 public:
  using R = packed<double>;
  using U = packed<std::uint64_t>;
  static constexpr int lanes = lanes_of<R>, packs = 8, atoms = packs * lanes;
  static_assert(lanes <= md::max_ewald_lanes);

  /// Number of blocks.
  static Index count(Index total_atoms) { return (total_atoms + atoms - 1) / atoms; }

  /// Uses the part of the workspace that belongs to thread `worker`.
  PhaseBlock(const md::EwaldAtoms& all, const md::KVectorPoints& k_vectors, int worker)
      : all_(all),
        k_vectors_(k_vectors),
        table_(reinterpret_cast<double*>(all.workspace.data +
                                         worker * md::ewald_workspace(k_vectors, false, 1, 0))) {}

  /// Loads the atoms of block `index`; the charge of lanes beyond the last atom is zero.
  void load(Index index) {
    first_ = index * atoms;
    const Index left = (all_.position.size - first_ + lanes - 1) / lanes;
    used_ = left < packs ? static_cast<int>(left) : packs;
    for (int p = 0; p < used_; ++p) {
      alignas(64) std::uint64_t x[3][lanes] = {};
      alignas(64) double q[lanes] = {};
      for (int l = 0; l < lanes; ++l) {
        const Index i = first_ + p * lanes + l;
        if (i >= all_.position.size) break;
        for (int a = 0; a < 3; ++a) x[a][l] = all_.position[i].x[a];
        q[l] = all_.charge[i];
      }
      const U position[3] = {gsim::load<U>(x[0]), gsim::load<U>(x[1]), gsim::load<U>(x[2])};
      fill_table<R>(k_vectors_, position,
                    [&](Index entry, R value) { store(address(entry, p), value); });
      charge_[p] = gsim::load<R>(q);
    }
  }

  /// The sums of this thread, which follow its tables: `lanes` words for each sum.
  std::uint64_t* sums() const {
    return reinterpret_cast<std::uint64_t*>(table_) +
           8 * md::max_ewald_lanes * md::phase_table_entries(k_vectors_);
  }

  Index first() const { return first_; }
  /// The number of packs that hold atoms. Loops over packs must not be unrolled, since the factors
  /// of one pack fill the registers; a number that is not constant prevents unrolling.
  int used() const { return used_; }
  R charge(int pack) const { return charge_[pack]; }
  /// The cosines of the phases n x_axis of packs 0 … 7, followed by the sines.
  const double* row(int axis, int n) const { return address(table_entry(k_vectors_, axis, n), 0); }
  static R cosine(const double* row, int pack) { return gsim::load<R>(row + pack * lanes); }
  static R sine(const double* row, int pack) { return gsim::load<R>(row + atoms + pack * lanes); }

 private:
  double* address(Index entry, int pack) const { return table_ + entry * atoms + pack * lanes; }

  md::EwaldAtoms all_;
  md::KVectorPoints k_vectors_;
  double* table_;
  R charge_[packs];
  Index first_ = 0;
  int used_ = 0;
};

}  // namespace md_kernels
GSIM_TARGET_END
#endif
