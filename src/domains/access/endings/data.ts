import { queryOptions } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { identityLink } from "~/frame/record/identity-link";
import { uidToParam } from "~/frame/scope/uid-param";
import { ownEndings, type Ending, type NoticeTopic } from "platform-contract/iam/notices";
import { shorten } from "~/ui/display/shorten";
import type { LinkTarget } from "~/ui/layout/link";

/** Another screen asks again only after so long; writes of this tab that can move an end ask at once. */
const STALE_MS = 300_000;

/** What the user owns that ends soon, soonest first. */
export const endingsQuery = queryOptions({
  queryKey: [ownEndings.collection, ownEndings.verb],
  meta: { requests: () => [{ endpoint: ownEndings }] } satisfies QueryFacts,
  queryFn: ({ signal }) => call(ownEndings, { signal }),
  staleTime: STALE_MS,
});

interface EndingWords {
  /** What it is called, which links to it. */
  readonly name: string;
  /** What it is: "Role of ci". */
  readonly kind: string;
  /** Of that: keys end, a role ends. */
  readonly verb: "end" | "ends";
  /** Its page; undefined for a kind that this console doesn't know. */
  readonly link: LinkTarget | undefined;
}

type Words = (
  of: Ending & { readonly name: string },
) => Pick<EndingWords, "kind" | "link"> & { readonly name?: string };

const KINDS: Readonly<Record<NoticeTopic, Words>> = {
  NOTICE_TOPIC_KEYS: ({ uid }) => ({ kind: "Keys", link: identityLink(uid) }),
  NOTICE_TOPIC_ROLE_BINDINGS: ({ uid, identityName = "" }) => ({
    kind: identityName === "" ? "Role" : `Role of ${identityName}`,
    link: linkOptions({ to: "/role-bindings/$uid", params: { uid: uidToParam(uid) } }),
  }),
  NOTICE_TOPIC_INVITES: ({ uid, name }) => ({
    ...(name === "" && { name: "Anyone with the link" }),
    kind: "Invite",
    link: linkOptions({ to: "/group-invites/$uid", params: { uid: uidToParam(uid) } }),
  }),
  NOTICE_TOPIC_SYNCS: ({ uid }) => ({
    kind: "Sync of a repo",
    link: linkOptions({ to: "/repos/$uid", params: { uid: uidToParam(uid) } }),
  }),
  NOTICE_TOPIC_SCIM_TOKENS: ({ uid }) => ({
    kind: "SCIM token of an identity provider",
    link: linkOptions({ to: "/identity-providers/$uid", params: { uid: uidToParam(uid) } }),
  }),
  NOTICE_TOPIC_REVIEWS: ({ uid }) => ({
    kind: "Access review that waits for you",
    link: linkOptions({ to: "/access-review", search: { review: uidToParam(uid) } }),
  }),
};

/** What ends, in words, and where its page is. */
export function endingWords(ending: Ending): EndingWords {
  const { topic, name = "", uid } = ending;
  const known = (KINDS as Readonly<Record<string, Words | undefined>>)[topic]?.({ ...ending, name });
  const verb = topic === "NOTICE_TOPIC_KEYS" ? "end" : "ends";
  return { name: name || shorten(uid), kind: "Unknown to this console", link: undefined, verb, ...known };
}
