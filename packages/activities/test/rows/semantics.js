// Each row of the table of what tasks and atomic blocks mean, as a function that gives what was observed. Written with
// `async` and `await`: `ways.ts` makes the other forms of it.
export const rows = {
  "another task that resumes while a block is open waits at the gate": async (t) => {
    const other = t.spawn(async () => {
      t.log("other starts");
      await t.sleep(1);
      t.log("other resumes");
    });
    await t.sleep(0);
    await t.atomic(async () => {
      t.log("block opens");
      await t.sleep(20);
      t.log("block ends");
    });
    await other.join();
    return ["other starts", "block opens", "block ends", "other resumes"];
  },
  "those who wait are let in in order": async (t) => {
    const tasks = [1, 2, 3].map((n) =>
      t.spawn(async () => {
        await t.sleep(n);
        t.log(n);
      }),
    );
    await t.sleep(0);
    await t.atomic(async () => {
      await t.sleep(20);
    });
    await Promise.all(tasks.map((task) => task.join()));
    return [1, 2, 3];
  },
  "spawn inside atomic: delayed until the outermost block ends": async (t) => {
    let task;
    await t.atomic(async () => {
      await t.atomic(async () => {
        task = t.spawn(async () => {
          t.log("task");
        });
        await t.sleep(1);
        t.log(task.state);
      });
      await t.sleep(1);
      t.log("outer ends");
    });
    await task.join();
    t.log(task.state);
    return ["delayed", "outer ends", "task", "done"];
  },
  "spawn inside atomic: contained, and the end of the block waits for it": async (t) => {
    const outside = t.spawn(async () => {
      await t.sleep(1);
      t.log("outside");
    });
    await t.sleep(0);
    await t.atomic(async () => {
      t.spawn(
        async () => {
          await t.sleep(10);
          t.log("contained");
        },
        { inAtomic: "contained" },
      );
      t.log("body ends");
    });
    await outside.join();
    return ["body ends", "contained", "outside"];
  },
  "spawn inside atomic: free, and passes every gate": async (t) => {
    await t.atomic(async () => {
      t.spawn(
        async () => {
          await t.sleep(1);
          t.log("free");
        },
        { inAtomic: "free" },
      );
      await t.sleep(15);
      t.log("block ends");
    });
    return ["free", "block ends"];
  },
  "spawn inside atomic: error": async (t) => {
    await t.atomic(async () => {
      try {
        t.spawn(async () => {}, { inAtomic: "error", name: "late" });
      } catch (error) {
        t.log(error.message.includes("late"));
      }
    });
    return [true];
  },
  "a nested block of the same task is a part of the outer one": async (t) => {
    const other = t.spawn(async () => {
      await t.sleep(1);
      t.log("other");
    });
    await t.sleep(0);
    await t.atomic(async () => {
      await t.atomic(async () => {
        await t.sleep(5);
        t.log("inner");
      });
      await t.sleep(5);
      t.log("outer");
    });
    await other.join();
    return ["inner", "outer", "other"];
  },
  "Promise.all inside atomic interleaves with itself": async (t) => {
    const part = async (name, ms) => {
      await t.sleep(ms);
      t.log(name);
    };
    await t.atomic(async () => {
      await Promise.all([part("b", 10), part("a", 1)]);
    });
    return ["a", "b"];
  },
  "an error ends the block, lets those who wait in, and goes on": async (t) => {
    const other = t.spawn(async () => {
      await t.sleep(1);
      t.log("other");
    });
    await t.sleep(0);
    try {
      await t.atomic(async () => {
        await t.sleep(10);
        throw new Error("broken");
      });
    } catch (error) {
      t.log(error.message);
    }
    await other.join();
    return t.anyOf([
      ["broken", "other"],
      ["other", "broken"],
    ]);
  },
  "who waits at the gate and is cancelled leaves it with the reason": async (t) => {
    const other = t.spawn(async () => {
      try {
        await t.sleep(1);
        t.log("never");
      } catch (error) {
        t.log(error);
      }
    });
    await t.sleep(0);
    await t.atomic(async () => {
      await t.sleep(10);
      other.cancel("no more");
      t.log("block ends");
    });
    await other.join();
    return ["block ends", "no more"];
  },
  "the holder that is cancelled throws at its next await, and finally is still inside": async (
    t,
  ) => {
    const other = t.spawn(async () => {
      await t.sleep(2);
      t.log("other");
    });
    const holder = t.spawn(async () => {
      await t.atomic(async () => {
        try {
          await t.sleep(10);
          t.log("never");
        } finally {
          await t.sleep(5);
          t.log("finally");
        }
      });
    });
    setTimeout(() => holder.cancel("stop"), 5);
    try {
      await holder.join();
    } catch (error) {
      t.log(error);
    }
    await other.join();
    return t.anyOf([
      ["finally", "other", "stop"],
      ["finally", "stop", "other"],
    ]);
  },
  "join of a task that the block delays: a deadlock, at once, and the cycle is named": async (
    t,
  ) => {
    const holder = t.spawn(
      async () => {
        await t.atomic(async () => {
          const late = t.spawn(async () => {}, { name: "late" });
          try {
            await late.join();
          } catch (error) {
            t.log(error.name);
            t.log(error.cycle.map((it) => it.name));
          }
        });
      },
      { name: "holder" },
    );
    await holder.join();
    return ["AtomicDeadlockError", ["holder", "late"]];
  },
  "join of a task that waits at the gate, through another one: the same": async (t) => {
    let open;
    const opened = new Promise((resolve) => {
      open = resolve;
    });
    const shut = t.spawn(
      async () => {
        await opened;
      },
      { name: "shut" },
    );
    const between = t.spawn(
      async () => {
        await shut.join();
      },
      { name: "between" },
    );
    const holder = t.spawn(
      async () => {
        await t.sleep(1);
        await t.atomic(async () => {
          // It goes on from here, and comes to the gate.
          open();
          try {
            await between.join();
          } catch (error) {
            t.log(error.name);
            t.log(error.cycle.map((it) => it.name));
          }
        });
      },
      { name: "holder" },
    );
    await holder.join();
    await between.join();
    return ["AtomicDeadlockError", ["holder", "between", "shut"]];
  },
  "a block that lasts too long is reported, and given up": async (t) => {
    const told = [];
    t.onProblem((problem) => told.push(problem.name));
    const other = t.spawn(async () => {
      await t.sleep(1);
      t.log("other");
    });
    await t.sleep(0);
    try {
      await t.atomic(
        async () => {
          await t.sleep(60);
        },
        { deadlock: { warnMs: 10, failMs: 20 } },
      );
    } catch (error) {
      t.log(error.name);
    }
    await other.join();
    t.log(told);
    await t.sleep(60);
    return t.anyOf([
      ["AtomicDeadlockError", "other", ["AtomicDeadlockError", "AtomicDeadlockError"]],
      ["other", "AtomicDeadlockError", ["AtomicDeadlockError", "AtomicDeadlockError"]],
    ]);
  },
  "work that outlives its block is an error": async (t) => {
    const work = async () => {
      await t.sleep(10);
    };
    let going;
    try {
      await t.atomic(async () => {
        going = work();
        await t.sleep(1);
      });
    } catch (error) {
      t.log(error.name);
    }
    await going;
    return ["EscapedWorkError"];
  },
  "a task keeps its identity over awaits, and gets it back in catch and finally": async (t) => {
    const fails = async () => {
      await t.sleep(1);
      throw new Error("failed");
    };
    const body = (name) => async () => {
      t.log(t.current().name);
      await t.sleep(2);
      t.log(t.current().name);
      try {
        await fails();
      } catch {
        t.log(t.current().name);
      } finally {
        await t.sleep(1);
        t.log(t.current().name === name);
      }
    };
    await Promise.all(["a", "b"].map((name) => t.spawn(body(name), { name }).join()));
    return t.anyOf([["a", "b", "a", "b", "a", "b", true, true]]);
  },
  "a callback has the identity that it was bound to, and raw ones that of nobody": async (t) => {
    const seen = [];
    const task = t.spawn(
      async () => {
        await t.sleep(1);
        setTimeout(() => seen.push(t.current().name), 5);
        setTimeout(
          t.bind(() => seen.push(t.current().name)),
          6,
        );
        await t.sleep(1);
      },
      { name: "task" },
    );
    await task.join();
    await t.sleep(20);
    t.log(seen);
    return t.anyOf([[["root", "task"]], [["task", "task"]]]);
  },
  "a gated callback waits as an await does": async (t) => {
    const told = t.gated(() => t.log("called back"));
    const task = t.spawn(async () => {
      await t.atomic(async () => {
        setTimeout(told, 1);
        await t.sleep(10);
        t.log("block ends");
      });
    });
    await task.join();
    await t.sleep(5);
    return ["block ends", "called back"];
  },
  "a cancel is for the task, not for what is called back in it": async (t) => {
    let told;
    const task = t.spawn(async () => {
      told = t.gated(() => t.log("called back"));
      try {
        await t.sleep(150);
        t.log("never");
      } catch (error) {
        t.log(error);
      }
    });
    await t.sleep(1);
    const other = t.spawn(async () => {
      await t.atomic(async () => {
        setTimeout(told, 1);
        await t.sleep(5);
        task.cancel("stop");
        await t.sleep(1);
      });
    });
    await other.join();
    await told();
    await task.join();
    return ["called back", "called back", "stop"];
  },
};
