/* Copying and comparing memory, for the program that is linked with musl on x86-64.
 *
 * A run moves and compares very many short texts. There musl copies with string instructions, whose start alone takes
 * longer than the copy, and compares byte by byte: an eighth of a run's time. These four take the place of musl's when
 * the program is linked; what they do is the C standard's. `tests/it/memory.rs` holds them to it.
 *
 * Short blocks are moved as two that may overlap, both read before either is written, so that no length needs a loop
 * over its last bytes. Nothing here may be turned into a call of itself: `build.rs` compiles it with -fno-builtin.
 */

#include <stddef.h>
#include <stdint.h>

/* Without an alignment of their own, and free to be any type's memory. */
typedef uint16_t __attribute__((may_alias, aligned(1))) two;
typedef uint32_t __attribute__((may_alias, aligned(1))) four;
typedef uint64_t __attribute__((may_alias, aligned(1))) eight;
typedef long long __attribute__((vector_size(16), may_alias, aligned(1))) sixteen;

#define MOVE_ENDS(type)                                          \
  do {                                                           \
    type first = *(const type *)from;                            \
    type last = *(const type *)(from + length - sizeof(type));   \
    *(type *)to = first;                                         \
    *(type *)(to + length - sizeof(type)) = last;                \
  } while (0)

/* At most 32 bytes, wherever the two blocks lie. */
static inline void move_short(unsigned char *to, const unsigned char *from, size_t length) {
  if (length > 16)
    MOVE_ENDS(sixteen);
  else if (length >= 8)
    MOVE_ENDS(eight);
  else if (length >= 4)
    MOVE_ENDS(four);
  else if (length >= 2)
    MOVE_ENDS(two);
  else if (length == 1)
    *to = *from;
}

/* More than 32 bytes, from the front: `to` does not lie within `from`. */
static inline void move_up(unsigned char *to, const unsigned char *from, size_t length) {
  const sixteen last = *(const sixteen *)(from + length - 32);
  const sixteen very_last = *(const sixteen *)(from + length - 16);
  unsigned char *end = to + length - 32;
  unsigned char *at = to;
  if (length > 2048) {
    /* From here on the string instructions are the faster ones. */
    size_t words = length / 8 - 4;
    __asm__ volatile("rep movsq" : "+D"(at), "+S"(from), "+c"(words) : : "memory");
  }
  while (at < end) {
    sixteen one = *(const sixteen *)from;
    sixteen two_ = *(const sixteen *)(from + 16);
    *(sixteen *)at = one;
    *(sixteen *)(at + 16) = two_;
    from += 32;
    at += 32;
  }
  *(sixteen *)end = last;
  *(sixteen *)(end + 16) = very_last;
}

/* More than 32 bytes, from the back: `from` does not lie within `to`. */
static inline void move_down(unsigned char *to, const unsigned char *from, size_t length) {
  const sixteen first = *(const sixteen *)from;
  const sixteen second = *(const sixteen *)(from + 16);
  while (length > 32) {
    sixteen one = *(const sixteen *)(from + length - 16);
    sixteen two_ = *(const sixteen *)(from + length - 32);
    *(sixteen *)(to + length - 16) = one;
    *(sixteen *)(to + length - 32) = two_;
    length -= 32;
  }
  *(sixteen *)to = first;
  *(sixteen *)(to + 16) = second;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length) {
  if (length <= 32)
    move_short(to, from, length);
  else
    move_up(to, from, length);
  return to;
}

void *memmove(void *to, const void *from, size_t length) {
  if (length <= 32)
    move_short(to, from, length);
  else if ((uintptr_t)to - (uintptr_t)from >= length)
    move_up(to, from, length);
  else
    move_down(to, from, length);
  return to;
}

/* Words that differ, by their first differing byte, which is the lowest. */
static inline int ordered(uint64_t a, uint64_t b) {
  return __builtin_bswap64(a) < __builtin_bswap64(b) ? -1 : 1;
}

int memcmp(const void *left, const void *right, size_t length) {
  const unsigned char *a = left, *b = right;
  if (length >= 8) {
    size_t last = length - 8;
    for (size_t at = 0; at < last; at += 8) {
      uint64_t x = *(const eight *)(a + at), y = *(const eight *)(b + at);
      if (x != y)
        return ordered(x, y);
    }
    uint64_t x = *(const eight *)(a + last), y = *(const eight *)(b + last);
    return x == y ? 0 : ordered(x, y);
  }
  if (length >= 4) {
    uint64_t x = *(const four *)a | (uint64_t)*(const four *)(a + length - 4) << 32;
    uint64_t y = *(const four *)b | (uint64_t)*(const four *)(b + length - 4) << 32;
    return x == y ? 0 : ordered(x, y);
  }
  for (size_t at = 0; at < length; at++)
    if (a[at] != b[at])
      return a[at] < b[at] ? -1 : 1;
  return 0;
}

int bcmp(const void *left, const void *right, size_t length) {
  return memcmp(left, right, length);
}
