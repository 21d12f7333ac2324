// Stands in for the management library of NVIDIA's driver: one GPU, whose energy grows with each
// call.

#include <cstring>

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }

int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  static int gpu;
  constexpr int not_found = 6;
  if (std::strcmp(uuid, "GPU-1") != 0) return not_found;
  *device = &gpu;
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  static unsigned long long all = 5'000'000;
  *millijoules = all += 2500;
  return 0;
}

int nvmlDeviceGetUtilizationRates(void*, unsigned* percent) {
  percent[0] = 92;
  percent[1] = 40;
  return 0;
}

int nvmlDeviceGetMemoryInfo(void*, unsigned long long* bytes) {
  bytes[0] = 1000;
  bytes[1] = 600;
  bytes[2] = 400;
  return 0;
}
}
