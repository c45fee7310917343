import { acceptAccess, listOffers } from "platform-contract/iam/offers";

import { isRootLevel } from "../../platform/access/caller";
import { Failure } from "../../status";
import { acceptOffer, offersTo } from "./memberships.table";
import { personUid } from "../../platform/store/uids";
import type { Handler } from "../../platform/standard/call";
import { nameOf } from "../organization/groups.table";
import { logged } from "./group-entries";
import { isPersonHere } from "./people-here";
import type { Context } from "../../platform/standard/rules";

const accept =
  (context: Context): Handler =>
  async (call) => {
    const { caller, path } = call;
    const { uid } = path;
    const accepted = await logged(context, call, uid, async (queries) => {
      const identity = personUid(caller.issuer, caller.subject);
      const isOne = isPersonHere(context, caller) && isRootLevel(uid);
      return isOne && (await acceptOffer(queries, uid, identity)) ? nameOf(queries, uid) : undefined;
    });
    if (accepted === undefined)
      throw new Failure("NOT_FOUND", `Not found: ${uid} offers you no access that waits for your answer`);
    return {};
  };

export const offerHandlers = (context: Context): Map<string, Handler> =>
  new Map<string, Handler>([
    [
      listOffers.id,
      async ({ caller }) => ({
        offers: isPersonHere(context, caller)
          ? await offersTo(context.database, personUid(caller.issuer, caller.subject))
          : [],
      }),
    ],
    [acceptAccess.id, accept(context)],
  ]);
