#pragma once
// What plugins add to molecular dynamics.

#include <vector>

#include "gsim/md/potential_kind.hpp"
#include "gsim/md/triplet_kind.hpp"

namespace gsim::md {

/// They outlive the module that takes them in.
struct Extensions {
  std::vector<const PotentialKind*> pairs;  ///< besides gsim's own
  std::vector<const TripletKind*> triplets;
};

}  // namespace gsim::md
