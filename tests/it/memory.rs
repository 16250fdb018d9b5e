//! The C standard's copying and comparing, for what `native/memory.c` puts in the place of the C library's.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The functions under other names, beside the plainest ones that do the same, for every length and place of blocks that
/// takes another way through them.
const CHECK: &str = r#"
#define memcpy own_memcpy
#define memmove own_memmove
#define memcmp own_memcmp
#define bcmp own_bcmp
#include MEMORY
#include <stdio.h>

static unsigned char own[9000], plain[9000];

static void fill(void) {
  for (size_t i = 0; i < sizeof own; i++) own[i] = plain[i] = (unsigned char)(i * 7 + i / 251);
}

static int differ(const char *what, size_t to, size_t from, size_t length) {
  for (size_t i = 0; i < sizeof own; i++)
    if (own[i] != plain[i]) {
      printf("%s to %zu from %zu, %zu bytes: byte %zu\n", what, to, from, length, i);
      return 1;
    }
  return 0;
}

static int moved(size_t to, size_t from, size_t length) {
  fill();
  if (own_memmove(own + to, own + from, length) != own + to) return 1;
  if (to < from)
    for (size_t i = 0; i < length; i++) plain[to + i] = plain[from + i];
  else
    for (size_t i = length; i-- > 0;) plain[to + i] = plain[from + i];
  if (differ("memmove", to, from, length)) return 1;
  if (to + length > from && from + length > to && to != from) return 0;
  fill();
  if (own_memcpy(own + to, own + from, length) != own + to) return 1;
  for (size_t i = 0; i < length; i++) plain[to + i] = plain[from + i];
  return differ("memcpy", to, from, length);
}

static int sign(int n) { return (n > 0) - (n < 0); }

static int compared(size_t shift, size_t length, size_t at) {
  unsigned char *a = own + 64, *b = own + 4096 + shift;
  for (size_t i = 0; i < length + 16; i++) a[i] = b[i] = (unsigned char)(i * 13 + 128);
  /* What lies behind the blocks does not count. */
  a[length] = 1;
  b[length] = 2;
  if (own_memcmp(a, b, length) != 0 || own_bcmp(a, b, length) != 0) return 1;
  if (at >= length) return 0;
  /* Nor does what lies behind the first difference. */
  unsigned char steps[] = {1, 127, 128, 255};
  for (size_t s = 0; s < sizeof steps; s++) {
    a[at] = (unsigned char)(b[at] + steps[s]);
    if (at + 1 < length) a[at + 1] = (unsigned char)(b[at + 1] + (a[at] > b[at] ? 255 : 1));
    int wanted = a[at] < b[at] ? -1 : 1;
    if (sign(own_memcmp(a, b, length)) != wanted || own_bcmp(a, b, length) == 0) return 1;
    if (sign(own_memcmp(b, a, length)) != -wanted) return 1;
  }
  return 0;
}

int main(void) {
  size_t lengths[] = {2040, 2048, 2049, 2050, 2055, 2056, 2057, 2079, 2080, 2081, 2500, 3001};
  for (size_t length = 0; length < 300; length++)
    for (size_t from = 400; from < 404; from++)
      for (size_t to = 400 - 80; to < 400 + 80; to++)
        if (moved(to, from, length)) return 1;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (size_t to = 0; to < 5900; to += 1 + to % 37)
      if (moved(to, 2900, lengths[k])) return 1;
  for (size_t length = 0; length < 80; length++)
    for (size_t shift = 0; shift < 4; shift++)
      for (size_t at = 0; at <= length; at++)
        if (compared(shift, length, at)) {
          printf("memcmp of %zu bytes, %zu off, at %zu\n", length, shift, at);
          return 1;
        }
  return 0;
}
"#;

#[test]
fn memory_is_moved_and_compared_as_the_c_standard_says() {
    let folder = tempfile::tempdir().unwrap();
    let check = folder.path().join("check.c");
    fs::write(&check, CHECK).unwrap();
    let memory = Path::new(env!("CARGO_MANIFEST_DIR")).join("native/memory.c");
    let program = folder.path().join("check");
    let built = Command::new("cc")
        .args([
            "-std=gnu11",
            "-O2",
            "-fno-builtin",
            "-Wall",
            "-Wextra",
            "-Werror",
        ])
        .arg(format!("-DMEMORY={:?}", memory.to_str().unwrap()))
        .arg(&check)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let ran = Command::new(&program).output().unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stdout)
    );
}
