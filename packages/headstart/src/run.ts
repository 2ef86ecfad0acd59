import type {
  ObserveInvocation,
  OptimizeInvocation,
  VerifyInvocation,
  WaterfallsInvocation,
} from "./args.js";
import type { TraceInvocation } from "./trace-args.js";
import { runRequest } from "./engine.js";
import { HeadstartError } from "./errors.js";
import { chooseFindings, Terminal } from "./interactive.js";
import { Interrupts } from "./interrupts.js";
import { loadAddon } from "./native.js";
import { optimizeFiles } from "./optimize-files.js";
import { checkRequest, type Display } from "./options.js";
import { showProgress } from "./progress.js";
import type { Request, Response } from "./protocol.js";
import { type FixWork, fixRequestOf, requestOf, type Work } from "./requests.js";
import { canAsk, detectDisplay, print, printError } from "./terminal.js";
import type { CheckReport } from "./types.js";

/** What any command asks for. */
type AnyWork =
  | Work
  | ObserveInvocation
  | OptimizeInvocation
  | TraceInvocation
  | VerifyInvocation
  | WaterfallsInvocation;

/** Carries a command out and prints what comes of it. Returns the exit code. */
export async function runCommand(work: AnyWork): Promise<number> {
  // Nothing is left half done when a signal ends this: each file is replaced whole.
  if (work.kind === "optimize" && work.values.watch !== true) return optimizeFiles(work);
  const interrupts = new Interrupts();
  try {
    const exitCode = await carryOutAny(work, interrupts);
    return interrupts.exitCode ?? exitCode;
  } finally {
    interrupts.dispose();
  }
}

async function carryOutAny(work: AnyWork, interrupts: Interrupts): Promise<number> {
  if (work.kind === "optimize") {
    return (await import("./optimize-watch.js")).watchFiles(work, interrupts);
  }
  if (work.kind === "verify") {
    return (await import("./verify.js")).runVerify(work, interrupts);
  }
  if (work.kind === "trace") {
    return (await import("./trace.js")).runTrace(work, interrupts);
  }
  if (work.kind === "observe") {
    return (await import("./observe.js")).runObserve(work, interrupts);
  }
  if (work.kind === "waterfalls") {
    return (await import("./waterfalls.js")).runWaterfalls(work);
  }
  return carryOut(work, interrupts);
}

async function carryOut(work: Work, interrupts: Interrupts): Promise<number> {
  const display = detectDisplay();
  return work.kind === "fix" && work.values.interactive
    ? fixInteractively(work, display, interrupts)
    : answer(await requestOf(work, display), interrupts);
}

async function fixInteractively(
  work: FixWork,
  display: Display,
  interrupts: Interrupts,
): Promise<number> {
  if (!canAsk()) {
    throw new HeadstartError(
      'fix --interactive asks questions and needs a terminal; without one, use "fix" or "fix --diff"',
    );
  }
  const fixing = await fixRequestOf(work, display);
  const { paths, includeTests, deps, models } = fixing;
  const request = await checkRequest(
    {
      paths,
      includeTests,
      deps,
      models,
      config: work.values.config,
      level: fixing.level,
      rendered: true,
      deny: "none",
    },
    display,
  );
  const { exitCode, report, stderr } = await perform<CheckReport>(request, interrupts);
  if (exitCode === 2 || report === null || interrupts.happened()) {
    await printError(stderr);
    return exitCode;
  }
  const findings = report.findings.filter(({ replacement }) => replacement !== null);
  const only = await choose(findings, interrupts);
  if (only.length > 0 && !interrupts.happened()) {
    return answer({ ...fixing, only }, interrupts);
  }
  await print(findings.length === 0 ? "Nothing to fix.\n" : "Nothing was changed.\n");
  return 0;
}

async function choose(
  findings: CheckReport["findings"],
  interrupts: Interrupts,
): Promise<readonly string[]> {
  const terminal = new Terminal(interrupts);
  try {
    return await chooseFindings(findings, terminal.ask, print);
  } finally {
    terminal.close();
  }
}

async function answer(request: Request, interrupts: Interrupts): Promise<number> {
  const last = request.command === "check" ? { ...request, isLast: true } : request;
  const { exitCode, stdout, stderr } = await perform(last, interrupts);
  // All is done but for the printing, which waits for whoever reads: a signal may end that.
  interrupts.dispose();
  await print(stdout);
  await printError(stderr);
  return exitCode;
}

/** Has the addon work on a request, with progress shown and interrupts handed on. */
async function perform<Report>(
  request: Request,
  interrupts: Interrupts,
): Promise<Response<Report>> {
  const addon = loadAddon();
  const cancel = (): void => {
    addon.cancel();
  };
  const stopProgress = showProgress(() => addon.progress(), process.stderr);
  interrupts.lastWish = stopProgress;
  interrupts.signal.addEventListener("abort", cancel);
  try {
    const running = runRequest<Report>(request);
    // Before it runs there is nothing to cancel, yet the interrupt may have come already.
    if (interrupts.happened()) cancel();
    return await running;
  } finally {
    interrupts.signal.removeEventListener("abort", cancel);
    stopProgress();
  }
}
