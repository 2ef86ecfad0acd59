// Martin Richards' benchmark: the dispatcher of an operating system with six tasks that pass packets on.
const IDLE = 0;
const WORKER = 1;
const HANDLER_A = 2;
const HANDLER_B = 3;
const DEVICE_A = 4;
const DEVICE_B = 5;
const TASKS = 6;

const DEVICE_PACKET = 0;
const WORK_PACKET = 1;
const DATA_SIZE = 4;

class Packet {
  constructor(next, task, kind) {
    this.next = next;
    this.task = task;
    this.kind = kind;
    this.datum = 0;
    this.data = [0, 0, 0, 0];
  }

  /** Puts the packet at the end of a queue; the queue's new first packet. */
  behind(queue) {
    this.next = null;
    if (queue === null) {
      return this;
    }
    let last = queue;
    while (last.next !== null) {
      last = last.next;
    }
    last.next = this;
    return queue;
  }
}

/** Sends itself round: a shift register decides which device runs next. */
class IdleBehaviour {
  constructor(scheduler, rounds) {
    this.scheduler = scheduler;
    this.register = 1;
    this.rounds = rounds;
  }

  activate() {
    this.rounds -= 1;
    if (this.rounds === 0) {
      return this.scheduler.holdSelf();
    }
    if ((this.register & 1) === 0) {
      this.register = this.register >> 1;
      return this.scheduler.release(DEVICE_A);
    }
    this.register = (this.register >> 1) ^ 0xd008;
    return this.scheduler.release(DEVICE_B);
  }
}

/** Fills packets with letters and sends them to the handlers in turn. */
class WorkerBehaviour {
  constructor(scheduler) {
    this.scheduler = scheduler;
    this.handler = HANDLER_A;
    this.letter = 0;
  }

  activate(packet) {
    if (packet === null) {
      return this.scheduler.waitSelf();
    }
    this.handler = this.handler === HANDLER_A ? HANDLER_B : HANDLER_A;
    packet.task = this.handler;
    packet.datum = 0;
    for (let i = 0; i < DATA_SIZE; i += 1) {
      this.letter = this.letter === 26 ? 1 : this.letter + 1;
      packet.data[i] = this.letter;
    }
    return this.scheduler.enqueue(packet);
  }
}

/** Hands the data of work packets to its device, one in each packet. */
class HandlerBehaviour {
  constructor(scheduler) {
    this.scheduler = scheduler;
    this.work = null;
    this.device = null;
  }

  activate(packet) {
    if (packet !== null) {
      if (packet.kind === WORK_PACKET) {
        this.work = packet.behind(this.work);
      } else {
        this.device = packet.behind(this.device);
      }
    }
    if (this.work === null) {
      return this.scheduler.waitSelf();
    }
    const work = this.work;
    if (work.datum >= DATA_SIZE) {
      this.work = work.next;
      return this.scheduler.enqueue(work);
    }
    if (this.device === null) {
      return this.scheduler.waitSelf();
    }
    const device = this.device;
    this.device = device.next;
    device.datum = work.data[work.datum];
    work.datum += 1;
    return this.scheduler.enqueue(device);
  }
}

/** Keeps a packet until it is released, then sends it back. */
class DeviceBehaviour {
  constructor(scheduler) {
    this.scheduler = scheduler;
    this.pending = null;
  }

  activate(packet) {
    if (packet !== null) {
      this.pending = packet;
      return this.scheduler.holdSelf();
    }
    if (this.pending === null) {
      return this.scheduler.waitSelf();
    }
    const pending = this.pending;
    this.pending = null;
    return this.scheduler.enqueue(pending);
  }
}

class Task {
  constructor(next, id, priority, queue, behaviour) {
    this.next = next;
    this.id = id;
    this.priority = priority;
    this.queue = queue;
    this.behaviour = behaviour;
    this.pending = queue !== null;
    this.waiting = true;
    this.held = false;
  }

  isBlocked() {
    return this.held || (this.waiting && !this.pending);
  }

  /** Takes a packet, if one is what it waits for; whoever of the two is to run now. */
  receive(packet, sender) {
    if (this.queue !== null) {
      packet.behind(this.queue);
      return sender;
    }
    this.queue = packet;
    this.pending = true;
    return this.priority > sender.priority ? this : sender;
  }

  resume() {
    let packet = null;
    if (this.waiting && this.pending) {
      packet = this.queue;
      this.queue = packet.next;
      this.waiting = false;
      this.pending = this.queue !== null;
    }
    return this.behaviour.activate(packet);
  }
}

class Scheduler {
  constructor() {
    this.first = null;
    this.current = null;
    this.tasks = new Array(TASKS);
    this.queued = 0;
    this.holds = 0;
  }

  /** Adds a task in front of the others, which have to have lower priorities. */
  start(id, priority, queue, behaviour) {
    const task = new Task(this.first, id, priority, queue, behaviour);
    this.tasks[id] = task;
    this.first = task;
    return task;
  }

  holdSelf() {
    this.holds += 1;
    this.current.held = true;
    return this.current.next;
  }

  waitSelf() {
    this.current.waiting = true;
    return this.current;
  }

  release(id) {
    const task = this.tasks[id];
    task.held = false;
    return task.priority > this.current.priority ? task : this.current;
  }

  enqueue(packet) {
    const task = this.tasks[packet.task];
    this.queued += 1;
    packet.next = null;
    packet.task = this.current.id;
    return task.receive(packet, this.current);
  }

  schedule() {
    this.current = this.first;
    while (this.current !== null) {
      if (this.current.isBlocked()) {
        this.current = this.current.next;
      } else {
        this.current = this.current.resume();
      }
    }
  }
}

function packets(count, task, kind) {
  let queue = null;
  for (let i = 0; i < count; i += 1) {
    queue = new Packet(queue, task, kind);
  }
  return queue;
}

export function run(rounds) {
  const scheduler = new Scheduler();
  const idle = scheduler.start(IDLE, 0, null, new IdleBehaviour(scheduler, rounds));
  idle.waiting = false;
  scheduler.start(WORKER, 1000, packets(2, WORKER, WORK_PACKET), new WorkerBehaviour(scheduler));
  const forA = packets(3, DEVICE_A, DEVICE_PACKET);
  scheduler.start(HANDLER_A, 2000, forA, new HandlerBehaviour(scheduler));
  const forB = packets(3, DEVICE_B, DEVICE_PACKET);
  scheduler.start(HANDLER_B, 3000, forB, new HandlerBehaviour(scheduler));
  scheduler.start(DEVICE_A, 4000, null, new DeviceBehaviour(scheduler));
  scheduler.start(DEVICE_B, 5000, null, new DeviceBehaviour(scheduler));
  scheduler.schedule();
  return [scheduler.queued, scheduler.holds];
}
