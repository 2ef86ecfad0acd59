// Files, pipes and terminals: a file is read by another thread, where others can run meanwhile; all else once it is
// ready. Sockets that are read and written are those of sockets.c.
#include "posix.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
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
  unsigned closed; // how often its descriptor had been when it began
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

// The same, but it never waits: EAGAIN where it would, EOPNOTSUPP where the system cannot tell.
static ssize_t transfer_at_once(const struct transfer *it) {
  struct iovec one = {it->is_write ? (void *)it->from : it->into, it->size};
  const struct iovec *pieces = it->pieces ? it->pieces : &one;
  int count = it->pieces ? it->count : 1;
  return it->is_write ? pwritev2(it->descriptor, pieces, count, -1, RWF_NOWAIT)
                      : preadv2(it->descriptor, pieces, count, -1, RWF_NOWAIT);
}

static void run_transfer(void *of) {
  struct transfer *it = of;
  it->done = transfer_now(it);
  it->error = errno;
}

static ssize_t transfer_elsewhere(struct transfer *it) {
  int failed = charcoal_work(run_transfer, it);
  if (failed)
    return fails(failed);
  if (it->done < 0)
    errno = it->error;
  return it->done;
}

// One piece, once the descriptor is ready: nobody else of this thread takes what is there between the two. A pipe that
// can be written to has room for so much; of more it would keep all activities waiting, also the one that reads.
static ssize_t transfer_when_ready(struct transfer *it) {
  struct transfer piece = *it;
  if (it->is_write && !it->pieces && it->size > PIPE_BUF)
    piece.size = PIPE_BUF;
  ssize_t done = fails(EAGAIN);
  charcoal_atomic {
    if (is_ready(it->descriptor, it->is_write ? POLLOUT : POLLIN)) {
      short_call_begins();
      done = transfer_now(&piece);
      short_call_ends();
    }
  }
  return was_late(done) ? fails(EAGAIN) : done;
}

static ssize_t transfer_some(struct transfer *it) {
  for (;;) {
    ssize_t done;
    charcoal_atomic {
      bool is_other = io_closed(it->descriptor) != it->closed;
      done = is_other ? fails(EBADF) : transfer_at_once(it);
    }
    if (done < 0 && errno == EOPNOTSUPP)
      done = transfer_when_ready(it);
    if (!would_wait(done))
      return done;
    int failed = wait_until_ready(it->descriptor, it->is_write ? POLLOUT : POLLIN);
    if (failed)
      return fails(failed);
  }
}

// What is written goes as a whole, in as many pieces as it takes; who reads gets what there is.
static ssize_t transfer_stream(struct transfer *it) {
  if (!it->is_write || it->pieces)
    return transfer_some(it);
  struct transfer rest = *it;
  size_t done = 0;
  do {
    ssize_t more = transfer_some(&rest);
    if (more < 0)
      return done > 0 ? (ssize_t)done : more;
    done += (size_t)more;
    rest.from = (const char *)it->from + done;
    rest.size = it->size - done;
  } while (rest.size > 0 && charcoal_may_wait(it->descriptor));
  return (ssize_t)done;
}

// The rest of several pieces, of which some bytes have gone already. Returns how many have gone then.
static ssize_t write_pieces(const struct transfer *it, size_t gone) {
  size_t done = gone;
  for (int i = 0; i < it->count; i++) {
    size_t size = it->pieces[i].iov_len, skipped = gone < size ? gone : size;
    struct transfer piece = {.descriptor = it->descriptor,
                             .closed = it->closed,
                             .is_write = true,
                             .from = (const char *)it->pieces[i].iov_base + skipped,
                             .size = size - skipped};
    gone -= skipped;
    if (piece.size == 0)
      continue;
    ssize_t more = transfer_stream(&piece);
    if (more < 0)
      return done > 0 ? (ssize_t)done : more;
    done += (size_t)more;
    if ((size_t)more < piece.size)
      break;
  }
  return (ssize_t)done;
}

// In one piece where there is room for it.
static ssize_t write_several(struct transfer *it) {
  size_t total = 0;
  for (int i = 0; i < it->count; i++)
    total += it->pieces[i].iov_len;
  // A pipe takes so much as a whole (POSIX.1-2008, write).
  if (total <= PIPE_BUF)
    return transfer_some(it);
  ssize_t done = transfer_at_once(it);
  if (done < 0 && !would_wait(done) && errno != EOPNOTSUPP)
    return done;
  return write_pieces(it, done > 0 ? (size_t)done : 0);
}

enum kind { FILE_OF_DISK, TERMINAL, STREAM };

static enum kind kind_of(int descriptor) {
  struct stat of;
  if (fstat(descriptor, &of) != 0)
    return STREAM;
  return S_ISREG(of.st_mode) || S_ISBLK(of.st_mode)  ? FILE_OF_DISK
         : S_ISCHR(of.st_mode) && isatty(descriptor) ? TERMINAL
                                                     : STREAM;
}

// Whether the system can be asked for it: else it says at once what is wrong.
static bool is_in_range(const struct transfer *it) {
  size_t total = it->size;
  if (it->pieces && (it->count < 0 || it->count > IOV_MAX))
    return false;
  for (int i = 0; it->pieces && i < it->count; i++)
    if (__builtin_add_overflow(total, it->pieces[i].iov_len, &total))
      return false;
  return total <= SSIZE_MAX;
}

#define LOOKS_AT_TERMINAL 10 // milliseconds between two

// So many bytes, or what there is once none has come for some time.
static ssize_t read_enough(struct transfer *it, int least, long tenths) {
  for (int before = 0, same = 0, there = 0;;) {
    int failed = there > 0 ? charcoal_sleep(LOOKS_AT_TERMINAL) : wait_until_ready(it->descriptor, POLLIN);
    if (failed)
      return fails(failed);
    if (ioctl(it->descriptor, FIONREAD, &there) != 0)
      return transfer_elsewhere(it);
    same = there == before ? same + LOOKS_AT_TERMINAL : 0;
    before = there;
    if (there < least && (size_t)there < it->size && there > 0 && same < tenths * 100)
      continue;
    ssize_t done = transfer_when_ready(it);
    if (!would_wait(done))
      return done;
  }
}

// A terminal that gives bytes and not lines may wait for times of its own: so long for the first one, where it may give
// none, and between two (termios(3), noncanonical mode).
static ssize_t read_timed(struct transfer *it, const struct termios *mode) {
  long tenths = mode->c_cc[VTIME];
  struct pollfd one = {it->descriptor, POLLIN, 0};
  if (mode->c_cc[VMIN] > 0)
    return read_enough(it, mode->c_cc[VMIN], tenths);
  struct watch watch;
  if (tenths == 0 || watch_begin(&watch, &one, 1, &(struct timespec){tenths / 10, tenths % 10 * 100000000}) != 0)
    return transfer_now(it);
  int failed = watch_wait(&watch);
  watch_end(&watch);
  if (failed == ETIMEDOUT)
    return 0;
  return failed ? fails(failed) : transfer_when_ready(it);
}

// A terminal is no stream that the system can be asked to read without waiting, whoever else reads it.
static ssize_t transfer_terminal(struct transfer *it) {
  struct termios mode;
  if (!it->is_write && tcgetattr(it->descriptor, &mode) == 0 && !(mode.c_lflag & ICANON) &&
      (mode.c_cc[VTIME] > 0 || mode.c_cc[VMIN] == 0))
    return read_timed(it, &mode);
  return it->is_write && it->pieces ? write_several(it) : transfer_stream(it);
}

static ssize_t transfer(struct transfer *it) {
  if (charcoal_is_alone() || !is_in_range(it))
    return transfer_now(it);
  enum kind kind = kind_of(it->descriptor);
  if (kind == FILE_OF_DISK)
    return transfer_elsewhere(it);
  // Only files have places.
  if (it->is_placed || !charcoal_may_wait(it->descriptor))
    return transfer_now(it);
  if (kind == TERMINAL)
    return transfer_terminal(it);
  if (it->is_write && it->pieces)
    return write_several(it);
  return transfer_stream(it);
}

ssize_t charcoal_recv(int descriptor, void *into, size_t size, int flags);
ssize_t charcoal_send(int descriptor, const void *from, size_t size, int flags);
ssize_t charcoal_recvmsg(int descriptor, struct msghdr *header, int flags);
ssize_t charcoal_sendmsg(int descriptor, const struct msghdr *header, int flags);

STANDS_IN(ssize_t, charcoal_read, int descriptor, void *into, size_t size) {
  // Of nothing, and of a datagram of nothing, they say different things.
  if (size == 0)
    return read(descriptor, into, size);
  ssize_t got = charcoal_recv(descriptor, into, size, 0);
  if (got >= 0 || errno != ENOTSOCK)
    return got;
  struct transfer it = {.descriptor = descriptor, .closed = io_closed(descriptor), .into = into, .size = size};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_write, int descriptor, const void *from, size_t size) {
  if (size == 0)
    return write(descriptor, from, size);
  ssize_t sent = charcoal_send(descriptor, from, size, 0);
  if (sent >= 0 || errno != ENOTSOCK)
    return sent;
  struct transfer it = {
      .descriptor = descriptor, .closed = io_closed(descriptor), .is_write = true, .from = from, .size = size};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_readv, int descriptor, const struct iovec *pieces, int count) {
  struct msghdr header = {.msg_iov = (struct iovec *)pieces, .msg_iovlen = (size_t)count};
  ssize_t got =
      count > 0 && count <= IOV_MAX ? charcoal_recvmsg(descriptor, &header, 0) : readv(descriptor, pieces, count);
  if (got >= 0 || errno != ENOTSOCK)
    return got;
  struct transfer it = {.descriptor = descriptor, .closed = io_closed(descriptor), .pieces = pieces, .count = count};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_writev, int descriptor, const struct iovec *pieces, int count) {
  struct msghdr header = {.msg_iov = (struct iovec *)pieces, .msg_iovlen = (size_t)count};
  ssize_t sent =
      count > 0 && count <= IOV_MAX ? charcoal_sendmsg(descriptor, &header, 0) : writev(descriptor, pieces, count);
  if (sent >= 0 || errno != ENOTSOCK)
    return sent;
  struct transfer it = {
      .descriptor = descriptor, .closed = io_closed(descriptor), .is_write = true, .pieces = pieces, .count = count};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_pread, int descriptor, void *into, size_t size, off_t place) {
  struct transfer it = {.descriptor = descriptor,
                        .closed = io_closed(descriptor),
                        .is_placed = true,
                        .into = into,
                        .size = size,
                        .place = place};
  return transfer(&it);
}

STANDS_IN(ssize_t, charcoal_pwrite, int descriptor, const void *from, size_t size, off_t place) {
  struct transfer it = {.descriptor = descriptor,
                        .closed = io_closed(descriptor),
                        .is_write = true,
                        .is_placed = true,
                        .from = from,
                        .size = size,
                        .place = place};
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
