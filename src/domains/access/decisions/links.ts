import { uidToParam } from "~/frame/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

import type { DecisionSearch } from "./data";

/** Links to the answer, as far as the question is known: uids as they are. */
export const decisionPage = ({ identity, act, on }: DecisionSearch): LinkTarget => ({
  to: "/can",
  search: {
    ...(identity !== undefined && { identity: uidToParam(identity) }),
    ...(act !== undefined && { act }),
    ...(on !== undefined && { on: uidToParam(on) }),
  },
});
