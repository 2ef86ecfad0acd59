//= queueScript < -
/* eslint-disable no-undef -- what this file is for stands in edges.html */
// Microtasks of which Chromium says nothing, between others.
section(async (next) => {
  const job = {
    then(resolve) {
      current = "microtask at ?:?";
      from("j1");
      //= j1 < microtask at ?:? | microtask at ?
      queueMicrotask(() => {
        run("j1");
        from("j2");
        //= j2 < j1
        setTimeout(() => {
          run("j2");
          resolve();
        }, 1);
      });
    },
  };
  from("j3");
  //= j3 < section
  await job;
  run("j3");
  next();
});
section(async (next) => {
  // The second picture is loaded by what runs right after what has loaded the first.
  let loads = 0;
  const loaded = () => {
    if (++loads === 2) next();
  };
  from("j4");
  //= j4 < section
  await null;
  run("j4");
  const [one, other] = [new Image(), new Image()];
  from("j5");
  //= j5 < j4
  one.onload = () => {
    run("j5");
    loaded();
  };
  //= j5 < j4
  one.src = "pixel.svg?1";
  from("j6");
  //= j6 < j4
  await null;
  run("j6");
  from("j7");
  //= j7 < j6
  other.onload = () => {
    run("j7");
    loaded();
  };
  //= j7 < j6
  other.src = "pixel.svg?2";
});
section((next) => {
  // A lock that another one holds.
  let runs = 0;
  const ended = () => {
    if (++runs === 3) next();
  };
  for (let turn = 0; turn < 3; turn++) {
    from("j8");
    //= j8 < section
    setTimeout(() => {
      run("j8");
      from("j9");
      //= j9 < j8
      void navigator.locks.request("edges-held", async () => {
        run("j9");
        from("j10");
        //= j10 < j9
        await new Promise((resolve) => {
          setTimeout(resolve, 4);
        });
        run("j10");
        ended();
      });
    }, turn);
  }
});
