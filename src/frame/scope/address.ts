import { isUid } from "platform-contract/aip";

import { paramToUid } from "./uid-param";

/** The raw search parameters of an address: the user can type anything there. */
export type Address = Readonly<Record<string, unknown>>;

/** Returns the open drawer, if it is one of these. */
export function readDrawer<const D extends string>(
  { drawer }: Address,
  drawers: readonly D[],
): { drawer?: D } {
  const known = drawers.find((candidate) => candidate === drawer);
  return known === undefined ? {} : { drawer: known };
}

/** Returns those of the named parameters that are text and not blank. */
export const readTexts = <const N extends string>(
  address: Address,
  names: readonly N[],
): { [name in N]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = address[name];
      return typeof text === "string" && text.trim() !== "" ? [[name, text]] : [];
    }),
  ) as { [name in N]?: string };

export const isUidParam = (value: unknown): value is string =>
  typeof value === "string" && isUid(paramToUid(value));
