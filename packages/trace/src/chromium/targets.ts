import type { Cdp, Json } from "./cdp.js";
import { HELPER } from "./helper.js";
import type { Pass } from "./pass.js";

/** A page that has been opened, and is ready to be recorded. */
export interface Target {
  readonly sessionId: string;
  /** Settles when it crashes. */
  readonly crashed: Promise<void>;
}

/**
 * The targets that start in the browser, not in a page. Windows that a page opens wait for a debugger as soon as any of
 * these do, in the thread of their opener, which would stand still if nobody attached to them.
 */
const SHARED = [{ type: "shared_worker" }, { type: "service_worker" }, { type: "page" }];

const ATTACH: Json = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** What is told of the dialogs of pages: their kind, such as `alert`. */
export type OnDialog = (type: string) => void;

/**
 * Opens an empty page, whose dialogs nobody has to answer. In the topology pass, it and all that it starts follow their registrations from the beginning.
 *
 * @throws CdpError if the browser refuses
 */
export async function openPage(
  cdp: Cdp,
  pass: Pass,
  onDialog: OnDialog = () => undefined,
): Promise<Target> {
  answerDialogs(cdp, onDialog);
  const { targetId } = await cdp.send("Target.createTarget", { url: "about:blank" });
  const attached = await cdp.send("Target.attachToTarget", { targetId, flatten: true });
  const sessionId = String(attached["sessionId"]);
  await cdp.send("Inspector.enable", {}, sessionId);
  const crashed = new Promise<void>((resolve) => {
    cdp.listen((event) => {
      const isOurs = event.sessionId === sessionId && event.method === "Inspector.targetCrashed";
      if (isOurs) resolve();
    });
  });
  if (pass === "topology") {
    cdp.listen(({ method, params }) => {
      if (method !== "Target.attachedToTarget") return;
      const { type } = params["targetInfo"] as { type: string };
      // Pages that were there before: ours, which is prepared below, and the browser's own.
      if (type === "page" && params["waitingForDebugger"] !== true) return;
      // It may end before it is ready, which is its own affair.
      prepare(cdp, String(params["sessionId"]), type).catch(() => undefined);
    });
    await cdp.send("Target.setAutoAttach", { ...ATTACH, filter: SHARED });
    await prepare(cdp, sessionId, "page");
  }
  return { sessionId, crashed };
}

/** Pages may be left; for the rest, each dialog is dismissed. */
function answerDialogs(cdp: Cdp, onDialog: OnDialog): void {
  cdp.listen(({ method, params, sessionId }) => {
    if (method !== "Page.javascriptDialogOpening") return;
    const type = String(params["type"]);
    // Where several sessions see a dialog, the first answer counts.
    cdp
      .send("Page.handleJavaScriptDialog", { accept: type === "beforeunload" }, sessionId)
      .catch(() => undefined);
    onDialog(type);
  });
}

/** Lets a page, frame or worker follow its registrations, and then run. */
async function prepare(cdp: Cdp, sessionId: string, type: string): Promise<void> {
  const send = (method: string, params: Json = {}): Promise<unknown> =>
    cdp.send(method, params, sessionId);
  // Commands of a session are answered in their order: what waits to start must not wait for each answer.
  const commands = [
    send("Runtime.enable"),
    send("Runtime.setAsyncCallStackDepth", { maxDepth: 1 }),
    // The innermost frame says where something is registered.
    send("Runtime.setMaxCallStackSizeToCapture", { size: 1 }),
    send("Target.setAutoAttach", ATTACH),
    type.includes("worker")
      ? send("Runtime.evaluate", { expression: HELPER })
      : send("Page.addScriptToEvaluateOnNewDocument", { source: HELPER, runImmediately: true }),
    send("Runtime.runIfWaitingForDebugger"),
  ];
  const results = await Promise.allSettled(commands);
  const [, depth] = results;
  if (depth?.status === "rejected") throw depth.reason as Error;
}
