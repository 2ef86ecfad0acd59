// Files, pipes and terminals: a file is read by another thread, where others can run meanwhile; all else once it is
// ready. Sockets that are read and written are those of sockets.c.
#include "posix.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// One piece or several, at a place or where the file stands.
struct transfer {
  int descriptor;
  bool is_write, is_placed;
  void *into;
  const void *from;
  size_t size;
  off_t place;
  const struct iovec *pieces;
  int count;
  ssize_t done;
  int error;
};

static ssize_t transfer_now(const struct transfer *it) {
  int descriptor = it->descriptor;
  if (it->pieces)
    return it->is_write ? writev(descriptor, it->pieces, it->count) : readv(descriptor, it->pieces, it->count);
  if (it->is_placed)
    return it->is_write ? pwrite(descriptor, it->from, it->size, it->place)
                        : pread(descriptor, it->into, it->size, it->place);
  return it->is_write ? write(descriptor, it->from, it->size) : read(descriptor, it->into, it->size);
}

static void run_transfer(void *of) {
  struct transfer *it = of;
  it->done = transfer_now(it);
  it->error = errno;
}

static bool is_file(int descriptor) {
  struct stat of;
  return fstat(descriptor, &of) == 0 && (S_ISREG(of.st_mode) || S_ISBLK(of.st_mode));
}

// A pipe that can be written to has room for so much; a write of more would keep all activities waiting, also the one
// that reads. What does not fit into one piece is written in several, as the system itself does.
static ssize_t write_bytes(int descriptor, const char *from, size_t size) {
  size_t done = 0;
  do {
    int failed = wait_until_ready(descriptor, POLLOUT);
    if (failed)
      return done > 0 ? (ssize_t)done : fails(failed);
    size_t piece = size - done < PIPE_BUF || !charcoal_may_wait(descriptor) ? size - done : PIPE_BUF;
    ssize_t more = write(descriptor, from + done, piece);
    if (more <= 0)
      return done > 0 ? (ssize_t)done : more;
    done += (size_t)more;
    if ((size_t)more < piece)
      break;
  } while (done < size);
  return (ssize_t)done;
}

static ssize_t write_when_ready(const struct transfer *it) {
  if (!it->pieces)
    return write_bytes(it->descriptor, it->from, it->size);
  size_t total = 0;
  for (int i = 0; i < it->count; i++)
    total += it->pieces[i].iov_len;
  if (total <= PIPE_BUF || it->count > IOV_MAX || !charcoal_may_wait(it->descriptor)) {
    int failed = wait_until_ready(it->descriptor, POLLOUT);
    return failed ? fails(failed) : transfer_now(it);
  }
  size_t done = 0;
  for (int i = 0; i < it->count; i++) {
    ssize_t more = write_bytes(it->descriptor, it->pieces[i].iov_base, it->pieces[i].iov_len);
    if (more < 0)
      return done > 0 ? (ssize_t)done : more;
    done += (size_t)more;
    if ((size_t)more < it->pieces[i].iov_len)
      break;
  }
  return (ssize_t)done;
}

static ssize_t transfer(struct transfer *it) {
  if (charcoal_is_alone())
    return transfer_now(it);
  if (is_file(it->descriptor)) {
    int failed = charcoal_work(run_transfer, it);
    if (failed)
      return fails(failed);
    if (it->done < 0)
      errno = it->error;
    return it->done;
  }
  // Only files have places.
  if (it->is_placed)
    return transfer_now(it);
  if (it->is_write)
    return write_when_ready(it);
  int failed = wait_until_ready(it->descriptor, POLLIN);
  return failed ? fails(failed) : transfer_now(it);
}

ssize_t charcoal_recv(int descriptor, void *into, size_t size, int flags);
ssize_t charcoal_send(int descriptor, const void *from, size_t size, int flags);
ssize_t charcoal_recvmsg(int descriptor, struct msghdr *header, int flags);
ssize_t charcoal_sendmsg(int descriptor, const struct msghdr *header, int flags);

STANDS_IN(ssize_t, charcoal_read, int descriptor, void *into, size_t size) {
  // Of nothing, and of a datagram of nothing, they say different things; and a program may have a `read` of its own.
  if (size == 0 || charcoal_is_interruptible((const void *)read))
    return read(descriptor, into, size);
  ssize_t got = charcoal_recv(descriptor, into, size, 0);
  if (got >= 0 || errno != ENOTSOCK)
    return got;
  struct transfer it = {.descriptor = descriptor, .into = into, .size = size};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_write, int descriptor, const void *from, size_t size) {
  if (size == 0 || charcoal_is_interruptible((const void *)write))
    return write(descriptor, from, size);
  ssize_t sent = charcoal_send(descriptor, from, size, 0);
  if (sent >= 0 || errno != ENOTSOCK)
    return sent;
  struct transfer it = {.descriptor = descriptor, .is_write = true, .from = from, .size = size};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_readv, int descriptor, const struct iovec *pieces, int count) {
  struct msghdr header = {.msg_iov = (struct iovec *)pieces, .msg_iovlen = (size_t)count};
  ssize_t got = count > 0 ? charcoal_recvmsg(descriptor, &header, 0) : readv(descriptor, pieces, count);
  if (got >= 0 || errno != ENOTSOCK)
    return got;
  struct transfer it = {.descriptor = descriptor, .pieces = pieces, .count = count};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_writev, int descriptor, const struct iovec *pieces, int count) {
  struct msghdr header = {.msg_iov = (struct iovec *)pieces, .msg_iovlen = (size_t)count};
  ssize_t sent = count > 0 ? charcoal_sendmsg(descriptor, &header, 0) : writev(descriptor, pieces, count);
  if (sent >= 0 || errno != ENOTSOCK)
    return sent;
  struct transfer it = {.descriptor = descriptor, .is_write = true, .pieces = pieces, .count = count};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_pread, int descriptor, void *into, size_t size, off_t place) {
  struct transfer it = {.descriptor = descriptor, .is_placed = true, .into = into, .size = size, .place = place};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_pwrite, int descriptor, const void *from, size_t size, off_t place) {
  struct transfer it = {
      .descriptor = descriptor, .is_write = true, .is_placed = true, .from = from, .size = size, .place = place};
  return transfer(&it);
}

struct flush {
  int (*how)(int);
  int descriptor, status, error;
};

static void run_flush(void *of) {
  struct flush *it = of;
  it->status = it->how(it->descriptor);
  it->error = errno;
}

static int flush(int descriptor, int (*how)(int)) {
  struct flush it = {.how = how, .descriptor = descriptor};
  int failed = charcoal_work(run_flush, &it);
  return failed || it.status ? (int)fails(failed ? failed : it.error) : 0;
}

STANDS_IN(int, charcoal_fsync, int descriptor) { return flush(descriptor, fsync); }

STANDS_IN(int, charcoal_fdatasync, int descriptor) { return flush(descriptor, fdatasync); }

// No descriptor tells when a lock is free; threads that wait for one could all wait for one that reads with one.
STANDS_IN(int, charcoal_flock, int descriptor, int operation) {
  if (charcoal_is_alone() || operation & (LOCK_NB | LOCK_UN))
    return flock(descriptor, operation);
  unsigned long pause = 0;
  for (;;) {
    int status = flock(descriptor, operation | LOCK_NB);
    if (status == 0 || errno != EWOULDBLOCK)
      return status;
    int failed = pause_again(&pause);
    if (failed)
      return (int)fails(failed);
  }
}

STANDS_IN(int, charcoal_lockf, int descriptor, int operation, off_t size) {
  unsigned long pause = 0;
  if (charcoal_is_alone() || operation != F_LOCK)
    return lockf(descriptor, operation, size);
  for (;;) {
    int status = lockf(descriptor, F_TLOCK, size);
    if (status == 0 || (errno != EAGAIN && errno != EACCES))
      return status;
    int failed = pause_again(&pause);
    if (failed)
      return (int)fails(failed);
  }
}

// The forms that check their arguments (`_FORTIFY_SOURCE`).
_Noreturn void __chk_fail(void);
STANDS_IN(ssize_t, charcoal_read_checked, int descriptor, void *into, size_t size, size_t room) {
  if (size > room)
    __chk_fail();
  return charcoal_read(descriptor, into, size);
}

STANDS_IN(ssize_t, charcoal_pread_checked, int descriptor, void *into, size_t size, off_t place, size_t room) {
  if (size > room)
    __chk_fail();
  return charcoal_pread(descriptor, into, size, place);
}
