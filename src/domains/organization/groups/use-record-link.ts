import { useRouter } from "@tanstack/react-router";

import { listPath } from "platform-contract/kinds";
import { uidToParam } from "~/frame/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

import type { Step } from "./step-table";

/** Returns a function that links to a record's page, if its kind has screens. */
export function useRecordLink(): (step: Step) => LinkTarget | undefined {
  const { routesByPath } = useRouter();
  return ({ kind, uid }) => {
    const to = `${listPath(kind.collection)}/$uid`;
    return to in routesByPath ? { to, params: { uid: uidToParam(uid) } } : undefined;
  };
}
