// The web server of bench/server.c with callbacks of libuv.
// bench/server-callbacks PORT
#include "http.h"
#include <uv.h>

struct connection {
  uv_tcp_t tcp;
  int state, left; // how many requests are not answered yet
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

static void answers(struct connection *connection);
static void has_come(uv_stream_t *stream, ssize_t size, const uv_buf_t *text);

// Nobody reads on before what has come is answered.
static void reads(struct connection *connection) {
  if (uv_read_start((uv_stream_t *)&connection->tcp, has_room, has_come))
    closes((uv_handle_t *)&connection->tcp);
}

static void written(uv_write_t *request, int status) {
  struct connection *connection = (struct connection *)request->handle;
  free(request);
  if (status < 0) {
    closes((uv_handle_t *)&connection->tcp);
    return;
  }
  connection->left--;
  answers(connection);
  if (connection->left == 0)
    reads(connection);
}

// The rest of an answer, which has to wait until there is room for it.
static void write_later(uv_stream_t *stream, size_t from) {
  uv_buf_t rest = uv_buf_init((char *)answer + from, (unsigned)(sizeof answer - 1 - from));
  uv_write_t *request = malloc(sizeof *request);
  uv_read_stop(stream);
  if (request && uv_write(request, stream, &rest, 1, written) == 0)
    return;
  free(request);
  closes((uv_handle_t *)stream);
}

static void answers(struct connection *connection) {
  uv_stream_t *stream = (uv_stream_t *)&connection->tcp;
  for (; connection->left > 0; connection->left--) {
    uv_buf_t all = uv_buf_init((char *)answer, sizeof answer - 1);
    int sent = uv_try_write(stream, &all, 1);
    if (sent == UV_EAGAIN)
      sent = 0;
    if (sent < 0) {
      closes((uv_handle_t *)stream);
      return;
    }
    if ((size_t)sent < sizeof answer - 1) {
      write_later(stream, (size_t)sent);
      return;
    }
  }
}

static void has_come(uv_stream_t *stream, ssize_t size, const uv_buf_t *text) {
  struct connection *connection = (struct connection *)stream;
  if (size < 0) {
    closes((uv_handle_t *)stream);
    return;
  }
  connection->left = requests_in(text->base, (size_t)size, &connection->state);
  answers(connection);
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
  if (uv_accept(listening, stream) || uv_tcp_nodelay(&connection->tcp, 1))
    closes((uv_handle_t *)stream);
  else
    reads(connection);
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
