import { advisories } from "~/contract/vulnerabilities/advisories";

import { advisoriesTable } from "../store/advisories";
import type { Handler } from "./call";
import type { Context } from "./rules";
import { standardHandlers } from "./standard";

/** Read-only (contract 1.13). */
export const advisoryHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, { resource: advisories, table: advisoriesTable, columns: () => ({}) });
