import type { Address } from "~/frame/scope/address";

export const TITLE = "API explorer";

/** Search parameters of the explorer. */
export interface ExplorerSearch {
  /** Id of the operation on display. */
  readonly op?: string | undefined;
  /** What the list of operations is searched for. */
  readonly find?: string | undefined;
}

const known = (value: unknown): value is string => typeof value === "string" && value !== "";

export const readExplorerSearch = ({ op, find }: Address): ExplorerSearch => ({
  ...(known(op) && { op }),
  ...(known(find) && { find }),
});
