import type { ScimFields } from "./values";

/** The fields that an entry of the log tells of: who they are and whether they can sign in. */
const LOGGED = ["userName", "displayName", "externalId", "active"];

/** What a write changed, as JSON texts; `members` is how many came and went. */
export function changesOf(before: ScimFields | undefined, after: ScimFields | undefined, members?: number) {
  const textOf = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value).slice(0, 500));
  const changes = LOGGED.flatMap((field) => {
    const [was, is] = [textOf(before?.[field]), textOf(after?.[field])];
    if (was === is) return [];
    return [{ field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
  return members ? [...changes, { field: "membersChanged", after: String(members) }] : changes;
}
