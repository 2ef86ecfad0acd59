import {
  InstrumentationBase,
  InstrumentationNodeModuleDefinition,
} from "@opentelemetry/instrumentation";

import { safely } from "./wrap.js";

/** Packages of which more is followed than OpenTelemetry's instrumentations do. */
const PACKAGES = ["pg", "mysql2"];
/** Whichever that is. */
const VERSIONS = [""];

/** Is told of what a package exports, by its name, when that has been loaded. */
export type Loaded = (name: string, exported: unknown) => void;

/** Has more followed of clients of databases, when OpenTelemetry's instrumentations have seen them. */
export class Clients extends InstrumentationBase {
  constructor(private readonly loaded: Loaded) {
    super("headstart-clients", "1", {});
  }

  protected init(): InstrumentationNodeModuleDefinition[] {
    const follow = (name: string, exported: unknown): unknown => {
      safely(() => {
        this.loaded(name, exported);
      });
      return exported;
    };
    return PACKAGES.map(
      (name) =>
        new InstrumentationNodeModuleDefinition(
          name,
          VERSIONS,
          (exported) => follow(name, exported),
          () => undefined,
        ),
    );
  }
}
