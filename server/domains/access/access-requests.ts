import { parentOf, parseOrder } from "platform-contract/aip";
import {
  checkEligibility,
  declineAccessRequest,
  DECIDES,
  listAccessRequests,
  lookupGroup,
  ownAccessRequests,
  requestGroupAccess,
} from "platform-contract/iam/access-requests";
import { groups } from "platform-contract/iam/groups";

import { visibleGroups, type Caller } from "../../platform/access/caller";
import { Failure } from "../../status";
import { listPage } from "../../platform/store/lists/lists";
import {
  accessRequestsTable,
  declineRequest,
  requestsOf,
  secondsToAsk,
  storeRequest,
} from "./access-requests.table";
import { lockPerson } from "../identities/identities.table";
import { verifiedDomainOf } from "../federation/identity-providers.table";
import { groupsTable, nameOf } from "../organization/groups.table";
import { ensurePerson } from "./people.table";
import { readItem } from "../../platform/store/table";
import { recordAccepted } from "./memberships.table";
import { logged } from "./group-entries";
import { isPersonHere } from "./people-here";
import type { Handler } from "../../platform/standard/call";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { toAnswer } from "../../platform/standard/standard";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

/** The same for all who cannot: no such organization, another provider, no verified email. */
const nothing = (): Failure =>
  new Failure("NOT_FOUND", "Not found: there is no organization for this account");

const isAsker = (context: Context, caller: Caller): boolean =>
  isPersonHere(context, caller) && !caller.pending;

async function organizationOf({ database }: Context, caller: Caller) {
  const found = await verifiedDomainOf(database, caller.subject);
  const group = found && (await readItem(database, groupsTable, found.organization));
  return group && group["verified"] === true && group["name"] === found.domain ? group : undefined;
}

const ask =
  (context: Context): Handler =>
  async (call) => {
    const { caller, path, body } = call;
    if (!isAsker(context, caller)) throw nothing();
    const { message = "" } = validate(requestGroupAccess.body!, withoutUnset(body), []);
    const group = path.uid;
    await logged(context, call, group, async (queries) => {
      const identity = await ensurePerson(queries, caller.issuer, caller.subject);
      // Two presses at once are one request.
      await lockPerson(queries, identity);
      const wait = await secondsToAsk(queries, identity, group);
      if (wait > 0)
        throw new Failure(
          "RESOURCE_EXHAUSTED",
          "Resource exhausted: you asked for this already, wait a day",
          [],
          {
            retryAfter: wait,
          },
        );
      await storeRequest(queries, { identity, group, message });
      const known = await nameOf(queries, group);
      // Asking is consent: whoever left the organization can be given a role again.
      if (known !== undefined) await recordAccepted(queries, group, identity);
      return known;
    });
    return {};
  };

const decline =
  (context: Context): Handler =>
  async (call) => {
    const { uid } = call.path;
    const { reason } = validate(declineAccessRequest.body!, withoutUnset(call.body), []);
    const group = parentOf(uid);
    const found = await logged(context, call, group, async (queries) =>
      (await declineRequest(queries, uid, { reason, by: call.caller.identities[0] })) === undefined
        ? undefined
        : nameOf(queries, group),
    );
    if (found === undefined) throw notFoundError(context, { area: "iam", type: "AccessRequest" }, uid);
    return {};
  };

export function accessRequestHandlers(context: Context): Map<string, Handler> {
  const { database, tokens } = context;

  const list: Handler = async ({ caller, query }) => {
    const { items, ...rest } = await listPage(database, accessRequestsTable, tokens, {
      list: listAccessRequests.id,
      caller: caller.key,
      query,
      order: parseOrder(String(query["order_by"] ?? ""), ["created_at", "uid"]) ?? {
        field: "created_at",
        descending: false,
      },
      visibility: { groups: visibleGroups(caller, DECIDES[0], query) },
    });
    return { accessRequests: items.map((item) => withoutUnset(item)), ...rest };
  };

  return new Map<string, Handler>([
    [listAccessRequests.id, list],
    [requestGroupAccess.id, ask(context)],
    [declineAccessRequest.id, decline(context)],
    [
      ownAccessRequests.id,
      async ({ caller }) => ({
        accessRequests: isAsker(context, caller)
          ? await requestsOf(database, caller.identities[0] ?? "")
          : [],
      }),
    ],
    [
      lookupGroup.id,
      async ({ caller }) => {
        const group = isAsker(context, caller) ? await organizationOf(context, caller) : undefined;
        if (!group) throw nothing();
        return { group: toAnswer(groups, group) };
      },
    ],
    [
      checkEligibility.id,
      async ({ caller }) => ({
        eligible:
          isAsker(context, caller) && (await verifiedDomainOf(database, caller.subject)) !== undefined,
      }),
    ],
  ]);
}
