import { groups } from "platform-contract/iam/groups";
import { signSnapshot } from "platform-contract/snapshots/signatures";

import { signDigest } from "../../platform/store/keys/snapshot-key";
import { nameOf } from "../organization/groups.table";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

const sign =
  (context: Context): Handler =>
  (call) => {
    const { database, config } = context;
    const { uid } = call.path;
    const { digest } = validate(signSnapshot.body!, withoutUnset(call.body), []);
    let name: string | undefined;
    return write(
      database,
      call,
      async (queries) => {
        name = await nameOf(queries, uid);
        if (name === undefined) throw notFoundError(context, groups, uid);
        const by = call.caller.identities[0] ?? "";
        const signature = await signDigest(queries, config.publicUrl, { group: uid, digest, by });
        return { signature };
      },
      // Nothing for an answer that is given again.
      () =>
        name === undefined
          ? undefined
          : {
              action: signSnapshot.id,
              kind: groups.collection,
              uid,
              group: uid,
              name,
              facts: [{ field: "digest", after: JSON.stringify(digest) }],
            },
    );
  };

export const snapshotHandlers = (context: Context): Map<string, Handler> =>
  new Map([[signSnapshot.id, sign(context)]]);
