import { ping } from "~/contract/ping/ping";

import type { Config } from "../config";
import type { Database } from "../store/database";
import { pageTokens } from "../store/page-tokens";
import type { Handler } from "./call";
import { groupHandlers } from "./groups";
import { identityHandlers } from "./identities";
import { imageHandlers } from "./images";
import { repoHandlers } from "./repos";
import { roleBindingHandlers } from "./role-bindings";
import { roleHandlers } from "./roles";
import type { Context } from "./rules";
import { tagHandlers } from "./tags";

/** The handler of every endpoint of the contract, by endpoint id. The database is migrated and has the built-in roles. */
export function createHandlers({
  config,
  database,
}: {
  config: Config;
  database: Database;
}): ReadonlyMap<string, Handler> {
  const context: Context = { config, database, tokens: pageTokens(database, config.pageTokenTtl) };
  return new Map([
    ...groupHandlers(context),
    ...identityHandlers(context),
    ...roleHandlers(context),
    ...roleBindingHandlers(context),
    ...repoHandlers(context),
    ...tagHandlers(context),
    ...imageHandlers(context),
    [ping.id, async () => ({ response: "pong" })],
  ]);
}
