import type { Address } from "~/frame/scope/address";

export interface MigrateSearch {
  /** The second step; otherwise the first. */
  readonly step?: "retire" | undefined;
}

export const readMigrateSearch = ({ step }: Address): MigrateSearch =>
  step === "retire" ? { step: "retire" } : {};
