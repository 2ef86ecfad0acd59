// What waits for channels and threads. Interruptible code itself, as posix.c is.
#define CHARCOAL_LONG_NAMES
#include "charcoal.h"

#include <errno.h>
#include <stdbool.h>

// As in posix.h.
static const char charcoal_is_library __attribute__((used)) = 1;

// Without waiting: EAGAIN where that would be needed.
int channel_try_send(charcoal_channel *channel, const void *value);
int channel_try_receive(charcoal_channel *channel, void *value);
// Waits until it may be worth while to try again.
int channel_wait(charcoal_channel *channel, bool sends);
charcoal_channel *thread_end(const charcoal_os_thread *thread);
void thread_free(charcoal_os_thread *thread);

int charcoal_channel_send(charcoal_channel *channel, const void *value) {
  for (;;) {
    int result = channel_try_send(channel, value);
    if (result != EAGAIN || (result = channel_wait(channel, true)))
      return result;
  }
}

int charcoal_channel_receive(charcoal_channel *channel, void *value) {
  for (;;) {
    int result = channel_try_receive(channel, value);
    if (result != EAGAIN || (result = channel_wait(channel, false)))
      return result;
  }
}

int charcoal_thread_join(charcoal_os_thread *thread) {
  char nothing;
  int result = charcoal_channel_receive(thread_end(thread), &nothing);
  if (result != EPIPE)
    return result;
  thread_free(thread);
  return 0;
}
