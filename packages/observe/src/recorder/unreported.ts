import type { Watch } from "./boundary.js";
import { holderOf, type Methods } from "./wrap.js";

/**
 * Notes what clients of databases are asked by ways that OpenTelemetry's instrumentations do not report: that something is done,
 * not what. Nothing else tells of it, since what is sent to a server is taken for what its client reports.
 *
 * @param exported what the module of that name exports
 */
export function watchUnreported(name: string, exported: unknown, watch: Watch): void {
  const classOf = (key: string): Methods | undefined =>
    (exported as Record<string, { readonly prototype?: Methods } | undefined>)[key]?.prototype;
  // Queries of one's own making (`pg.Query`, cursors, COPY) are handed over as they are.
  const pg = name === "pg" ? classOf("Client") : undefined;
  if (pg !== undefined) {
    watch(pg, "query", ([query]) => {
      const { submit } = (query ?? {}) as { readonly submit?: unknown };
      return typeof submit === "function" ? ["sql postgresql (unknown)"] : [];
    });
  }
  const mysql = name === "mysql2" ? holderOf(classOf("Connection"), "prepare") : undefined;
  if (mysql !== undefined) watch(mysql, "prepare", () => ["sql mysql (unknown)"]);
}
