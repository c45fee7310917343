import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { TermsDocument } from "platform-contract/iam/terms";
import { Dash } from "~/ui/display/dash";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { acceptancesIn, acceptancesQuery } from "./outstanding";
import { useSettled } from "~/ui/use-settled";

/** Shows when a document was accepted for its own group. Rows of the same group share a request. */
export function StateCell({ document: { uid, name } }: { readonly document: TermsDocument }): ReactNode {
  const { data, error } = useInfiniteQuery({ ...acceptancesQuery(parentOf(uid)), enabled: useSettled() });
  if (!data) return error ? <Dash label={errorFacts(error).message} /> : "…";
  const found = acceptancesIn(data).find(({ docId }) => docId === name);
  return found ? <Time value={found.createTime} /> : <State tone="none">Not yet</State>;
}
