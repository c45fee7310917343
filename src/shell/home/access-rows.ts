import type { Endpoint } from "platform-contract/endpoint";
import { kinds } from "platform-contract/kinds";
import { capitalize } from "~/ui/display/capitalize";

export type Guarded = Pick<Endpoint, "access">;

export const VERBS = ["list", "create", "update", "delete"] as const;

/** Rows of the permission table on the overview. */
export const ACCESS_ROWS: readonly {
  readonly label: string;
  readonly methods: Readonly<Partial<Record<(typeof VERBS)[number], Guarded>>>;
}[] = kinds.map(({ plural, access, replaces }) => {
  const all = { ...access, update: access.update ?? (replaces && access.create) };
  return {
    label: capitalize(plural),
    methods: Object.fromEntries(VERBS.flatMap((verb) => (all[verb] ? [[verb, { access: all[verb] }]] : []))),
  };
});
