#pragma once
// Fields: values on the cells of a grid that is divided into one block per rank, with ghost cells
// around it, for finite differences and particle meshes.

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/message_buffer.hpp"
#include "gsim/comm/messages.hpp"
#include "gsim/core/error.hpp"
#include "gsim/domain/field_view.hpp"
#include "gsim/domain/grid.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/view.hpp"

namespace gsim {

/// Memory layout of a rank's cells: its block and the ghost layers around it, first axis fastest.
/// Also used by kernels.
struct FieldLayout {
  CellBlock block;       ///< cells that the rank owns
  Cell width{0, 0, 0};   ///< number of ghost layers on both sides of each axis
  Cell stride{1, 0, 0};  ///< row offset to the next cell along each axis
  Index lead = 0;        ///< number of rows before the first cell
  Index rows = 0;        ///< number of rows, ghosts included

  /// Lines with at least this many cells along the first axis, ghosts included, are aligned: the
  /// first owned cell of each is at a multiple of 8 rows, with padding in between, so that kernels
  /// read and write whole cache lines.
  static constexpr Index long_line = 128;

  /// The layout of a block with `width` ghost layers; an empty block has no ghosts. InputError for
  /// a width below 0, or for 2^31 rows and more.
  static FieldLayout of(const CellBlock& block, const Cell& width);

  /// The block with its ghosts. Cells beyond a periodic face have continued numbers, below 0 or
  /// beyond the grid; cells beyond an open face are stored but not exchanged.
  CellBlock extended() const;
  /// Row of a cell of extended().
  GSIM_HD Index row(Index x, Index y, Index z) const {
    return lead + x - block.lo[0] + width[0] + (y - block.lo[1] + width[1]) * stride[1] +
           (z - block.lo[2] + width[2]) * stride[2];
  }
  Index row(const Cell& c) const { return row(c[0], c[1], c[2]); }
  /// Cells whose neighbours up to `width` away are all owned: they can be computed before finish().
  CellBlock interior() const;
  /// The block without its interior(), as up to six disjoint blocks: to be computed after finish().
  std::vector<CellBlock> rim() const;

  friend bool operator==(const FieldLayout&, const FieldLayout&) = default;
};

/// Name and unit of a field, for messages, result files and pictures.
struct FieldQuantity {
  std::string name = {};  ///< "temperature"
  std::string unit = {};  ///< "K"; empty: none or unknown
};

/// One quantity on the cells of a FieldLayout, in executor memory, with `components` consecutive
/// elements per cell. Initially zero, ghosts included.
class Field {
 public:
  /// Readable bytes before the first row and after the last: a kernel that loads several cells at a
  /// time may read them but must not use their values.
  static constexpr Index margin = 256;

  /// Allocates elements of `element_bytes` (4 or 8). Error for another size or components < 1.
  Field(Executor executor, const FieldLayout& layout, int components, Index element_bytes,
        FieldQuantity quantity = {});
  template <class T>
  static Field of(Executor executor, const FieldLayout& layout, int components = 1,
                  FieldQuantity quantity = {}) {
    static_assert(std::is_trivially_copyable_v<T>);
    return Field(std::move(executor), layout, components, Index{sizeof(T)}, std::move(quantity));
  }

  const Executor& executor() const { return memory_.executor(); }
  const FieldLayout& layout() const { return layout_; }
  int components() const { return components_; }
  Index row_bytes() const { return row_bytes_; }
  const FieldQuantity& quantity() const { return quantity_; }

  /// All layout().rows * components() elements; Error unless sizeof(T) is the element size.
  template <class T>
  View<T> elements() {
    static_assert(std::is_trivially_copyable_v<T>);
    if (Index{sizeof(T)} * components_ != row_bytes_) wrong_size();
    return {reinterpret_cast<T*>(data()), layout_.rows * components_};
  }
  /// The view for kernels of for_each_cell(); Error unless sizeof(T) is the element size and the
  /// number of components agrees.
  template <class T, int Components = 1>
  FieldView<T, Components> view() {
    if (components_ != Components) wrong_size();
    return {elements<T>().data};
  }
  template <class T, int Components = 1>
  FieldView<const T, Components> view() const {
    return const_cast<Field*>(this)->view<T, Components>();
  }
  std::byte* data() { return memory_.view().data + offset_; }
  const std::byte* data() const { return memory_.view().data + offset_; }

 private:
  [[noreturn]] static void wrong_size();
  FieldLayout layout_;
  int components_;
  Index row_bytes_;
  Index offset_;  ///< margin; 0 if there are no rows
  Array<std::byte> memory_;
  FieldQuantity quantity_;
};

/// Halo exchange of fields: copies owned cells into the ghosts of other ranks, including edges and
/// corners, for any width, over as many neighbours as needed, and around periodic axes (also within
/// a rank).
class FieldHalo {
 public:
  /// Number of tags for users; the last three tags of Messages are reserved.
  static constexpr int tags = Messages::tags - 3;

  /// Plans the exchange for fields on this rank's block of `grid` with `width` ghost layers along
  /// each axis. All ranks must pass the same arguments; nothing is sent. Exchanges that are active
  /// at the same time need different tags. InputError as FieldLayout::of; Error unless `grid` has
  /// as many blocks as the communicator has ranks, or for an invalid tag.
  FieldHalo(Communicator communicator, const GridDecomposition& grid, const Cell& width,
            Executor executor, BufferPath path, int tag = 0);

  /// The layout that fields must have.
  const FieldLayout& layout() const { return layout_; }

  /// Starts to send the cells that are ghosts of other ranks, all fields in one message per peer,
  /// and returns immediately. All ranks must pass fields with the same row_bytes() in the same
  /// order. The fields must stay at their addresses until finish(). Ghosts must not be read before
  /// finish(); owned cells may be changed immediately (by launches on this executor). Error for a
  /// field of another layout.
  ///
  /// `directions`, if not empty, has for each field one direction (-1, 0 or 1 along each axis) in
  /// which its values propagate: cell c reads only cells c - m, where each component of m is 0 or
  /// that of the direction. Each field is then sent only in this direction, for example 5 of the 19
  /// populations of a D3Q19 lattice across a face; other ghosts are undefined. Error for another
  /// number of directions. All ranks must pass the same ones.
  void post(std::span<Field* const> fields, std::span<const Cell> directions = {});
  /// Lets messages progress between pieces of work (Messages::progress).
  void progress() { messages_->progress(); }
  /// Waits until the ghosts are complete (for launches from now on); returns immediately without a
  /// post().
  void finish();

  /// Number of cells that this rank sends per exchange.
  Index sent() const { return sent_.count; }
  /// Number of ghosts that this rank receives per exchange.
  Index received() const { return received_.count; }
  /// Number of ghosts that are periodic images of the rank's own cells.
  Index own_images() const { return images_from_.count; }
  /// Number of messages that this rank sends per exchange.
  Index messages() const;

 private:
  /// Consecutive rows that a peer sends or receives, and their side of the receiver's block: -1, 0
  /// or 1 along each axis.
  struct Part {
    int rank = 0;
    Cell side{0, 0, 0};
    Index first = 0, count = 0;
  };
  /// A list of rows of a field, in executor memory.
  struct Rows {
    std::vector<std::int32_t> host;
    std::vector<Array<std::int32_t>> device;  // one element for a CUDA executor, else empty
    Index count = 0;
    const std::int32_t* data() const {
      return device.empty() ? host.data() : device[0].view().data;
    }
  };
  void plan(const GridDecomposition& grid);
  /// Copies the list to a device.
  void upload(Rows& rows) const;
  /// Whether the ghosts on `side` of a field are sent, according to its direction.
  bool is_required(std::size_t field, const Cell& side) const;
  /// Bytes per cell of the required fields.
  Index record_bytes(const Cell& side) const;
  /// Calls visit(rank, offset in the buffer, bytes) for the messages of all peers.
  template <class Visit>
  void for_each_message(const std::vector<Part>& parts, Visit visit) const;
  /// Copies rows of the required fields, part by part; fill() sets source and target of a column.
  template <class Fill>
  void copy(const Rows* from, const Rows* to, const std::vector<Part>& parts, Fill fill) const;

  Communicator communicator_;
  Executor executor_;
  int tag_;
  FieldLayout layout_;
  Rows sent_, received_, images_from_, images_to_;
  std::vector<Part> sent_parts_, received_parts_, image_parts_;
  MessageBuffer outgoing_, incoming_;
  std::unique_ptr<Messages> messages_;  // destroyed first: messages may be active after an error
  std::vector<Field*> fields_;
  std::vector<Cell> directions_;  // empty, or one per field
  bool under_way_ = false;        // between post() and finish()
};

}  // namespace gsim
