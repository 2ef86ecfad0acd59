import type { Invocation } from "./args.js";
import { runRequest } from "./engine.js";
import { HeadstartError } from "./errors.js";
import { chooseFindings, Terminal } from "./interactive.js";
import { Interrupts } from "./interrupts.js";
import { loadAddon } from "./native.js";
import { checkRequest, type Display, explainRequest, fixRequest } from "./options.js";
import { showProgress } from "./progress.js";
import type { Request, Response } from "./protocol.js";
import { canAsk, detectDisplay, print, printError } from "./terminal.js";
import type { CheckReport, FixOptions } from "./types.js";

/** The invocations that need the addon. */
export type Work = Extract<Invocation, { kind: "check" | "fix" | "explain" }>;

type FixWork = Extract<Work, { kind: "fix" }>;

/** Carries a command out and prints what comes of it. Returns the exit code. */
export async function runCommand(work: Work): Promise<number> {
  const interrupts = new Interrupts();
  try {
    const exitCode = await carryOut(work, interrupts);
    return interrupts.exitCode ?? exitCode;
  } finally {
    interrupts.dispose();
  }
}

async function carryOut(work: Work, interrupts: Interrupts): Promise<number> {
  const display = detectDisplay();
  const { config } = work.values;
  if (work.kind === "explain") {
    const request = await explainRequest({ ...work.target, config }, display);
    return answer(request, interrupts);
  }
  const shared = {
    config,
    paths: work.paths.length === 0 ? undefined : work.paths,
    includeTests: work.values["include-tests"],
  };
  if (work.kind === "check") {
    const { level, format, deny } = work.values;
    const request = await checkRequest({ ...shared, level, format, deny }, display);
    return answer(request, interrupts);
  }
  const { level, diff, interactive } = work.values;
  const options = { ...shared, level, diff };
  return interactive
    ? fixInteractively(work, options, display, interrupts)
    : answer(await fixRequest(options, display), interrupts);
}

async function fixInteractively(
  work: FixWork,
  options: FixOptions,
  display: Display,
  interrupts: Interrupts,
): Promise<number> {
  if (!canAsk()) {
    throw new HeadstartError(
      'fix --interactive asks questions and needs a terminal; without one, use "fix" or "fix --diff"',
    );
  }
  const fixing = await fixRequest(options, display);
  const { paths, includeTests } = fixing;
  const request = await checkRequest(
    {
      paths,
      includeTests,
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
  const { exitCode, stdout, stderr } = await perform(request, interrupts);
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
