import { Ground } from "../../conformance/ground";
import type { Person, Wire, World } from "../../conformance/world";

export type Fresh = () => Promise<Wire[]>;

/** A ground, and its organization's entries since the last call, as its owner sees them. */
export async function openLogged() {
  const ground = await Ground.open();
  const { world, owner, organization, folder } = ground;
  return { ground, world, owner, organization, folder, fresh: freshEntries(world, owner, organization) };
}

/** Returns the entries of an organization since the last call, oldest first, as one of its people sees them. */
export function freshEntries(world: World, by: Person, organization: string): Fresh {
  let last = 0;
  return async () => {
    const query = { "uidp.descendants_of": organization, page_size: "200" };
    const found: Wire[] = [];
    let token: string | undefined;
    do {
      const more = token === undefined ? {} : { page_token: token };
      const page = await world.make(by, "auditEntries.list", { query: { ...query, ...more } });
      found.push(...page["auditEntries"]);
      token = page["nextPageToken"];
    } while (token !== undefined && Number(found.at(-1)?.["sequence"]) > last);
    const fresh = found.filter(({ sequence }) => Number(sequence) > last);
    last = Math.max(last, ...fresh.map(({ sequence }) => Number(sequence)));
    return fresh.toSorted((a, b) => Number(a["sequence"]) - Number(b["sequence"]));
  };
}
