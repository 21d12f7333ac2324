// Early exercise in float, strict arithmetic.
#include "kernels/pricing/exercise/sample_exercise.hpp"

GSIM_DEFINE_LAUNCHER(exercise_f32_strict, pricing::ExerciseJob<float>) {
  pricing_kernels::sample_exercise<Strict>(executor, args);
}
