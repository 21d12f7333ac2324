#pragma once
// Progress within a call of Module::advance(), for modules whose single units take long.

namespace gsim {

/// Reports the fraction `share` (0 to 1) of the units of the current call of Module::advance() that
/// this rank has computed. Must be called on the thread that called advance(). The run prints the
/// progress of rank 0 and writes its status file if the last report is not too recent. Not a
/// collective call; without effect outside a run.
void report_share_of_slice(double share);

}  // namespace gsim
