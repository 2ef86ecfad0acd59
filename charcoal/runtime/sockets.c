// Sockets: each call is tried without waiting; where it would wait, the activity waits for the socket and tries again.
#include "posix.h"

#include <fcntl.h>
#include <limits.h>
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
};

static ssize_t try_receive(const struct message *it, int flags) {
  return it->header ? recvmsg(it->descriptor, it->header, flags)
                    : recvfrom(it->descriptor, it->into, it->size, flags, it->address, it->address_size);
}

// A part of what was asked for may come, but where all of it has to (`MSG_WAITALL`).
static ssize_t receive(const struct message *it, int flags) {
  if (flags & MSG_WAITALL && charcoal_may_wait(it->descriptor) && !it->header) {
    struct message rest = *it;
    size_t got = 0;
    while (got < it->size) {
      rest.into = (char *)it->into + got;
      rest.size = it->size - got;
      ssize_t more = receive(&rest, flags & ~MSG_WAITALL);
      if (more <= 0)
        return got > 0 ? (ssize_t)got : more;
      got += (size_t)more;
    }
    return (ssize_t)got;
  }
  for (;;) {
    ssize_t got = try_receive(it, flags | MSG_DONTWAIT);
    if (!would_wait(got) || flags & MSG_DONTWAIT)
      return got;
    if (!charcoal_may_wait(it->descriptor))
      return try_receive(it, flags);
    int failed = wait_for_socket(it->descriptor, POLLIN);
    if (failed)
      return fails(failed);
  }
}

STANDS_IN(ssize_t, charcoal_recv, int descriptor, void *into, size_t size, int flags) {
  struct message it = {.descriptor = descriptor, .into = into, .size = size};
  return receive(&it, flags);
}

STANDS_IN(ssize_t, charcoal_recvfrom, int descriptor, void *into, size_t size, int flags, struct sockaddr *address,
          socklen_t *address_size) {
  struct message it = {
      .descriptor = descriptor, .into = into, .size = size, .address = address, .address_size = address_size};
  return receive(&it, flags);
}

STANDS_IN(ssize_t, charcoal_recvmsg, int descriptor, struct msghdr *header, int flags) {
  struct message it = {.descriptor = descriptor, .header = header};
  return receive(&it, flags);
}

static ssize_t try_send(const struct message *it, int flags) {
  return it->header ? sendmsg(it->descriptor, it->header, flags)
                    : sendto(it->descriptor, it->from, it->size, flags, it->to, it->to_size);
}

// Leaves out what has gone already.
static void advance(struct message *it, size_t by) {
  struct msghdr *header = it->header;
  if (!header) {
    it->from = (const char *)it->from + by;
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

// A blocking socket takes all before it returns. `total` is how much that is.
static ssize_t send_all(struct message *it, size_t total, int flags) {
  size_t sent = 0;
  for (;;) {
    ssize_t more = try_send(it, flags | MSG_DONTWAIT);
    if (more < 0 && (!would_wait(more) || flags & MSG_DONTWAIT))
      return sent > 0 ? (ssize_t)sent : more;
    sent += more > 0 ? (size_t)more : 0;
    if (sent >= total || flags & MSG_DONTWAIT)
      return (ssize_t)sent;
    if (more > 0)
      advance(it, (size_t)more);
    if (!charcoal_may_wait(it->descriptor)) {
      ssize_t rest = try_send(it, flags);
      return rest < 0 ? (sent > 0 ? (ssize_t)sent : rest) : (ssize_t)sent + rest;
    }
    int failed = wait_for_socket(it->descriptor, POLLOUT);
    if (failed)
      return sent > 0 ? (ssize_t)sent : fails(failed);
  }
}

STANDS_IN(ssize_t, charcoal_send, int descriptor, const void *from, size_t size, int flags) {
  struct message it = {.descriptor = descriptor, .from = from, .size = size};
  return send_all(&it, size, flags);
}

STANDS_IN(ssize_t, charcoal_sendto, int descriptor, const void *from, size_t size, int flags, const struct sockaddr *to,
          socklen_t to_size) {
  struct message it = {.descriptor = descriptor, .from = from, .size = size, .to = to, .to_size = to_size};
  return send_all(&it, size, flags);
}

STANDS_IN(ssize_t, charcoal_sendmsg, int descriptor, const struct msghdr *header, int flags) {
  struct msghdr own = *header;
  struct message it = {.descriptor = descriptor, .header = &own};
  size_t total = 0;
  if (own.msg_iovlen > IOV_MAX)
    return sendmsg(descriptor, header, flags);
  // The caller's list stays as it is.
  own.msg_iov = calloc(own.msg_iovlen + 1, sizeof *own.msg_iov);
  if (!own.msg_iov)
    return fails(ENOMEM);
  struct iovec *list = own.msg_iov;
  for (size_t i = 0; i < own.msg_iovlen; i++) {
    list[i] = header->msg_iov[i];
    total += list[i].iov_len;
  }
  ssize_t sent = send_all(&it, total, flags);
  int error = errno;
  free(list);
  errno = error;
  return sent;
}

STANDS_IN(int, charcoal_accept4, int descriptor, struct sockaddr *address, socklen_t *size, int flags) {
  struct pollfd it = {descriptor, POLLIN, 0};
  bool waits = charcoal_may_wait(descriptor) && poll(&it, 1, 0) == 0;
  int failed = waits ? wait_for_socket(descriptor, POLLIN) : 0;
  return failed ? (int)fails(failed) : accept4(descriptor, address, size, flags);
}

STANDS_IN(int, charcoal_accept, int descriptor, struct sockaddr *address, socklen_t *size) {
  return charcoal_accept4(descriptor, address, size, 0);
}

// A connection is made while others run: the socket does not block until that is done.
STANDS_IN(int, charcoal_connect, int descriptor, const struct sockaddr *address, socklen_t size) {
  int type = 0;
  socklen_t type_size = sizeof type;
  // Of datagrams only the address is kept.
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_size) == 0 && type == SOCK_DGRAM)
    return connect(descriptor, address, size);
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || flags & O_NONBLOCK || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
    return connect(descriptor, address, size);
  int failed = connect(descriptor, address, size) < 0 ? errno : 0;
  if (failed == EINPROGRESS) {
    failed = wait_for_socket(descriptor, POLLOUT);
    socklen_t length = sizeof failed;
    // In atomic code, and where the wait was ended, that is not known yet.
    struct pollfd it = {descriptor, POLLOUT, 0};
    if (!failed && poll(&it, 1, -1) >= 0)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failed, &length);
    else if (failed == EAGAIN)
      failed = EINPROGRESS;
  }
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
