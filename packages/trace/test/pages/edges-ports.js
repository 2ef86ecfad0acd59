//= portsScript < -
/* eslint-disable no-undef -- what this file is for stands in edges.html */
// Ports whose messages are not received, or are made in unusual ways.
section((next) => {
  // What is sent to a port that is closed, or that nobody listens to, comes to nobody.
  const [closed, unheard, channel] = [
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
  ];
  closed.port1.close();
  closed.port2.postMessage("section");
  unheard.port2.postMessage("section");
  const worker = new Worker("edges-relay.js"); // Its own edges stand in that file.
  let runs = 0;
  //= u1 < any
  channel.port1.onmessage = ({ data }) => {
    edges.push(...data.edges);
    received("u1", { data: data.parent });
    if (++runs === 9) {
      worker.terminate();
      next();
    }
  };
  worker.postMessage("port", [channel.port2]);
  channel.port1.postMessage("section");
  from("u2");
  //= u2 < section
  setTimeout(() => {
    run("u2");
    channel.port1.postMessage("u2");
    from("u3");
    //= u3 < u2
    setTimeout(() => {
      run("u3");
      channel.port1.postMessage("u3");
    }, 20);
  }, 60);
});
section((next) => {
  // What cannot be copied is not sent, and what a getter copies is not either.
  const { port1, port2 } = new MessageChannel();
  let runs = 0;
  //= u4 < any
  port1.onmessage = ({ data }) => {
    received("u4", { data: data.by });
    if (++runs === 4) next();
  };
  try {
    port2.postMessage({ by: "section", not: () => {} });
  } catch {
    // It throws.
  }
  port2.postMessage({
    by: "section",
    get copy() {
      structuredClone({ by: "nobody" });
      return 1;
    },
  });
  from("u5");
  //= u5 < section
  setTimeout(() => {
    run("u5");
    port2.postMessage({ by: "u5" });
    from("u6");
    //= u6 < u5
    setTimeout(() => {
      run("u6");
      port2.postMessage({ by: "u6" });
      port2.postMessage({ by: "u6" });
    }, 5);
  }, 5);
});
