// Early exercise in double, strict arithmetic.
#include "kernels/pricing/exercise/sample_exercise.hpp"

GSIM_DEFINE_LAUNCHER(exercise_f64_strict, pricing::ExerciseJob<double>) {
  pricing_kernels::sample_exercise<Strict>(executor, args);
}
