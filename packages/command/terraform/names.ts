import { by } from "platform-contract/order";

/** A record that needs a name. */
export interface Named {
  readonly uid: string;
  readonly createTime?: unknown;
  /** What it is called, by anybody. */
  readonly called: string;
}

const LONGEST = 60;

/** A text as a name of HCL: lowercase letters, digits and underscores, no digit first. "" if nothing is left of it. */
const slugOf = (text: string): string =>
  (
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  )
    .join("_")
    .slice(0, LONGEST)
    .replace(/^(?=\d)/, "_");

/**
 * A name for each record by its uid. The oldest record of a name has it plain, later ones with the end of their uid: what is
 * made later renames nothing.
 */
export function localNames(records: readonly Named[], noun: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  const sorted = records.toSorted(
    by(
      ({ createTime }) => (typeof createTime === "string" ? createTime : ""),
      ({ uid }) => uid,
    ),
  );
  const later: { uid: string; name: string }[] = [];
  for (const { uid, called } of sorted) {
    const name = slugOf(called) || slugOf(noun);
    if (taken.has(name)) later.push({ uid, name });
    else found.set(uid, name);
    taken.add(name);
  }
  for (const { uid, name } of later) {
    // A plain name can end like that too.
    let own = `${name}_${uid.slice(-8)}`;
    while (taken.has(own)) own = `${own}_`;
    taken.add(own);
    found.set(uid, own);
  }
  return found;
}
