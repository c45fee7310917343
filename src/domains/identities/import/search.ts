import type { Address } from "~/frame/scope/address";

import { KINDS, type KindName } from "./kinds";

export interface ImportSearch {
  readonly kind?: KindName | undefined;
}

export const readImportSearch = ({ kind }: Address): ImportSearch =>
  typeof kind === "string" && Object.hasOwn(KINDS, kind) ? { kind: kind as KindName } : {};
