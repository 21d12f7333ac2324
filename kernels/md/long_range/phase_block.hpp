#pragma once
// The host works on blocks of eight registers of atoms: their tables of cosines and sines stay in
// the first level of cache while all waves pass by.

#include "gsim/math/pack.hpp"
#include "kernels/md/long_range/phases.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

class WaveBlock {
 public:
  using R = packed<double>;
  using U = packed<std::uint64_t>;
  static constexpr int lanes = lanes_of<R>, packs = 8, atoms = packs * lanes;
  static_assert(lanes <= md::most_wave_lanes);

  static Index count(Index atoms_in_all) { return (atoms_in_all + atoms - 1) / atoms; }

  /// Room for a block in the workspace of `worker`.
  WaveBlock(const md::WaveAtoms& all, const md::WavePoints& waves, int worker)
      : all_(all),
        waves_(waves),
        table_(reinterpret_cast<double*>(all.workspace.data +
                                         worker * md::wave_workspace(waves, false, 1, 0))) {}

  /// Takes the atoms of block `index`; those beyond the last, which fill a pack, have no charge.
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
      const U at[3] = {gsim::load<U>(x[0]), gsim::load<U>(x[1]), gsim::load<U>(x[2])};
      fill_table<R>(waves_, at, [&](Index entry, R value) { store(place(entry, p), value); });
      charge_[p] = gsim::load<R>(q);
    }
  }

  /// The sums of this worker, after its tables: `lanes` words for each.
  std::uint64_t* sums() const {
    return reinterpret_cast<std::uint64_t*>(table_) +
           8 * md::most_wave_lanes * md::wave_table_entries(waves_);
  }

  Index first() const { return first_; }
  /// Packs that hold atoms. (Loops over them are short and not to be unrolled, since what a pack is
  /// multiplied with fills the registers; that their number is not a constant sees to it.)
  int used() const { return used_; }
  R charge(int pack) const { return charge_[pack]; }
  /// Cosines of n x_axis of pack 0, which those of packs 1 … 7 follow, then their sines.
  const double* row(int axis, int n) const { return place(table_entry(waves_, axis, n), 0); }
  static R cosine(const double* row, int pack) { return gsim::load<R>(row + pack * lanes); }
  static R sine(const double* row, int pack) { return gsim::load<R>(row + atoms + pack * lanes); }

 private:
  double* place(Index entry, int pack) const { return table_ + entry * atoms + pack * lanes; }

  md::WaveAtoms all_;
  md::WavePoints waves_;
  double* table_;
  R charge_[packs];
  Index first_ = 0;
  int used_ = 0;
};

}  // namespace md_kernels
GSIM_TARGET_END
#endif
