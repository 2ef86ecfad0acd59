// Sockets: each call is tried without waiting; where it would wait, the activity waits for the socket and tries again.
#include "posix.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

// Something that comes or goes: one piece with the other's address, or what `header` says.
struct message {
  int descriptor;
  void *into;
  const void *from;
  size_t size;
  struct sockaddr *address;
  socklen_t *address_size;
  const struct sockaddr *to;
  socklen_t to_size;
  struct msghdr *header;
  struct patience patience;
  unsigned closed; // how often its descriptor had been when it began
};

// Whether the number stands for another socket now.
static bool is_gone(const struct message *it) { return io_closed(it->descriptor) != it->closed; }

// Calls that never wait.
#define NEVER_WAIT (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB)

static bool is_stream(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

static ssize_t try_receive(const struct message *it, int flags) {
  return it->header ? recvmsg(it->descriptor, it->header, flags)
                    : recvfrom(it->descriptor, it->into, it->size, flags, it->address, it->address_size);
}

static ssize_t receive_some(struct message *it, int flags) {
  for (;;) {
    ssize_t got;
    charcoal_atomic { got = is_gone(it) ? fails(EBADF) : try_receive(it, flags | MSG_DONTWAIT); }
    if (!would_wait(got) || flags & NEVER_WAIT)
      return got;
    if (!charcoal_may_wait(it->descriptor))
      return try_receive(it, flags);
    int failed = wait_for_socket(it->descriptor, POLLIN, &it->patience);
    if (failed)
      return fails(failed);
  }
}

static void advance(struct message *it, size_t by);

// All of it has to come (`MSG_WAITALL`), in as many pieces as it takes.
static ssize_t receive_all(struct message *it, size_t total, int flags) {
  size_t done = 0;
  while (done < total) {
    ssize_t got = receive_some(it, flags & ~MSG_WAITALL);
    if (got <= 0)
      return done > 0 ? (ssize_t)done : got;
    done += (size_t)got;
    advance(it, (size_t)got);
  }
  return (ssize_t)done;
}

// All of it has to be there (`MSG_PEEK` with `MSG_WAITALL`), which nothing tells.
static ssize_t peek_all(struct message *it, size_t total, int flags) {
  unsigned long pause = 0;
  for (;;) {
    ssize_t got = receive_some(it, flags & ~MSG_WAITALL);
    struct pollfd end = {it->descriptor, POLLRDHUP, 0};
    if (got <= 0 || (size_t)got >= total || poll(&end, 1, 0) != 0 ||
        patience_is_over(it->descriptor, POLLIN, &it->patience))
      return got;
    int failed = pause_again(&pause);
    if (failed)
      return fails(failed);
  }
}

// How much is wanted as a whole: all bytes, all of them again later, or just what there is.
enum amount { SOME, ALL, ALL_AGAIN };
static enum amount amount_of(const struct message *it, int flags) {
  if (!(flags & MSG_WAITALL) || flags & NEVER_WAIT || !charcoal_may_wait(it->descriptor) || !is_stream(it->descriptor))
    return SOME;
  return flags & MSG_PEEK ? ALL_AGAIN : ALL;
}

static ssize_t receive(struct message *it, int flags) {
  enum amount amount = it->size > 0 ? amount_of(it, flags) : SOME;
  return amount == ALL         ? receive_all(it, it->size, flags)
         : amount == ALL_AGAIN ? peek_all(it, it->size, flags)
                               : receive_some(it, flags);
}

STANDS_IN(ssize_t, charcoal_recv, int descriptor, void *into, size_t size, int flags) {
  struct message it = {.descriptor = descriptor, .closed = io_closed(descriptor), .into = into, .size = size};
  return receive(&it, flags);
}

STANDS_IN(ssize_t, charcoal_recvfrom, int descriptor, void *into, size_t size, int flags, struct sockaddr *address,
          socklen_t *address_size) {
  struct message it = {.descriptor = descriptor,
                       .closed = io_closed(descriptor),
                       .into = into,
                       .size = size,
                       .address = address,
                       .address_size = address_size};
  return receive(&it, flags);
}

static size_t total_of(const struct msghdr *header) {
  size_t total = 0;
  for (size_t i = 0; i < header->msg_iovlen; i++)
    if (__builtin_add_overflow(total, header->msg_iov[i].iov_len, &total))
      return SIZE_MAX;
  return total;
}

// A list of its own, since the caller's stays as it is; null without memory.
static struct iovec *own_pieces(struct msghdr *header) {
  struct iovec *list = calloc(header->msg_iovlen + 1, sizeof *list);
  for (size_t i = 0; list && i < header->msg_iovlen; i++)
    list[i] = header->msg_iov[i];
  header->msg_iov = list;
  return list;
}

// What comes beside the bytes comes with the first of some, and ends it (unix(7)).
static ssize_t receive_pieces(struct message *it, size_t total, int flags) {
  struct msghdr own = *it->header, *asked = it->header;
  const struct msghdr begun = *asked;
  struct iovec *list = own_pieces(&own);
  ssize_t done = 0, got;
  if (!list)
    return receive_some(it, flags);
  it->header = &own;
  do {
    own.msg_control = begun.msg_control;
    own.msg_controllen = begun.msg_controllen;
    got = receive_some(it, flags & ~MSG_WAITALL);
    if (got < 0)
      break;
    asked->msg_namelen = own.msg_namelen;
    asked->msg_controllen = own.msg_controllen;
    asked->msg_flags = own.msg_flags;
    done += got;
    advance(it, (size_t)got);
  } while (got > 0 && (size_t)done < total && asked->msg_controllen == 0);
  int error = errno;
  free(list);
  errno = error;
  return done > 0 ? done : got;
}

STANDS_IN(ssize_t, charcoal_recvmsg, int descriptor, struct msghdr *header, int flags) {
  struct message it = {.descriptor = descriptor, .closed = io_closed(descriptor), .header = header};
  bool is_right = header->msg_iovlen > 0 && header->msg_iovlen <= IOV_MAX;
  size_t total = is_right ? total_of(header) : 0;
  enum amount amount = total > 0 && total <= SSIZE_MAX ? amount_of(&it, flags) : SOME;
  return amount == ALL         ? receive_pieces(&it, total, flags)
         : amount == ALL_AGAIN ? peek_all(&it, total, flags)
                               : receive_some(&it, flags);
}

static ssize_t try_send(const struct message *it, int flags) {
  return it->header ? sendmsg(it->descriptor, it->header, flags)
                    : sendto(it->descriptor, it->from, it->size, flags, it->to, it->to_size);
}

// Leaves out what has gone already.
static void advance(struct message *it, size_t by) {
  struct msghdr *header = it->header;
  if (!header) {
    it->from = it->from ? (const char *)it->from + by : NULL;
    it->into = it->into ? (char *)it->into + by : NULL;
    it->size -= by;
    return;
  }
  // What goes with the first byte has gone with it.
  header->msg_control = NULL;
  header->msg_controllen = 0;
  while (header->msg_iovlen > 0 && by >= header->msg_iov->iov_len) {
    by -= header->msg_iov->iov_len;
    header->msg_iov++;
    header->msg_iovlen--;
  }
  if (header->msg_iovlen > 0) {
    header->msg_iov->iov_base = (char *)header->msg_iov->iov_base + by;
    header->msg_iov->iov_len -= by;
  }
}

// Whether what has gone wrong is to be said by the next call: this one has sent something.
static bool is_broken(int descriptor) {
  struct pollfd it = {descriptor, POLLOUT, 0};
  return poll(&it, 1, 0) > 0 && it.revents & (POLLERR | POLLHUP);
}

// A blocking socket takes all before it returns. `total` is how much that is.
static ssize_t send_all(struct message *it, size_t total, int flags) {
  size_t sent = 0;
  for (;;) {
    ssize_t more;
    charcoal_atomic {
      more = is_gone(it) ? fails(EBADF) : try_send(it, flags | MSG_DONTWAIT | (sent > 0 ? MSG_NOSIGNAL : 0));
    }
    if (!would_wait(more) || flags & NEVER_WAIT) {
      if (more < 0)
        return sent > 0 ? (ssize_t)sent : more;
      sent += (size_t)more;
      if (sent >= total || flags & NEVER_WAIT)
        return (ssize_t)sent;
      advance(it, (size_t)more);
      it->patience.in_vain = 0;
    }
    if (!charcoal_may_wait(it->descriptor)) {
      ssize_t rest = try_send(it, flags);
      return rest < 0 ? (sent > 0 ? (ssize_t)sent : rest) : (ssize_t)sent + rest;
    }
    int failed = wait_for_socket(it->descriptor, POLLOUT, &it->patience);
    if (failed)
      return sent > 0 ? (ssize_t)sent : fails(failed);
    if (sent > 0 && is_broken(it->descriptor))
      return (ssize_t)sent;
  }
}

STANDS_IN(ssize_t, charcoal_send, int descriptor, const void *from, size_t size, int flags) {
  struct message it = {.descriptor = descriptor, .closed = io_closed(descriptor), .from = from, .size = size};
  return send_all(&it, size, flags);
}

STANDS_IN(ssize_t, charcoal_sendto, int descriptor, const void *from, size_t size, int flags, const struct sockaddr *to,
          socklen_t to_size) {
  struct message it = {.descriptor = descriptor,
                       .closed = io_closed(descriptor),
                       .from = from,
                       .size = size,
                       .to = to,
                       .to_size = to_size};
  return send_all(&it, size, flags);
}

STANDS_IN(ssize_t, charcoal_sendmsg, int descriptor, const struct msghdr *header, int flags) {
  struct msghdr own = *header;
  struct message it = {.descriptor = descriptor, .closed = io_closed(descriptor), .header = &own};
  size_t total = header->msg_iovlen <= IOV_MAX ? total_of(header) : SIZE_MAX;
  // What is wrong with it is for the system to say.
  if (total > SSIZE_MAX)
    return sendmsg(descriptor, header, flags);
  struct iovec *list = own_pieces(&own);
  if (!list)
    return fails(ENOMEM);
  ssize_t sent = send_all(&it, total, flags);
  int error = errno;
  free(list);
  errno = error;
  return sent;
}

static bool is_listening(int descriptor) {
  int listens = 0;
  socklen_t size = sizeof listens;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens;
}

STANDS_IN(int, charcoal_accept4, int descriptor, struct sockaddr *address, socklen_t *size, int flags) {
  if (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC) || !charcoal_may_wait(descriptor) || !is_listening(descriptor))
    return accept4(descriptor, address, size, flags);
  struct patience patience = {0};
  unsigned closed = io_closed(descriptor);
  for (;;) {
    int got = -1;
    bool is_tried = false;
    // Nobody else of this thread takes the connection between the two; other processes may.
    charcoal_atomic {
      bool is_other = io_closed(descriptor) != closed;
      is_tried = is_other || is_ready(descriptor, POLLIN);
      if (is_other) {
        got = (int)fails(EBADF);
      } else if (is_tried) {
        short_call_begins();
        got = accept4(descriptor, address, size, flags);
        short_call_ends();
      }
    }
    if (is_tried && !was_late(got))
      return got;
    int failed = wait_for_socket(descriptor, POLLIN, &patience);
    if (failed)
      return (int)fails(failed);
  }
}

STANDS_IN(int, charcoal_accept, int descriptor, struct sockaddr *address, socklen_t *size) {
  return charcoal_accept4(descriptor, address, size, 0);
}

// Tries until it is known; the socket does not block. A UNIX socket says EAGAIN where there is no room in the queue,
// and nothing tells when there is.
static int connect_waiting(int descriptor, const struct sockaddr *address, socklen_t size, unsigned closed) {
  struct patience patience = {0};
  for (;;) {
    int failed = EBADF;
    charcoal_atomic {
      if (io_closed(descriptor) == closed)
        failed = connect(descriptor, address, size) < 0 ? errno : 0;
    }
    if (failed != EAGAIN && failed != EINPROGRESS && failed != EALREADY)
      return failed;
    bool is_made = failed != EAGAIN;
    failed = wait_for_socket(descriptor, POLLOUT, &patience);
    if (failed)
      return failed == EAGAIN && is_made ? EINPROGRESS : failed;
  }
}

// A connection is made while others run.
STANDS_IN(int, charcoal_connect, int descriptor, const struct sockaddr *address, socklen_t size) {
  int type = 0;
  socklen_t type_size = sizeof type;
  // Of datagrams only the address is kept.
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_size) < 0 || type == SOCK_DGRAM ||
      !charcoal_may_wait(descriptor))
    return connect(descriptor, address, size);
  unsigned closed = io_closed(descriptor);
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
    return connect(descriptor, address, size);
  int failed = connect_waiting(descriptor, address, size, closed);
  if (io_closed(descriptor) == closed)
    fcntl(descriptor, F_SETFL, flags);
  return failed ? (int)fails(failed) : 0;
}

// The forms that check their arguments (`_FORTIFY_SOURCE`).
_Noreturn void __chk_fail(void);
STANDS_IN(ssize_t, charcoal_recv_checked, int descriptor, void *into, size_t size, size_t room, int flags) {
  if (size > room)
    __chk_fail();
  return charcoal_recv(descriptor, into, size, flags);
}

STANDS_IN(ssize_t, charcoal_recvfrom_checked, int descriptor, void *into, size_t size, size_t room, int flags,
          struct sockaddr *address, socklen_t *address_size) {
  if (size > room)
    __chk_fail();
  return charcoal_recvfrom(descriptor, into, size, flags, address, address_size);
}
