import { createServer, type Server } from "node:http";

import { readConfig, type Config } from "../config";
import { createLog, type Log } from "../log";
import type { Database } from "../platform/store/database";
import { startMail } from "../platform/mail/service";
import type { TIMES } from "../platform/mail/sender";
import { openMigrated } from "./database";
import { COST } from "../platform/oidc/passwords";
import { createProvider, type OidcProvider } from "../platform/oidc/provider";
import type { Typeface } from "../platform/oidc/typeface";
import { portOf } from "../port";

export interface Running {
  /** PUBLIC_URL. */
  readonly url: string;
  readonly config: Config;
  readonly database: Database;
  readonly provider: OidcProvider;
  /** Discards all state in memory and restarts on the same database and port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A clock that only moves when a test moves it. */
export function movableClock() {
  let time = Date.now();
  return {
    now: () => new Date(time),
    forward: (seconds: number) => void (time += seconds * 1000),
  };
}

const FULL = { ...COST };

/** Sets the cost of password hashes in this process: the real cost, or little for tests of other things. */
export const passwordsCost = (what: "all" | "little"): void =>
  void Object.assign(COST, what === "all" ? FULL : { N: 2 ** 10 });

/** Only the provider, on a loopback port, with cheap passwords; `path` is the path of PUBLIC_URL. */
export async function startProvider({
  variables = {},
  path = "",
  host = "127.0.0.1",
  now,
  database: given,
  typeface,
  mailTimes,
  log = createLog("silent"),
}: {
  variables?: Readonly<Record<string, string>>;
  path?: string;
  /** Of PUBLIC_URL: there are passkeys only with a name, "localhost". */
  host?: "127.0.0.1" | "localhost";
  now?: () => Date;
  database?: Database;
  typeface?: Typeface | undefined;
  /** With SMTP_URL. */
  mailTimes?: typeof TIMES;
  log?: Log;
} = {}): Promise<Running> {
  passwordsCost("little");
  let provider: OidcProvider | undefined;
  const server: Server = createServer((request, response) => provider?.callback(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://${host}:${portOf(server)}${path}`;
  const config = readConfig({ PUBLIC_URL: url, ...variables });
  const database = given ?? (await openMigrated());
  const mail = await startMail({ config, database, log, ...(mailTimes && { times: mailTimes }) });
  const start = () =>
    createProvider({ config, database, log, typeface, mail: mail?.post, ...(now && { now }) });
  const first = await start();
  provider = first;
  return {
    url,
    config,
    database,
    provider: first,
    async restart() {
      provider = undefined;
      provider = await start();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mail?.stop();
      if (!given) await database.close();
    },
  };
}
