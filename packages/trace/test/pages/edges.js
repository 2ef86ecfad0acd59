//= script < -
/* eslint-disable no-undef -- what this file is for stands in edges.html */
let current = "-";
const parents = new Map();
const edges = [];
function from(label) {
  parents.set(label, current);
}
function run(label) {
  edges.push([label, parents.get(label) ?? "-"]);
  current = label;
}
const box = document.getElementById("box");
const sections = [];
/** Sections run one after the other, so that none disturbs another. */
function section(body) {
  sections.push(body);
}

run("script");

// Timers.
section((next) => {
  from("t1");
  //= t1 < section
  setTimeout(() => {
    run("t1");
    from("t2");
    //= t2 < t1
    setTimeout(() => {
      run("t2");
      from("t3");
      //= t3 < t2
      setTimeout(() => {
        run("t3");
        from("t4");
        //= t4 < t3
        setTimeout(() => {
          run("t4");
        }, 1);
        from("t5");
        //= t5 < t3
        setTimeout(() => {
          run("t5");
          next();
        }, 4);
      }, 0);
    }, 2);
  }, 1);
  from("t6");
  //= t6 < section
  const never = setTimeout(() => {
    run("t6");
  }, 5);
  clearTimeout(never);
});
section((next) => {
  let runs = 0;
  from("interval");
  //= interval < section
  const interval = setInterval(() => {
    run("interval");
    if (++runs < 8) return;
    clearInterval(interval);
    next();
  }, 1);
});
section((next) => {
  let runs = 0;
  function chain() {
    from("chain");
    //= chain < section | chain
    setTimeout(() => {
      run("chain");
      if (++runs < 8) chain();
      else next();
    }, 1);
  }
  chain();
});
section((next) => {
  //= named < section
  function ticks() {
    run("named");
    next();
  }
  from("named");
  //= named < section
  setTimeout(ticks, 1);
});

// Promises.
section((next) => {
  from("p1");
  //= p1 < section
  Promise.resolve().then(() => {
    run("p1");
    from("p2");
    //= p2 < p1
    Promise.resolve().then(() => {
      run("p2");
    });
    from("p3");
    //= p3 < p1
    queueMicrotask(() => {
      run("p3");
      from("p4");
      //= p4 < p3
      setTimeout(() => {
        run("p4");
        next();
      }, 0);
    });
  });
});
section((next) => {
  const first = Promise.resolve();
  from("p5");
  //= p5 < section
  const second = first.then(() => {
    run("p5");
  });
  from("p6");
  //= p6 < section
  const third = second.then(() => {
    run("p6");
    throw new Error("for the next");
  });
  from("p7");
  //= p7 < section
  const fourth = third.catch(() => {
    run("p7");
  });
  from("p8");
  //= p8 < section
  const fifth = fourth.finally(() => {
    run("p8");
  });
  from("p9");
  //= p9 < section
  fifth.then(() => {
    run("p9");
    next();
  });
});
section(async (next) => {
  from("a1");
  //= a1 < section
  await null;
  run("a1");
  for (let turn = 0; turn < 8; turn++) {
    from("a2");
    //= a2 < a1 | a2
    await turn;
    run("a2");
  }
  from("a3");
  //= a3 < a2
  await new Promise((resolve) => {
    from("a4");
    //= a4 < a2
    setTimeout(() => {
      run("a4");
      resolve();
    }, 1);
  });
  run("a3");
  next();
});
section(async (next) => {
  async function inner(depth) {
    from("a5");
    //= a5 < section | a5
    await null;
    run("a5");
    if (depth > 0) {
      from("a6:" + depth);
      //= a6 < a5
      await inner(depth - 1);
      run("a6:" + depth);
    }
    return depth;
  }
  from("a7");
  //= a7 < section
  await inner(3);
  run("a7");
  next();
});
section(async (next) => {
  async function part(number) {
    from("b1:" + number);
    //= b1 < section
    await null;
    run("b1:" + number);
    from("b2:" + number);
    //= b2 < b1
    await null;
    run("b2:" + number);
  }
  from("b3");
  //= b3 < section
  await Promise.all([part(1), part(2), part(3)]);
  run("b3");
  from("b4");
  //= b4 < b3
  await Promise.race([part2(), new Promise(() => {})]);
  run("b4");
  async function part2() {
    from("b5");
    //= b5 < b3
    await null;
    run("b5");
  }
  from("b6");
  //= b6 < b4
  await Promise.allSettled([Promise.reject(new Error("settled")), part3()]);
  run("b6");
  async function part3() {
    from("b7");
    //= b7 < b4
    await null;
    run("b7");
  }
  next();
});
section(async (next) => {
  const thenable = {
    //= c1 < section
    then(resolve) {
      run("c1");
      from("c2");
      //= c2 < c1
      setTimeout(() => {
        run("c2");
        resolve();
      }, 1);
    },
  };
  from("c1");
  from("c3");
  //= c3 < section
  await thenable;
  run("c3");
  const { promise, resolve } = Promise.withResolvers();
  from("c4");
  //= c4 < c3
  promise.then(() => {
    run("c4");
  });
  from("c5");
  //= c5 < c3
  setTimeout(() => {
    run("c5");
    resolve();
  }, 1);
  from("c6");
  //= c6 < c3
  await promise;
  run("c6");
  next();
});
section(async (next) => {
  async function* numbers() {
    for (let number = 0; number < 4; number++) {
      from("d1");
      //= d1 < section | d2
      await null;
      run("d1");
      yield number;
    }
  }
  from("d2");
  //= d2 < section | d2
  for await (const number of numbers()) {
    run("d2");
    void number;
    from("d2");
  }
  run("d2");
  from("d3");
  //= d3 < d2
  await null;
  run("d3");
  next();
});

// Messages.
section((next) => {
  const { port1, port2 } = new MessageChannel();
  //= m1 < section | m2
  port1.onmessage = ({ data }) => {
    run("m1");
    if (data < 6) {
      from("m2");
      port1.postMessage(data + 1);
    } else {
      port1.close();
      next();
    }
  };
  //= m2 < m1
  port2.onmessage = ({ data }) => {
    run("m2");
    from("m1");
    port2.postMessage(data + 1);
  };
  from("m1");
  port2.postMessage(0);
});
section((next) => {
  from("m3");
  //= m3 < section
  addEventListener(
    "message",
    //= m3 < section
    () => {
      run("m3");
      next();
    },
    { once: true },
  );
  //= m3 < section
  window.postMessage("hello", "*");
});
section((next) => {
  const one = new BroadcastChannel("edges");
  const other = new BroadcastChannel("edges");
  //= m4 < section
  other.onmessage = () => {
    run("m4");
    one.close();
    other.close();
    next();
  };
  from("m4");
  one.postMessage("hello");
});

// Messages of ports, which have no numbers: each says who has sent it.
function busy(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
function received(label, { data }) {
  parents.set(label, data);
  run(label);
}
section((next) => {
  // As schedulers do it.
  const { port1, port2 } = new MessageChannel();
  let runs = 0;
  //= q4 < any
  port1.onmessage = (event) => {
    received("q4", event);
    busy(3);
    if (++runs < 9) return port2.postMessage("q4");
    clearInterval(beat);
    port1.close();
    next();
  };
  const beat = setInterval(() => {}, 2);
  from("q5");
  //= q5 < section
  setTimeout(() => {
    run("q5");
    port2.postMessage("q5");
  }, 5);
});
section((next) => {
  // One port, two senders: the second sends while the port is busy.
  const { port1, port2 } = new MessageChannel();
  let runs = 0;
  //= q6 < any
  port1.onmessage = (event) => {
    received("q6", event);
    busy(2);
    if (++runs === 4) next();
  };
  from("q7");
  //= q7 < section
  setTimeout(() => {
    run("q7");
    from("q8");
    //= q8 < q7
    setTimeout(() => {
      run("q8");
      port2.postMessage("q8");
      port2.postMessage("q8");
    }, 0);
    port2.postMessage("q7");
    port2.postMessage("q7");
    busy(4);
  }, 1);
});
section((next) => {
  // Two ports, two senders.
  const [one, other] = [new MessageChannel(), new MessageChannel()];
  let runs = 0;
  const done = () => {
    busy(1);
    if (++runs === 8) next();
  };
  //= q9 < any
  one.port1.onmessage = (event) => {
    received("q9", event);
    done();
  };
  //= q10 < any
  other.port1.onmessage = (event) => {
    received("q10", event);
    if (runs === 1) one.port2.postMessage("q10");
    done();
  };
  from("q11");
  //= q11 < section
  setTimeout(() => {
    run("q11");
    from("q12");
    //= q12 < q11
    setTimeout(() => {
      run("q12");
      one.port2.postMessage("q12");
      other.port2.postMessage("q12");
      one.port2.postMessage("q12");
    }, 0);
    one.port2.postMessage("q11");
    other.port2.postMessage("q11");
    one.port2.postMessage("q11");
    other.port2.postMessage("q11");
    busy(3);
  }, 1);
});
section((next) => {
  // Messages are sent before the port is started.
  const { port1, port2 } = new MessageChannel();
  port2.postMessage("section");
  let runs = 0;
  from("q13");
  //= q13 < section
  setTimeout(() => {
    run("q13");
    port2.postMessage("q13");
    port2.postMessage("q13");
  }, 1);
  from("q14");
  //= q14 < section
  setTimeout(() => {
    run("q14");
    //= q15 < any
    port1.addEventListener("message", (event) => {
      received("q15", event);
      if (++runs === 4) next();
    });
    port2.postMessage("q14");
    port1.start();
  }, 4);
});
section((next) => {
  const worker = new Worker("edges-relay.js"); // Its own edges stand in that file.
  const { port1, port2 } = new MessageChannel();
  let runs = 0;
  //= q16 < any
  port1.onmessage = ({ data }) => {
    edges.push(...data.edges);
    received("q16", { data: data.parent });
    if (++runs < 9) return;
    worker.terminate();
    next();
  };
  worker.postMessage("port", [port2]);
  port1.postMessage("section");
  from("q17");
  //= q17 < section
  setTimeout(() => {
    run("q17");
    port1.postMessage("q17");
    port1.postMessage("q17");
  }, 30);
});

// Workers.
section((next) => {
  const worker = new Worker("edges-worker.js"); // Its own edges stand in that file.
  //= w1 < worker | w2
  worker.onmessage = ({ data }) => {
    edges.push(...data.edges);
    parents.set("w1", data.parent);
    run("w1");
    if (data.round < 5) {
      worker.postMessage({ round: data.round + 1, parent: "w1" });
    } else {
      worker.terminate();
      next();
    }
  };
});
section((next) => {
  const worker = new SharedWorker("edges-shared.js");
  //= w3 < w5
  worker.port.onmessage = ({ data }) => {
    edges.push(...data.edges);
    parents.set("w3", data.parent);
    run("w3");
    worker.port.close();
    next();
  };
});

// The network.
section(async (next) => {
  from("f1");
  //= f1 < section
  const response = await fetch("data.json");
  run("f1");
  from("f2");
  //= f2 < f1
  await response.text();
  run("f2");
  from("f3");
  //= f3 < f2
  fetch("data.json").then((answer) => {
    run("f3");
    from("f4");
    //= f4 < f3
    answer.json().then(() => {
      run("f4");
      next();
    });
  });
});
section(async (next) => {
  from("f5");
  //= f5 < section
  await Promise.all(
    [1, 2, 3].map(async (number) => {
      from("f6:" + number);
      //= f6 < section
      const response = await fetch("data.json?" + number);
      run("f6:" + number);
      from("f7:" + number);
      //= f7 < f6
      await response.arrayBuffer();
      run("f7:" + number);
    }),
  );
  run("f5");
  next();
});
section(async (next) => {
  from("f8");
  //= f8 < section
  const { body } = await fetch("data.json");
  run("f8");
  const reader = body.getReader();
  from("f9");
  //= f9 < f8 | f9
  while (!(await reader.read()).done) {
    run("f9");
    from("f9");
  }
  run("f9");
  next();
});
section(async (next) => {
  const controller = new AbortController();
  from("f10");
  //= f10 < section
  const wait = fetch("slow", { signal: controller.signal }).catch(() => {
    run("f10");
  });
  from("f11");
  //= f11 < section
  setTimeout(() => {
    run("f11");
    controller.abort();
  }, 1);
  from("f12");
  //= f12 < section
  await wait;
  run("f12");
  next();
});
section((next) => {
  const request = new XMLHttpRequest();
  request.open("GET", "data.json");
  //= x < section
  request.onreadystatechange = () => {
    run("x");
  };
  request.onload = () => {
    run("x");
    from("x3");
    //= x3 < x
    setTimeout(() => {
      run("x3");
      next();
    }, 0);
  };
  from("x");
  //= x < section
  request.send();
});
section((next) => {
  const socket = new WebSocket("ws://" + location.host + "/socket");
  from("s");
  //= s < section
  socket.onopen = () => {
    run("s");
    socket.send("hello");
  };
  socket.onmessage = () => {
    run("s");
    socket.close();
  };
  socket.onclose = () => {
    run("s");
    next();
  };
});
section((next) => {
  const source = new EventSource("events");
  from("e1");
  //= e1 < section
  source.onmessage = () => {
    run("e1");
    source.close();
    next();
  };
});

// Observers.
section((next) => {
  from("o1");
  //= o1 < section
  const observer = new MutationObserver(() => {
    run("o1");
    observer.disconnect();
    from("o2");
    //= o2 < o1
    setTimeout(() => {
      run("o2");
      next();
    }, 0);
  });
  observer.observe(box, { attributes: true });
  //= o1 < section
  box.setAttribute("data-a", "1");
});
section((next) => {
  from("o3");
  //= o3 < section
  const observer = new ResizeObserver(() => {
    run("o3");
    observer.disconnect();
    next();
  });
  observer.observe(box);
});
section((next) => {
  from("o4");
  //= o4 < section
  const observer = new IntersectionObserver(() => {
    run("o4");
    observer.disconnect();
    next();
  });
  observer.observe(box);
});
section((next) => {
  from("o5");
  //= o5 < section
  const observer = new PerformanceObserver(() => {
    run("o5");
    observer.disconnect();
    next();
  });
  observer.observe({ entryTypes: ["mark"] });
  performance.mark("edges");
});

// Frames, idle time, tasks.
section((next) => {
  let frames = 0;
  function frame() {
    from("r1");
    //= r1 < section | r1
    requestAnimationFrame(() => {
      run("r1");
      if (++frames < 5) frame();
      else next();
    });
  }
  frame();
});
section((next) => {
  from("r2");
  //= r2 < section
  requestIdleCallback(() => {
    run("r2");
    from("r3");
    //= r3 < r2
    requestIdleCallback(
      //= r3 < r2
      () => {
        run("r3");
        next();
      },
      { timeout: 50 },
    );
  });
});
section(async (next) => {
  from("r4");
  //= r4 < section
  const task = scheduler.postTask(() => {
    run("r4");
    from("r5");
    //= r5 < r4
    scheduler.postTask(
      //= r5 < r4
      () => {
        run("r5");
      },
      { priority: "user-blocking" },
    );
  });
  from("r6");
  //= r6 < section
  await task;
  run("r6");
  from("r7");
  //= r7 < r6
  await scheduler.yield();
  run("r7");
  from("r8");
  //= r8 < r7
  scheduler.postTask(
    //= r8 < r7
    () => {
      run("r8");
      next();
    },
    { delay: 2 },
  );
});

// Events.
section((next) => {
  const button = document.getElementById("button");
  button.addEventListener(
    "click",
    () => {
      // Nested: what dispatches it is what runs.
      from("v1");
      //= v1 < section
      setTimeout(() => {
        run("v1");
        next();
      }, 0);
    },
    { once: true },
  );
  button.addEventListener("custom", () => {
    from("v2");
    //= v2 < section
    queueMicrotask(() => {
      run("v2");
    });
  });
  button.dispatchEvent(new CustomEvent("custom"));
  button.click();
});
section((next) => {
  const image = new Image();
  from("v3");
  //= v3 < section
  image.onload = () => {
    run("v3");
    next();
  };
  //= v3 < section
  image.src = "pixel.svg";
});
section((next) => {
  //= v4 < section
  const script = document.createElement("script");
  script.src = "edges-late.js"; // Its own edges stand in that file.
  from("late");
  from("v4");
  script.onload = () => {
    run("v4");
    next();
  };
  //= late < section
  document.body.append(script);
});
section(async (next) => {
  from("module");
  from("v5");
  //= module < section
  const module = import("./edges-module.js");
  //= v5 < section
  await module;
  run("v5");
  next();
});
section((next) => {
  const frame = document.createElement("iframe");
  from("v6");
  //= v6 < section
  frame.onload = () => {
    run("v6");
    frame.remove();
    next();
  };
  frame.srcdoc = "<p>frame</p>";
  document.body.append(frame);
});
section((next) => {
  from("v7");
  //= v7 < -
  box.addEventListener(
    "transitionend",
    //= v7 < -
    () => {
      parents.delete("v7");
      run("v7");
      next();
    },
    { once: true },
  );
  getComputedStyle(box).opacity;
  box.style.opacity = "0.5";
});
section(async (next) => {
  from("v8");
  //= v8 < section
  await box.animate([{ opacity: 0 }, { opacity: 1 }], 10).finished;
  run("v8");
  next();
});

// Storage and files.
section((next) => {
  from("i1");
  //= i1 < section
  const request = indexedDB.open("edges", 1);
  //= i1 < section
  request.onupgradeneeded = () => {
    run("i1");
    request.result.createObjectStore("things");
  };
  request.onsuccess = () => {
    run("i1");
    const transaction = request.result.transaction("things", "readwrite");
    from("i3");
    //= i3 < i1
    const put = transaction.objectStore("things").put("one", 1);
    //= i3 < i1
    put.onsuccess = () => {
      run("i3");
      from("i4");
      //= i4 < i3
      const get = transaction.objectStore("things").get(1);
      //= i4 < i3
      get.onsuccess = () => {
        run("i4");
      };
    };
    from("i5");
    //= i5 < i1 | i3
    transaction.oncomplete = () => {
      run("i5");
      request.result.close();
      next();
    };
  };
});
section((next) => {
  const reader = new FileReader();
  //= i6 < section
  reader.onload = () => {
    run("i6");
    next();
  };
  from("i6");
  //= i6 < section
  reader.readAsText(new Blob(["text"]));
});
section(async (next) => {
  from("i7");
  //= i7 < section
  await new Blob(["text"]).text();
  run("i7");
  from("i8");
  //= i8 < i7
  await createImageBitmap(new ImageData(4, 4));
  run("i8");
  from("i9");
  //= i9 < i8
  await crypto.subtle.digest("SHA-256", new Uint8Array(4));
  run("i9");
  from("i11");
  //= i11 < i9
  const locked = navigator.locks.request("edges", async () => {
    run("i11");
    from("i12");
    //= i12 < i11
    await null;
    run("i12");
  });
  from("i10");
  //= i10 < i9
  await locked;
  run("i10");
  next();
});
section(async (next) => {
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  from("z1");
  //= z1 < section
  writer.write("one").then(() => {
    run("z1");
  });
  const reader = readable.getReader();
  from("z2");
  //= z2 < section
  await reader.read();
  run("z2");
  from("z3");
  //= z3 < z2
  await writer.close();
  run("z3");
  next();
});

/** Runs the next section, in a continuation of its own. */
function advance() {
  const body = sections.shift();
  if (body === undefined) {
    document.body.insertAdjacentHTML("beforeend", "<p id=done>done</p>");
    return;
  }
  from("section");
  //= section < any
  setTimeout(() => {
    run("section");
    body(advance);
  }, 5);
}
//= load < -
addEventListener("load", () => {
  run("load");
});
advance();
