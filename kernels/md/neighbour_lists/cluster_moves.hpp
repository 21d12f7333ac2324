#pragma once
// The arguments of kernels that load the positions of the atoms of clusters and find the largest
// displacement of an atom. Data only: nothing here is compiled per target.

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// Reads the positions of the atoms of clusters [first, last) into `to`, and raises `largest2` to
/// the largest squared distance of an atom from its position in `since`.
template <class Real>
struct ClusterLoadJob {
  using Position = typename PairIntegers<Real>::Position;
  const FixedPosition* positions;
  const std::int32_t*
      rows;  ///< rows of the atoms, four for each cluster; unused ones repeat an atom
  Index first, last;
  Quad<Position>* to;
  const Quad<std::uint32_t>* since;
  float box_matrix[6];  ///< Box::matrix(32), of the box in which distances are measured
  float* largest2;
};

/// Copies the positions of the atoms of clusters [first, last) to `since`, and raises `largest2` to
/// the largest squared distance of an atom from its position in `before`.
template <class Real>
struct ClusterRecordJob {
  using Position = typename PairIntegers<Real>::Position;
  const Quad<Position>* positions;
  Index first, last;
  Quad<std::uint32_t>* since;
  const Quad<std::uint32_t>* before;
  float box_matrix[6];
  float* largest2;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(cluster_load_f32, md::ClusterLoadJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_load_f64, md::ClusterLoadJob<double>)
GSIM_DECLARE_LAUNCHER(cluster_record_f32, md::ClusterRecordJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_record_f64, md::ClusterRecordJob<double>)
