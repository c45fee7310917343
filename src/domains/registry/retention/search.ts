import { isUidParam, type Address } from "~/frame/scope/address";

export interface RetentionSearch {
  /** uid of the repo, with `_` for `/`; otherwise the rules are of the scope. */
  readonly repo?: string | undefined;
  /** uid of a run, likewise: its report. */
  readonly run?: string | undefined;
}

export const readRetentionSearch = ({ repo, run }: Address): RetentionSearch => ({
  ...(isUidParam(repo) && { repo }),
  ...(isUidParam(run) && { run }),
});
