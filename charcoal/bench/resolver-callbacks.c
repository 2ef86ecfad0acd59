// The resolver of bench/resolver.c with callbacks of libuv: each answer begins the next question.
// bench/resolver-callbacks PORT [NAMES [AT ONCE]]
#include "lookups.h"
#include <uv.h>

static struct lookups all;
static long next;

// Has a socket for one name after another.
struct lookup {
  uv_udp_t udp;
  struct question question;
};

static void begin(struct lookup *it);

static void closed(uv_handle_t *handle) { begin((struct lookup *)handle); }

// What comes is looked at before anything else is received, so one place is enough for all.
static void has_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
  static char text[DNS_SIZE];
  (void)handle;
  (void)suggested;
  *room = uv_buf_init(text, sizeof text);
}

static void has_come(uv_udp_t *udp, ssize_t size, const uv_buf_t *text, const struct sockaddr *from, unsigned flags) {
  struct lookup *it = (struct lookup *)udp;
  uint32_t address;
  (void)flags;
  // Nothing has come, but there may be more later.
  if (size == 0 && !from)
    return;
  if (is_right(&it->question, (const unsigned char *)text->base, size, &address))
    found(&all, address);
  uv_close((uv_handle_t *)udp, closed);
}

static void begin(struct lookup *it) {
  if (next >= all.count)
    return;
  ask_for(&it->question, next++);
  if (uv_udp_init(uv_default_loop(), &it->udp)) {
    fputs("uv_udp_init failed\n", stderr);
    exit(1);
  }
  uv_buf_t text = uv_buf_init((char *)it->question.text, (unsigned)it->question.size);
  if (uv_udp_connect(&it->udp, (const struct sockaddr *)&all.server) || uv_udp_try_send(&it->udp, &text, 1, NULL) < 0 ||
      uv_udp_recv_start(&it->udp, has_room, has_come))
    uv_close((uv_handle_t *)&it->udp, closed);
}

int main(int argc, char **argv) {
  all = lookups_of(argc, argv);
  struct lookup *lookups = calloc((size_t)all.at_once, sizeof *lookups);
  if (!lookups)
    return 1;
  for (long i = 0; i < all.at_once; i++)
    begin(&lookups[i]);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  uv_loop_close(uv_default_loop());
  free(lookups);
  return say(&all);
}
