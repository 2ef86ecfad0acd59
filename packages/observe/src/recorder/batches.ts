import {
  InstrumentationBase,
  InstrumentationNodeModuleDefinition,
  InstrumentationNodeModuleFile,
} from "@opentelemetry/instrumentation";

import { type Methods, wrap } from "./wrap.js";

interface Exported {
  readonly default?: { readonly prototype?: Methods };
}

const VERSIONS = ["^1.0.0", "^5.0.0", "^6.0.0"];
/** What sends a batch; in some versions they call one another. */
const SENDING = ["exec", "EXEC", "execAsPipeline", "execTyped"];

/**
 * Follows the batches of `redis` (npm): `client.multi()`, filled somewhere, is sent by the call that is awaited. OpenTelemetry's
 * instrumentation has a command begin when it is put into the batch, which is no part of that.
 */
export class RedisBatches extends InstrumentationBase {
  /** Whether a command is put into a batch just now: it is not sent then. */
  isFilling = false;
  /** The names of the commands in each batch. */
  private readonly commands = new WeakMap<object, string[]>();

  constructor(private readonly send: (command: string) => void) {
    super("headstart-redis-batches", "1", {});
  }

  protected init(): InstrumentationNodeModuleDefinition {
    const files = ["client", "cluster"].map(
      (kind) =>
        new InstrumentationNodeModuleFile(
          `@redis/client/dist/lib/${kind}/multi-command.js`,
          VERSIONS,
          (exported: Exported) => {
            this.follow(exported.default?.prototype ?? {});
            return exported;
          },
          () => undefined,
        ),
    );
    return new InstrumentationNodeModuleDefinition(
      "@redis/client",
      VERSIONS,
      undefined,
      undefined,
      files,
    );
  }

  private follow(batch: Methods): void {
    wrap(batch, "addCommand", (target, self: object, values: unknown[]) => {
      const args = values.find((it) => Array.isArray(it) && typeof it[0] === "string") as
        readonly string[] | undefined;
      const commands = this.commands.get(self) ?? [];
      this.commands.set(self, commands);
      commands.push((args?.[0] ?? "unknown").toUpperCase());
      this.isFilling = true;
      try {
        return Reflect.apply(target, self, values) as unknown;
      } finally {
        this.isFilling = false;
      }
    });
    for (const name of SENDING) {
      wrap(batch, name, (target, self: object, values: unknown[]) => {
        const commands = this.commands.get(self) ?? [];
        this.commands.delete(self);
        for (const command of commands) this.send(command);
        return Reflect.apply(target, self, values) as unknown;
      });
    }
  }
}
