// A web server: an activity for each connection, which reads requests and answers each with the same page.
// bench/server PORT
#include "charcoal.h"
#include "http.h"
#include <poll.h>
#include <stdbool.h>

// Answers what has come. The memory for that is only there meanwhile.
__attribute__((noinline)) static bool answers(int descriptor, int *state) {
  char text[2048];
  ssize_t size = read(descriptor, text, sizeof text);
  for (int left = size > 0 ? requests_in(text, (size_t)size, state) : 0; left > 0; left--)
    if (write(descriptor, answer, sizeof answer - 1) < 0)
      return false;
  return size > 0;
}

static void serve(int descriptor) {
  int state = 0;
  while (charcoal_wait_for(descriptor, POLLIN) == 0 && answers(descriptor, &state))
    continue;
  close(descriptor);
}

int main(int argc, char **argv) {
  prepare();
  int listening = listens(argc, argv);
  for (;;) {
    int descriptor = accept(listening, NULL, NULL);
    if (descriptor < 0)
      continue;
    sends_at_once(descriptor);
    activate(NULL) { serve(descriptor); };
  }
}
