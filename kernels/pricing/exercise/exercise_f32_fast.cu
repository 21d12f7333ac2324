// Early exercise in float, fast arithmetic.
#include "kernels/pricing/exercise/sample_exercise.hpp"

GSIM_DEFINE_LAUNCHER(exercise_f32_fast, pricing::ExerciseJob<float>) {
  pricing_kernels::sample_exercise<Fast>(executor, args);
}
