// The web server of bench/server.c with a thread of the system for each connection.
// bench/server-threads PORT
#include "http.h"
#include <pthread.h>

static void *serve(void *of) {
  int descriptor = (int)(intptr_t)of, state = 0;
  char text[2048];
  ssize_t size;
  while ((size = read(descriptor, text, sizeof text)) > 0)
    for (int left = requests_in(text, (size_t)size, &state); left > 0; left--)
      if (write(descriptor, answer, sizeof answer - 1) < 0)
        goto end;
end:
  close(descriptor);
  return NULL;
}

int main(int argc, char **argv) {
  prepare();
  int listening = listens(argc, argv);
  // Nobody joins them, and small stacks leave room for many.
  pthread_attr_t small;
  if (pthread_attr_init(&small) || pthread_attr_setstacksize(&small, 64 << 10) ||
      pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED))
    return 1;
  for (;;) {
    pthread_t thread;
    int descriptor = accept(listening, NULL, NULL);
    if (descriptor < 0)
      continue;
    sends_at_once(descriptor);
    if (pthread_create(&thread, &small, serve, (void *)(intptr_t)descriptor))
      close(descriptor);
  }
}
