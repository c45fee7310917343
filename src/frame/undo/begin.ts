import { currentUserQuery } from "~/frame/permissions/read-current-user";
import { can } from "~/frame/permissions/rules";
import type { DeletableCollection } from "~/api/bulk/deletion";
import { isDown } from "~/api/client/connection";
import { total } from "~/api/queries/queries";
import { ownerOf, type Person } from "~/auth/session";
import { totalOf } from "platform-client/wire";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import { readPreference } from "~/ui/preferences";

import { ASK_FIRST } from "./ask-first";
import { deletions, targetOf, type UndoContext } from "./deletions";

export { restoreDeletions, sendDeletions } from "./deletions";

/** A list of records that a deletion would affect. */
export interface Dependents {
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<unknown>>;
  readonly query: ListQuery & Readonly<Record<string, unknown>>;
}

/** What else decides about a deletion. */
export interface BeforeDeletion {
  /** True if the user has to confirm, whatever depends on the record. */
  readonly asks: boolean;
  /** Its name and where it is, if the name alone doesn't tell: "latest of postgres". */
  readonly called?: string | undefined;
}

interface Beginning extends Pick<UndoContext, "client"> {
  readonly person: Person;
  readonly dependents: readonly Dependents[];
  readonly before?: (() => Promise<BeforeDeletion>) | undefined;
}

/** Milliseconds to find out that nothing depends on a record; after that, a dialog asks. */
const COUNT_TIMEOUT_MS = 2000;

/**
 * Starts deleting a record without dependents; it can be undone for six seconds. Returns false, without starting, if
 * the user has to confirm first: it may have dependents, the service is unreachable, or the user prefers to.
 */
export async function beginDeletion(
  { client, person, dependents, before }: Beginning,
  resource: DeletableCollection & { readonly noun: string },
  record: { readonly uid: string; readonly name: string },
): Promise<boolean> {
  if (isDown() || readPreference(ASK_FIRST) !== null) return false;
  const who = client.getQueryData(currentUserQuery(person).queryKey);
  const isFree = async ({ list, query }: Dependents): Promise<boolean> => {
    // Counts omit records that the user cannot list.
    if (who?.state !== "known" || !can(who, list, record.uid).allowed) return false;
    // The entire response: `select` only applies in components.
    const answer = await client.fetchQuery({ ...total(list, query), staleTime: 0, retry: false });
    return Number(totalOf(answer)) === 0;
  };
  // The requests continue after the timeout: the dialog shows the same counts.
  const late = new Promise<[BeforeDeletion]>((resolve) =>
    setTimeout(resolve, COUNT_TIMEOUT_MS, [{ asks: true }]),
  );
  const unasked: BeforeDeletion = { asks: false };
  const found = Promise.all([before?.() ?? unasked, ...dependents.map(isFree)] as const);
  const [{ asks, called = record.name }, ...free] = await Promise.race([found, late]);
  if (asks || !free.every(Boolean)) return false;
  deletions({ client, owner: ownerOf(person) }).add(targetOf(resource, { uid: record.uid, name: called }));
  return true;
}
