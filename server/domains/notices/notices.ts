import { parentOf, parseOrder } from "platform-contract/aip";
import {
  getNoticeSettings,
  listMachineOwners,
  MOST_ENDINGS,
  NOTICE_DAYS,
  ownEndings,
  setMachineOwner,
  updateNoticeSettings,
} from "platform-contract/iam/notices";

import { visibleGroups, type Caller } from "../../platform/access/caller";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { listPage } from "../../platform/store/lists/lists";
import { readItem } from "../../platform/store/table";
import { Failure, invalidArgument } from "../../status";
import { isPersonHere } from "../access/people-here";
import { ensurePerson } from "../access/people.table";
import { DAY_MS, endingOf, noticeSettings, storeSettings } from "./endings.table";
import { isMember, lockMachine, machineOwnersTable, storeOwner } from "./machine-owners.table";

const personOf = (context: Context, caller: Caller): string | undefined =>
  isPersonHere(context, caller) && !caller.pending ? caller.identities[0] : undefined;

const nobody = (): Failure => new Failure("NOT_FOUND", "Not found: only people get mail about what ends");

async function settingsOf({ config }: Context, queries: Queries, person: string) {
  const row = await noticeSettings(queries, person);
  const paused = row?.paused_until && row.paused_until > now() ? row.paused_until : undefined;
  return withoutUnset({
    mutedTopics: [...(row?.muted ?? [])],
    pauseEndTime: paused?.toISOString(),
    email: row?.email ?? undefined,
    ...(config.mail && config.endingMails && { sendsMail: true }),
  });
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const set =
  (context: Context): Handler =>
  (call) => {
    const { uid } = call.path;
    let name = "";
    let changes: readonly { readonly field: string; readonly before?: string; readonly after?: string }[] =
      [];
    let names: Readonly<Record<string, string>> = {};
    return write(
      context.database,
      call,
      async (queries) => {
        const { ownerUid = "" } = validate(setMachineOwner.body!, withoutUnset(call.body), []);
        const machine = await lockMachine(queries, uid);
        if (!machine) throw notFoundError(context, { area: "iam", type: "Identity" }, uid);
        if (ownerUid !== "" && !(await isMember(queries, ownerUid, machine.parent)))
          throw invalidArgument([
            {
              field: "ownerUid",
              description: "must be the uid of a person with a role in this organization",
            },
          ]);
        ({ name } = machine);
        const before = await readItem(queries, machineOwnersTable, uid);
        await storeOwner(queries, uid, machine.parent, ownerUid);
        const stored = await readItem(queries, machineOwnersTable, uid);
        const owners = [before, stored].map((item) => ({
          uid: textOf(item?.["ownerUid"]),
          name: textOf(item?.["ownerName"]) ?? "",
        }));
        const [was, is] = owners.map((owner) => owner.uid);
        changes =
          was === is
            ? []
            : [
                {
                  field: "ownerUid",
                  ...(was !== undefined && { before: JSON.stringify(was) }),
                  ...(is !== undefined && { after: JSON.stringify(is) }),
                },
              ];
        names = Object.fromEntries(owners.flatMap((owner) => (owner.uid ? [[owner.uid, owner.name]] : [])));
        return withoutUnset(stored ?? { uid, name, groupUid: machine.parent });
      },
      () => ({
        action: setMachineOwner.id,
        kind: "identities",
        uid,
        group: parentOf(uid),
        name,
        changes,
        names,
      }),
    );
  };

/** What ends soon, who answers for machines, and what people want mail about. */
export function noticeHandlers(context: Context): Map<string, Handler> {
  const { database, tokens } = context;
  return new Map<string, Handler>([
    [
      ownEndings.id,
      async ({ caller }) => {
        const person = personOf(context, caller);
        const until = new Date(now().getTime() + NOTICE_DAYS[0] * DAY_MS);
        const found = person ? await endingOf(database, person, until, MOST_ENDINGS + 1) : [];
        return {
          endings: found.slice(0, MOST_ENDINGS).map((one) =>
            withoutUnset({
              topic: one.topic,
              uid: one.uid,
              name: one.name,
              identityName: one.identity_name ?? undefined,
              groupUid: one.parent,
              groupName: one.group_name,
              endTime: one.ends.toISOString(),
              latestEndTime: one.latest?.toISOString(),
            }),
          ),
          ...(found.length > MOST_ENDINGS && { more: true }),
        };
      },
    ],
    [
      getNoticeSettings.id,
      async ({ caller }) => {
        const person = personOf(context, caller);
        if (person === undefined) throw nobody();
        return settingsOf(context, database, person);
      },
    ],
    [
      updateNoticeSettings.id,
      (call) => {
        const { caller } = call;
        if (personOf(context, caller) === undefined) throw nobody();
        return write(database, call, async (queries) => {
          const { mutedTopics = [], pauseEndTime } = validate(
            updateNoticeSettings.body!,
            withoutUnset(call.body),
            [],
          );
          if (pauseEndTime !== undefined && new Date(pauseEndTime) <= now())
            throw invalidArgument([{ field: "pauseEndTime", description: "must be in the future" }]);
          const person = await ensurePerson(queries, caller.issuer, caller.subject);
          await storeSettings(queries, person, {
            muted: [...new Set(mutedTopics)],
            pausedUntil: pauseEndTime === undefined ? null : new Date(pauseEndTime),
          });
          return settingsOf(context, queries, person);
        });
      },
    ],
    [
      listMachineOwners.id,
      async ({ caller, query }) => {
        const { items, ...rest } = await listPage(database, machineOwnersTable, tokens, {
          list: listMachineOwners.id,
          caller: caller.key,
          query,
          order: parseOrder(String(query["order_by"] ?? ""), ["uid", "updated_at"]) ?? {
            field: "uid",
            descending: false,
          },
          visibility: {
            groups: visibleGroups(caller, listMachineOwners.access.needs[0] ?? "", query),
            rootLevel: undefined,
          },
        });
        return { machineOwners: items.map((item) => withoutUnset(item)), ...rest };
      },
    ],
    [setMachineOwner.id, set(context)],
  ]);
}
