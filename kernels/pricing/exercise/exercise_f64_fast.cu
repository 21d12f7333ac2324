// Early exercise in double, fast arithmetic.
#include "kernels/pricing/exercise/sample_exercise.hpp"

GSIM_DEFINE_LAUNCHER(exercise_f64_fast, pricing::ExerciseJob<double>) {
  pricing_kernels::sample_exercise<Fast>(executor, args);
}
