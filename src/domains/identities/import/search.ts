import type { Address } from "~/frame/scope/address";

import { KINDS, type KindName } from "./kinds";
import { isKeyOf } from "~/ui/keys";

export interface ImportSearch {
  readonly kind?: KindName | undefined;
}

export const readImportSearch = ({ kind }: Address): ImportSearch =>
  typeof kind === "string" && isKeyOf(KINDS, kind) ? { kind } : {};
