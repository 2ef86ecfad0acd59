// The web server of bench/server.c with callbacks of libuv.
// bench/server-callbacks PORT
#include "http.h"
#include <uv.h>

struct connection {
  uv_tcp_t tcp;
  int state;
};

static void fails(const char *what, int status) {
  fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
  exit(1);
}

static void closed(uv_handle_t *handle) { free((struct connection *)handle); }

static void closes(uv_handle_t *handle) {
  if (!uv_is_closing(handle))
    uv_close(handle, closed);
}

// What comes is looked at before anything else is read, so one place is enough for all.
static void has_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
  static char text[2048];
  (void)handle;
  (void)suggested;
  *room = uv_buf_init(text, sizeof text);
}

static void written(uv_write_t *request, int status) {
  if (status < 0)
    closes((uv_handle_t *)request->handle);
  free(request);
}

// The rest of an answer, which has to wait until there is room for it.
static void write_later(uv_stream_t *stream, size_t from) {
  uv_buf_t rest = uv_buf_init((char *)answer + from, (unsigned)(sizeof answer - 1 - from));
  uv_write_t *request = malloc(sizeof *request);
  if (request && uv_write(request, stream, &rest, 1, written) == 0)
    return;
  free(request);
  closes((uv_handle_t *)stream);
}

static void answers(uv_stream_t *stream) {
  uv_buf_t all = uv_buf_init((char *)answer, sizeof answer - 1);
  int sent = uv_try_write(stream, &all, 1);
  if (sent == UV_EAGAIN)
    sent = 0;
  if (sent < 0)
    closes((uv_handle_t *)stream);
  else if ((size_t)sent < sizeof answer - 1)
    write_later(stream, (size_t)sent);
}

static void has_come(uv_stream_t *stream, ssize_t size, const uv_buf_t *text) {
  struct connection *connection = (struct connection *)stream;
  if (size < 0) {
    closes((uv_handle_t *)stream);
    return;
  }
  for (int left = requests_in(text->base, (size_t)size, &connection->state); left > 0; left--)
    if (!uv_is_closing((uv_handle_t *)stream))
      answers(stream);
}

static void connects(uv_stream_t *listening, int status) {
  struct connection *connection = status < 0 ? NULL : calloc(1, sizeof *connection);
  if (!connection)
    return;
  if (uv_tcp_init(listening->loop, &connection->tcp)) {
    free(connection);
    return;
  }
  uv_stream_t *stream = (uv_stream_t *)&connection->tcp;
  if (uv_accept(listening, stream) || uv_tcp_nodelay(&connection->tcp, 1) ||
      uv_read_start(stream, has_room, has_come))
    closes((uv_handle_t *)stream);
}

int main(int argc, char **argv) {
  prepare();
  struct sockaddr_in address = address_of(argc, argv);
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t listening;
  int status = uv_tcp_init(loop, &listening);
  if (status == 0)
    status = uv_tcp_bind(&listening, (struct sockaddr *)&address, 0);
  if (status == 0)
    status = uv_listen((uv_stream_t *)&listening, 4096, connects);
  if (status < 0)
    fails("listen", status);
  return uv_run(loop, UV_RUN_DEFAULT);
}
