import type { QueryClient } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { scan as makeScan, type Found, type Scan } from "~/api/paging/scan";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { totalOf } from "platform-client/wire";
import { ancestorsOf, isWithin, PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";
import { listTermsAcceptances, terms, type TermsDocument } from "platform-contract/iam/terms";
import { advisories } from "platform-contract/vulnerabilities/advisories";
import { EVENT_TYPES, type EventType } from "platform-contract/vulnerabilities/events";
import { EVENT_WORDS } from "~/domains/vulnerabilities/advisories/words";
import { scopeQuery, type Scope } from "~/frame/scope/scope";
import { uidToParam } from "~/frame/scope/uid-param";
import type { Item, Screens } from "~/frame/define";
import { identityUidOf, isOfMachine } from "~/domains/access/grants/bindings";
import { reaches } from "~/domains/access/grants/reach";
import { groupInviteScreens } from "~/domains/access/group-invites/data";
import { identityScreens } from "~/domains/identities/identities/data";
import { repoScreens } from "~/domains/registry/repos/data";
import { roleBindingScreens } from "~/domains/access/role-bindings/data";
import { readStillPulled } from "~/domains/registry/usage/queries";
import { tagScreens } from "~/domains/registry/tags/data";

import { SOON_READ, type LineName, type Part, type CheckReading } from "./attention-lines";

/** What a check may cost: the records to read in this run, and the groups whose accepted terms to request, one request each. */
const COST = {
  /** All checks together send at most 12 requests, one more with a registry, and what ends one at once. */
  arrival: { records: PAGE_SIZE_MAX, groups: 1 },
  /** The same, for a list that is known to have changed: what has been read of it is no answer. */
  changed: { records: PAGE_SIZE_MAX, groups: 1 },
  /** Follows by itself what ends soon. */
  rest: { records: SOON_READ, groups: 25 },
  press: { records: 10_000, groups: 25 },
  more: { records: 10_000, groups: 25 },
} as const;

/** What is read on arrival to the end, since it ends at once: another page of a list, or these groups. */
const AT_ONCE = { records: 2 * PAGE_SIZE_MAX, groups: 10 } as const;

export interface HomeCheck {
  readonly client: QueryClient;
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
  /** Ends the check; its result is what was found by then. */
  readonly signal: AbortSignal;
  /** The home page was opened, `rest` follows that by itself, or a button was pressed; `more` continues after what was read, if the scan is still cached. */
  readonly how: keyof typeof COST;
  readonly tell: (reading: CheckReading) => void;
}

type Run = (check: HomeCheck) => Promise<CheckReading>;

const scopeOf = ({ group }: HomeCheck): Scope => ({ group, reach: "below" });

/**
 * Scans a list with a filter that the service lacks. Shares the cached scan of the list screen with the same filter, so
 * following the link doesn't request the same records again.
 */
async function scanned<T extends Item, I>(
  check: HomeCheck,
  screens: Screens<T, I>,
  search: Readonly<Record<string, string>>,
): Promise<CheckReading> {
  const { client, signal, how, tell } = check;
  const view = screens.readList(search);
  const { matches, whole: list, words } = screens.resolve(scopeOf(check), view);
  if (!matches) throw new Error("The service itself has this filter");
  const key = [list.queryKey[0], "scan", list.queryKey[2], words.join(", ")];
  const held = client.getQueryData<Scan<T>>(key);
  const scan = held ?? makeScan(list, matches, retryPolicyOf(client));
  const before = scan.get();
  // On arrival, what a list has read is as good as reading it again.
  if (how === "press" || how === "changed" || (how === "arrival" && before.outdated)) scan.restart();
  client.setQueryData(key, scan);
  const reading = ({ rows, old, read, total, state }: Found<T>): CheckReading => ({
    parts: [{ count: old ? 0 : rows.length, search }],
    read,
    total,
    complete: state === "done",
  });
  const leave = scan.subscribe(() => tell(reading(scan.get())));
  const most = COST[how].records + (how === "more" ? before.read : 0);
  try {
    await scan.run(signal, most);
    const { state, total = Infinity } = scan.get();
    if ((how === "arrival" || how === "changed") && state !== "done" && total <= AT_ONCE.records)
      await scan.run(signal, AT_ONCE.records);
  } finally {
    leave();
  }
  const found = scan.get();
  if (found.state === "failed") throw found.error;
  return reading(found);
}

/** Latest events of advisories that affect something and are not fixed (VEX: affected). */
const UNFIXED = [
  "truePositiveDetermination",
  "pendingUpstreamFix",
  "fixNotPlanned",
] as const satisfies EventType[];

/** The service can count these. What is recorded above a folder applies in it, too. */
const withoutFix: Run = async (check) => {
  const { group, signal } = check;
  const above = group === undefined ? [] : ancestorsOf(group);
  const scopes = [scopeOf(check), ...above.map((each): Scope => ({ group: each, reach: "here" }))];
  const counted = await Promise.all(
    scopes.flatMap((scope) =>
      UNFIXED.map(async (latest): Promise<Part> => {
        const query = { ...scopeQuery(scope), latestEventType: EVENT_TYPES[latest], page_size: 1 };
        const total = totalOf(await call(advisories.list, { query, signal }));
        if (total === undefined) throw new Error("The service doesn't count advisories.");
        const words = EVENT_WORDS[latest].toLowerCase();
        return scope.reach === "below"
          ? { count: Number(total), search: { latest }, label: words }
          : { count: Number(total), search: { latest, ...at(scope) }, label: `${words} further up` };
      }),
    ),
  );
  const parts = counted.filter(({ count }) => count > 0);
  const read = parts.reduce((sum, { count }) => sum + count, 0);
  return { parts, read, total: read, complete: true };
};

/** A list of what lies directly in a group, in an address. */
const at = ({ group = "" }: Partial<Scope>) => ({ group: uidToParam(group), reach: "here" }) as const;

/** Checks each document in force in the scope where it applies: at its own group, or at the scope if that is below. */
const notAccepted: Run = async (check) => {
  const { group, signal, how } = check;
  const read = async (scope: object) => {
    const query = { ...scope, order_by: "name", page_size: PAGE_SIZE_MAX };
    return call(terms.list, { query, signal });
  };
  // On arrival in one request: those of all groups are few, as a rule.
  const once = group === undefined || how === "arrival" || how === "changed";
  const scopes = once ? [{}] : [scopeQuery(scopeOf(check)), { "uidp.ancestors_of": group }];
  const pages = await Promise.all(scopes.map(read));
  const applies = ({ uid }: TermsDocument): boolean =>
    group === undefined || isWithin(group, parentOf(uid)) || isWithin(parentOf(uid), group);
  const found = pages.flatMap(({ items }) => items).filter(applies);
  const documents = [...new Map(found.map((one) => [one.uid, one])).values()];
  const placeOf = ({ uid }: TermsDocument): string =>
    group !== undefined && isWithin(group, parentOf(uid)) ? group : parentOf(uid);
  const places = [...new Set(documents.map(placeOf))];
  const accepted = new Map(
    await Promise.all(
      places
        .slice(0, places.length <= AT_ONCE.groups ? AT_ONCE.groups : COST[how].groups)
        .map(async (uid) => {
          const query = { page_size: PAGE_SIZE_MAX };
          const { items } = await call(listTermsAcceptances, { path: { uid }, query, signal });
          return [uid, new Set(items.map(({ docId }) => docId))] as const;
        }),
    ),
  );
  const asked = documents.filter((document) => accepted.has(placeOf(document)));
  const missing = asked.filter((document) => !accepted.get(placeOf(document))?.has(document.name));
  const more = pages.some(({ nextPageToken }) => nextPageToken !== undefined);
  return {
    parts: missing.map(({ uid, name }) => ({
      count: 1,
      label: name,
      search: { name, ...at({ group: parentOf(uid) }) },
    })),
    read: asked.length,
    total: more ? undefined : documents.length,
    complete: asked.length === documents.length && !more,
  };
};

/** Finds the built-in owner role by its missing parent. */
const machineOwners: Run = async (check) => {
  const { items } = await call(roles.list, {
    query: { name: "owner", page_size: PAGE_SIZE_MAX },
    signal: check.signal,
  });
  const owner = items.find(({ uid }) => parentOf(uid) === "");
  if (!owner) throw new Error("The owner role couldn't be found.");
  const search = { role: uidToParam(owner.uid), kind: "machine" } as const;
  const [below, above] = await Promise.all([
    scanned(check, roleBindingScreens, search),
    ownersAbove(check, owner.uid, search),
  ]);
  if (above.parts.length === 0) return { ...below, complete: below.complete && above.complete };
  const own = below.parts.filter(({ count }) => count > 0);
  return {
    ...below,
    parts: [...own.map((part) => ({ ...part, label: "granted here or below" })), ...above.parts],
    complete: below.complete && above.complete,
  };
};

/** The machines that own a folder by a grant further up, by the group of the grant. */
async function ownersAbove(
  { group = "", signal }: HomeCheck,
  role: string,
  search: Part["search"],
): Promise<Pick<CheckReading, "parts" | "complete">> {
  if (parentOf(group) === "") return { parts: [], complete: true };
  const query = { "uidp.ancestors_of": parentOf(group), role, page_size: PAGE_SIZE_MAX };
  const { items, nextPageToken } = await call(roleBindings.list, { query, signal });
  const counting = items.filter((one) => isOfMachine(one) && reaches(identityUidOf(one), group));
  const parts = [...new Set(counting.map(({ uid }) => parentOf(uid)))].map((place): Part => {
    const bindings = counting.filter(({ uid }) => parentOf(uid) === place);
    return {
      count: bindings.length,
      search: { ...search, ...at({ group: place }) },
      label: `granted in ${bindings[0]?.group?.name ?? "a folder further up"}`,
    };
  });
  return { parts, complete: nextPageToken === undefined };
}

/** The service answers at once, for however many tags. */
const stillPulledTags: Run = async ({ group, signal }) => {
  const { length } = await readStillPulled(group, signal);
  const parts = length > 0 ? [{ count: length, search: { pulled: "yes" } }] : [];
  return { parts, read: length, total: length, complete: true };
};

const CHECKS: Readonly<Record<LineName, Run>> = {
  deprecated: (check) => scanned(check, tagScreens, { deprecated: "yes" }),
  pulled: stillPulledTags,
  advisories: withoutFix,
  unused: (check) => scanned(check, identityScreens, { seen: "never" }),
  keys: (check) => scanned(check, identityScreens, { kind: "keys", keys: "expiring" }),
  invites: (check) => scanned(check, groupInviteScreens, { state: "expiring" }),
  terms: notAccepted,
  owners: machineOwners,
  syncs: (check) => scanned(check, repoScreens, { sync: "stopping" }),
};

/** Limits checks to two in parallel: each also prefetches its next page while it filters one. */
const limited = limiter(2);

/** Runs one check. Rejects with the reason of `signal` if aborted before anything was read, or with the read error. */
export const runCheck = (name: LineName, check: HomeCheck): Promise<CheckReading> =>
  limited(() => CHECKS[name](check), check.signal);
