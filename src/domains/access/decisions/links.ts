import { isPerson } from "~/frame/scope/people";
import { uidToParam } from "~/frame/scope/uid-param";
import { parentOf } from "platform-contract/aip";
import type { LinkTarget } from "~/ui/layout/link";

import type { DecisionSearch } from "./data";

/** Links to the answer, as far as the question is known: uids as they are. About a machine, it starts in its folder. */
export const decisionPage = ({ identity, act, on }: DecisionSearch): LinkTarget => ({
  to: "/can",
  search: {
    ...(identity !== undefined && { identity: uidToParam(identity) }),
    ...(identity !== undefined && !isPerson(identity) && { group: uidToParam(parentOf(identity)) }),
    ...(act !== undefined && { act }),
    ...(on !== undefined && { on: uidToParam(on) }),
  },
});
