// Functions of the program that stdio calls: they run atomically, since nobody expects a turn of others behind `fputs`.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <printf.h>
#include <stdio.h>
#include <stdlib.h>

// A stream of the program's own (fopencookie(3)).
struct stream {
  void *cookie;
  cookie_io_functions_t of;
};

static ssize_t read_some(void *of, char *into, size_t size) {
  const struct stream *it = of;
  charcoal_atomic_begin();
  ssize_t got = it->of.read(it->cookie, into, size);
  charcoal_atomic_end();
  return got;
}

static ssize_t write_some(void *of, const char *from, size_t size) {
  const struct stream *it = of;
  charcoal_atomic_begin();
  ssize_t written = it->of.write(it->cookie, from, size);
  charcoal_atomic_end();
  return written;
}

static int seek(void *of, off64_t *to, int whence) {
  const struct stream *it = of;
  charcoal_atomic_begin();
  int failed = it->of.seek(it->cookie, to, whence);
  charcoal_atomic_end();
  return failed;
}

static int end(void *of) {
  struct stream *it = of;
  charcoal_atomic_begin();
  int failed = it->of.close ? it->of.close(it->cookie) : 0;
  charcoal_atomic_end();
  free(it);
  return failed;
}

FILE *charcoal_fopencookie(void *cookie, const char *mode, cookie_io_functions_t of);
FILE *charcoal_fopencookie(void *cookie, const char *mode, cookie_io_functions_t of) {
  struct stream *it = malloc(sizeof *it);
  if (!it)
    return NULL;
  *it = (struct stream){cookie, of};
  cookie_io_functions_t own = {of.read ? read_some : NULL, of.write ? write_some : NULL, of.seek ? seek : NULL, end};
  FILE *stream = fopencookie(it, mode, own);
  if (!stream)
    free(it);
  return stream;
}

// What prints a conversion of the program's own, and what says which arguments it takes.
static struct {
  printf_function *print;
  printf_arginfo_size_function *takes;
} conversions[256];

static int print(FILE *into, const struct printf_info *how, const void *const *arguments) {
  charcoal_atomic_begin();
  int written = conversions[(unsigned char)how->spec].print(into, how, arguments);
  charcoal_atomic_end();
  return written;
}

static int take(const struct printf_info *how, size_t count, int *types, int *sizes) {
  charcoal_atomic_begin();
  int taken = conversions[(unsigned char)how->spec].takes(how, count, types, sizes);
  charcoal_atomic_end();
  return taken;
}

int charcoal_register_printf_specifier(int letter, printf_function *with, printf_arginfo_size_function *takes);
int charcoal_register_printf_specifier(int letter, printf_function *with, printf_arginfo_size_function *takes) {
  if (letter < 0 || letter > 255 || !with || !takes)
    return register_printf_specifier(letter, with, takes);
  conversions[letter].print = with;
  conversions[letter].takes = takes;
  return register_printf_specifier(letter, print, take);
}
