import pg from "pg";

import type { Queries } from "./database";
import { Sockets } from "./sockets";

/** Probes in a row without an answer after which a server counts as silent. */
const SILENT = 2;

export interface Probe extends Queries {
  /** True while connections stay, and nothing answers. */
  readonly isSilent: boolean;
  end(): void;
}

/**
 * Asks a server on a connection of its own, which no statement of a request occupies: each question has an answer within
 * `milliseconds`, or fails. Tells when a server has become silent.
 */
export function createProbe(options: pg.ClientConfig, milliseconds: number, onSilent: () => void): Probe {
  const sockets = new Sockets();
  let kept: Promise<pg.Client> | undefined;
  let unanswered = 0;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...options, stream: sockets.create });
    // Without a listener the process would end.
    client.on("error", drop);
    client.on("end", drop);
    await client.connect();
    return client;
  }

  function drop(): void {
    kept = undefined;
    sockets.cut("given up");
  }

  return {
    query: async (sql: string, parameters: readonly unknown[] = []) => {
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        sockets.cut(`no answer within ${milliseconds / 1_000} s`);
      }, milliseconds);
      try {
        kept ??= connect();
        const { rows } = await (await kept).query({ text: sql, values: [...parameters] });
        unanswered = 0;
        return rows;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) drop();
        unanswered = isLate ? unanswered + 1 : 0;
        if (unanswered === SILENT) onSilent();
        throw error;
      } finally {
        clearTimeout(late);
      }
    },
    get isSilent() {
      return unanswered >= SILENT;
    },
    end: drop,
  };
}
