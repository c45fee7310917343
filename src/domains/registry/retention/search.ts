import { isUidParam, type Address } from "~/frame/scope/address";

export interface RetentionSearch {
  /** uid of the repo, with `_` for `/`; otherwise the rules are of the scope. */
  readonly repo?: string | undefined;
}

export const readRetentionSearch = ({ repo }: Address): RetentionSearch => (isUidParam(repo) ? { repo } : {});
