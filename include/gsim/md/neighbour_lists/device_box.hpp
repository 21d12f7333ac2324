#pragma once
// A box that kernels read from device memory, because a barostat on the device changes it.

namespace gsim::md {

struct DeviceBox {
  double matrix[6];  ///< Box::matrix(0)
  /// Squares of the distances by which atoms may have moved since the lists were made (PackJob);
  /// negative if the lists must be rebuilt at once.
  float aging2, allowed2;
};

}  // namespace gsim::md
