#pragma once
// Values on the cells of a grid, divided among ranks in blocks, with copies of other ranks' cells
// around them: what finite differences and particle meshes are made of.

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

/// Where a rank's cells stand in its memory: its block and ghost layers around it, the first axis
/// fastest. For kernels, too.
struct FieldLayout {
  CellBlock block;       ///< cells that the rank owns
  Cell width{0, 0, 0};   ///< ghost layers on both sides of each axis
  Cell stride{1, 0, 0};  ///< rows from a cell to the next along each axis
  Index lead = 0;        ///< rows in front of the first cell
  Index rows = 0;        ///< places for cells, ghosts included

  /// Lines of at least so many cells along the first axis, ghosts included, have each its first
  /// owned cell at a multiple of 8 rows, with places in between that hold no cell: kernels then
  /// read and write whole lines of memory.
  static constexpr Index long_line = 128;

  /// An empty block has no ghosts. InputError for a width below 0, or 2^31 rows and more.
  static FieldLayout of(const CellBlock& block, const Cell& width);

  /// The block and its ghosts. Cells beyond a periodic face have the numbers that go on there,
  /// below 0 or beyond the grid; those beyond an open face are held, but not exchanged.
  CellBlock extended() const;
  /// Row of a cell of extended().
  GSIM_HD Index row(Index x, Index y, Index z) const {
    return lead + x - block.lo[0] + width[0] + (y - block.lo[1] + width[1]) * stride[1] +
           (z - block.lo[2] + width[2]) * stride[2];
  }
  Index row(const Cell& c) const { return row(c[0], c[1], c[2]); }
  /// Cells whose neighbours up to `width` away are all owned: work for before finish().
  CellBlock interior() const;
  /// The block without its interior(), as up to six disjoint blocks: work for after finish().
  std::vector<CellBlock> rim() const;

  friend bool operator==(const FieldLayout&, const FieldLayout&) = default;
};

/// What a field holds, for people: messages, result files and pictures say it where the field's
/// author has said it once.
struct FieldQuantity {
  std::string name = {};  ///< "temperature"
  std::string unit = {};  ///< "K"; empty: it has none, or it is not known
};

/// One quantity on the cells of a FieldLayout, in executor memory: `components` elements a cell,
/// next to each other. Zero at first, ghosts too.
class Field {
 public:
  /// Bytes before the first row and behind the last that are there: a kernel that takes several
  /// cells at a time may read them, and use nothing that it finds.
  static constexpr Index margin = 256;

  /// Elements of `element_bytes` (4 or 8). Error for another size or components < 1.
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

  /// layout().rows * components() elements; Error unless T has the elements' size.
  template <class T>
  View<T> elements() {
    static_assert(std::is_trivially_copyable_v<T>);
    if (Index{sizeof(T)} * components_ != row_bytes_) wrong_size();
    return {reinterpret_cast<T*>(data()), layout_.rows * components_};
  }
  /// The elements as kernels of for_each_cell() take them; Error unless T has the elements' size
  /// and a cell has as many.
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
  Index offset_;  ///< margin; 0 where there are no rows
  Array<std::byte> memory_;
  FieldQuantity quantity_;
};

/// Fills ghosts with the values of the cells that they are copies of: faces, edges and corners, of
/// any width, over as many neighbours as that takes, and around periodic axes, also to the rank's
/// own cells.
class FieldHalo {
 public:
  /// Tags for users; the last three of Messages are others' own.
  static constexpr int tags = Messages::tags - 3;

  /// The plan for fields on this rank's block of `grid` with `width` ghost layers along each axis.
  /// All ranks make it with the same arguments; nothing is sent. Exchanges under way at the same
  /// time need different tags. InputError as FieldLayout::of; Error unless `grid` has as many
  /// blocks as the communicator ranks, or for a tag that is none.
  FieldHalo(Communicator communicator, const GridDecomposition& grid, const Cell& width,
            Executor executor, BufferPath path, int tag = 0);

  /// That fields must have.
  const FieldLayout& layout() const { return layout_; }

  /// Sends the cells that are others' ghosts, all fields in one message a peer, and returns at
  /// once. All ranks give fields of the same row_bytes() in the same order; they stay where they
  /// are until finish(). Ghosts must not be read before finish(); owned cells may change at once
  /// (by launches on this executor). Error for a field of another layout.
  ///
  /// `moves`, if any, has for each field the one direction (-1, 0 or 1 along each axis) in which
  /// its values move on: a cell c reads none but those at c, and at c - move or the parts of that
  /// along single axes. Then each field is sent only where it moves to, such as 5 of the 19
  /// populations of a D3Q19 lattice across a face; other ghosts are undefined. Error for another
  /// number of them. Ranks agree on moves as on fields.
  void post(std::span<Field* const> fields, std::span<const Cell> moves = {});
  /// To be called between pieces of the work in between (Messages::progress).
  void progress() { messages_->progress(); }
  /// Returns when the ghosts are there (for launches from now on); at once without a post.
  void finish();

  /// Cells that this rank sends to others, per exchange.
  Index sent() const { return sent_.count; }
  /// Ghosts that others fill, per exchange.
  Index received() const { return received_.count; }
  /// Ghosts that are copies of own cells, around periodic axes.
  Index own_images() const { return images_from_.count; }
  /// Messages that this rank sends, per exchange.
  Index messages() const;

 private:
  /// Rows that a peer sends or receives, and on which sides of the receiver's block they stand:
  /// -1, 0 or 1 along each axis. Those of a peer are next to each other.
  struct Part {
    int rank = 0;
    Cell side{0, 0, 0};
    Index first = 0, count = 0;
  };
  /// Rows of a field, in executor memory.
  struct Rows {
    std::vector<std::int32_t> host;
    std::vector<Array<std::int32_t>> device;  // none or one, for a CUDA executor
    Index count = 0;
    const std::int32_t* data() const {
      return device.empty() ? host.data() : device[0].view().data;
    }
  };
  void plan(const GridDecomposition& grid);
  void upload(Rows& rows) const;
  bool is_wanted(std::size_t field, const Cell& side) const;
  Index record_bytes(const Cell& side) const;
  template <class Visit>
  void for_each_message(const std::vector<Part>& parts, Visit visit) const;
  template <class Fill>
  void copy(const Rows* from, const Rows* to, const std::vector<Part>& parts, Fill fill) const;

  Communicator communicator_;
  Executor executor_;
  int tag_;
  FieldLayout layout_;
  Rows sent_, received_, images_from_, images_to_;
  std::vector<Part> sent_parts_, received_parts_, image_parts_;
  MessageBuffer outgoing_, incoming_;
  std::unique_ptr<Messages> messages_;  // goes first: messages may be under way after an error
  std::vector<Field*> fields_;
  std::vector<Cell> moves_;  // none, or of each field
  bool under_way_ = false;
};

}  // namespace gsim
