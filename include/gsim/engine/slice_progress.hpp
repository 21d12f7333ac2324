#pragma once
// Progress within a call of Module::advance(), for modules whose single units take long.

namespace gsim {

/// Tells the run that the part `share`, 0 to 1, of the units of the present call of
/// Module::advance() is computed on this rank, on the thread that called it. The run then shows
/// this progress if it has shown none for a while; only that of rank 0 is shown. Never collective,
/// and without an effect outside of a run.
void report_share_of_slice(double share);

}  // namespace gsim
