import { listDocuments } from "platform-contract/advisory/documents";

import { visibleGroups } from "../../platform/access/caller";
import { keyedPage } from "../../platform/store/lists/keyed-pages";
import { PAGE_BYTES } from "../../platform/store/lists/list-rows";
import { advisoryOrder } from "./advisory-order";
import { originsOf, readDocuments } from "./documents.table";
import { Parameters } from "../../platform/store/sql";
import type { Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";

/** Packages to read per query: one can have thousands of advisories. */
const AT_ONCE = 20;

/** The caller's advisories by origin package. A page ends early when it reaches PAGE_BYTES. */
export const documentHandlers = ({ database, tokens }: Context): Map<string, Handler> =>
  new Map([
    [
      listDocuments.id,
      async ({ caller, query }) => {
        const asked = { query, visibility: { groups: visibleGroups(caller, "CAP_ADVISORIES_LIST") } };
        const order = advisoryOrder(query);
        const { keys, next, ...rest } = await keyedPage(database, tokens, {
          list: listDocuments.id,
          caller: caller.key,
          query,
          order,
          value: order.field === "id" ? undefined : "timestamptz",
          keys: (bind) => originsOf(asked, order.field, bind),
        });
        const documents: unknown[] = [];
        let [taken, bytes] = [0, 0];
        while (taken < keys.length && bytes < PAGE_BYTES) {
          const some = keys.slice(taken, taken + AT_ONCE);
          const found = await readDocuments(database, asked, some, new Parameters());
          documents.push(...found);
          taken += some.length;
          bytes += Buffer.byteLength(JSON.stringify(found));
        }
        return { documents, ...rest, nextPageToken: await next(taken) };
      },
    ],
  ]);
