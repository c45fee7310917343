import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { capabilityAct, capabilityWords } from "~/domains/access/grants/capability-words";
import { isUidParam, type Address } from "~/frame/scope/address";
import { explainAccess } from "platform-contract/iam/access-decisions";
import { CAPABILITY_NAMES } from "platform-contract/capability";

/** Stands for the uid of whoever asks. */
export const ONESELF = "me";

/** Search parameters of "Can they do that?"; the group is the scope. */
export interface DecisionSearch {
  /** uid with `_` for `/`, or `ONESELF`; without one nobody is chosen yet. */
  readonly identity?: string | undefined;
  /** An act by its name here, or a capability. */
  readonly act?: string | undefined;
  /** uid of a record with `_` for `/`, in place of the scope. */
  readonly on?: string | undefined;
  /** The image that a client was refused, if the question is about that. */
  readonly refused?: string | undefined;
}

interface Act {
  readonly label: string;
  readonly capabilities: readonly string[];
}

/** What people ask about, in their words, with the capabilities that it takes. */
const ACTS: Readonly<Record<string, Act>> = {
  pull: { label: "pull images", capabilities: ["CAP_MANIFEST_LIST", "CAP_REPO_BLOBS_GET"] },
  push: { label: "push images", capabilities: ["CAP_MANIFEST_CREATE", "CAP_TAG_CREATE"] },
  "delete-tags": { label: "delete tags", capabilities: ["CAP_TAG_DELETE"] },
  grant: { label: "grant access", capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] },
  log: { label: "see the audit log and who has access", capabilities: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
};
const FIRST = "pull";

export const ACT_CHOICES: readonly { readonly value: string; readonly label: string }[] = [
  ...Object.entries(ACTS).map(([value, { label }]) => ({ value, label })),
  ...Object.keys(CAPABILITY_NAMES)
    .map((value) => ({ value, label: capabilityWords(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en")),
];

export const actOf = ({ act = FIRST }: DecisionSearch): Act & { readonly name: string } => ({
  name: act,
  ...(ACTS[act] ?? { label: capabilityAct(act), capabilities: [act] }),
});

export const readDecisionSearch = ({ identity, act, on, refused }: Address): DecisionSearch => ({
  ...((identity === ONESELF || isUidParam(identity)) && { identity }),
  ...(typeof act === "string" && (act in ACTS || act in CAPABILITY_NAMES) && { act }),
  ...(isUidParam(on) && { on }),
  ...(isUidParam(on) && typeof refused === "string" && { refused }),
});

/** The answer of the service. `identity`: a uid; undefined for the user. */
export function decisionQuery(uid: string, capabilities: readonly string[], identity: string | undefined) {
  const query = { uid, capabilities: [...capabilities], ...(identity !== undefined && { identity }) };
  return queryOptions({
    queryKey: [explainAccess.collection, explainAccess.verb, query] as const,
    meta: { requests: () => [{ endpoint: explainAccess, query }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(explainAccess, { query, signal }),
    // A grant elsewhere changes it: an old answer is never shown.
    staleTime: 0,
    gcTime: 0,
  });
}
