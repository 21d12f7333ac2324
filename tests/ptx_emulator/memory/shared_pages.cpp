#include "memory/shared_pages.hpp"

#include <new>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ptxemu {
namespace {

constexpr std::uint32_t ipc_magic = 0x50547831;

/// Bytes of the file: data, states, and a page that begins with the key.
std::uint64_t file_size(std::uint64_t size) {
  return 2 * SharedPages::rounded(size) + SharedPages::page;
}
off_t key_offset(std::uint64_t size) { return static_cast<off_t>(2 * SharedPages::rounded(size)); }

void map_file(int file, void* at, std::uint64_t size, std::uint64_t offset) {
  if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
           static_cast<off_t>(offset)) == MAP_FAILED)
    throw std::bad_alloc();
}

}  // namespace

SharedPages::~SharedPages() {
  if (file_ >= 0) close(file_);
}
SharedPages::SharedPages(SharedPages&& other) noexcept
    : file_(std::exchange(other.file_, -1)), handle_(other.handle_) {}
SharedPages& SharedPages::operator=(SharedPages&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(handle_, other.handle_);
  return *this;
}

SharedPages SharedPages::create(std::uint64_t size, int device) {
  SharedPages pages;
  pages.file_ = memfd_create("emulated device memory", MFD_CLOEXEC);
  pages.handle_ = {ipc_magic, getpid(), pages.file_, device, size, {}};
  auto& key = pages.handle_.key;
  if (pages.file_ < 0 || getrandom(key.data(), sizeof key, 0) != sizeof key ||
      ftruncate(pages.file_, static_cast<off_t>(file_size(size))) != 0 ||
      pwrite(pages.file_, key.data(), sizeof key, key_offset(size)) != sizeof key)
    throw std::bad_alloc();
  return pages;
}

SharedPages SharedPages::open(const IpcHandle& handle) {
  SharedPages pages;
  if (handle.magic != ipc_magic) return pages;
  const std::string path =
      "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.file);
  // O_NONBLOCK, because the descriptor of a stale handle may belong to a pipe.
  pages.file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (pages.file_ < 0) return pages;
  pages.handle_ = handle;
  struct stat state = {};
  std::array<std::uint64_t, 2> key = {};
  if (fstat(pages.file_, &state) == 0 && S_ISREG(state.st_mode) &&
      static_cast<std::uint64_t>(state.st_size) == file_size(handle.size) &&
      pread(pages.file_, key.data(), sizeof key, key_offset(handle.size)) == sizeof key &&
      key == handle.key)
    return pages;
  return {};
}

void SharedPages::map(void* data, void* states) const {
  const std::uint64_t size = rounded(handle_.size);
  map_file(file_, data, size, 0);
  map_file(file_, states, size, size);
}

void SharedPages::discard_data() const {
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
            static_cast<off_t>(rounded(handle_.size)));
}

}  // namespace ptxemu
