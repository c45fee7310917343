import { createIdentityIn } from "~/domains/access/grants/links";
import { askPage } from "~/domains/access/access-requests/links";
import { identityLink } from "~/frame/record/identity-link";
import { uidToParam } from "~/frame/scope/uid-param";
import { parentOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import type { Ending, NoticeTopic } from "platform-contract/iam/notices";
import { kindOf } from "platform-contract/kinds";
import type { LinkTarget } from "~/ui/layout/link";

/** What keeps something from ending. */
export interface Keep {
  readonly label: string;
  readonly link: LinkTarget;
}

interface Around {
  /** Why the user may not use an endpoint at a record; undefined if they may, or that is not known. */
  readonly refusal: (endpoint: Pick<Endpoint, "access">, at: string) => string | undefined;
  /** uids of the user's own role bindings. */
  readonly own: ReadonlySet<string>;
  /** The service takes requests for access. */
  readonly asks: boolean;
}

type Way = (ending: Ending, around: Around) => Keep | undefined;

/** True unless it is known that the user may not; by the registry of kinds, which needs no code of other screens. */
function may({ refusal }: Around, collection: string, verb: "create" | "update" | "delete", at: string) {
  const access = kindOf(collection)?.access[verb];
  return access !== undefined && refusal({ access }, at) === undefined;
}

/** Keys that can be kept this much longer, at least, are worth extending. */
const WORTH_MS = 86_400_000;

const at = (to: "/role-bindings/$uid" | "/group-invites/$uid" | "/repos/$uid", uid: string, drawer: string) =>
  ({ to, params: { uid: uidToParam(uid) }, search: { drawer } }) satisfies LinkTarget;

const WAYS: Readonly<Record<NoticeTopic, Way>> = {
  NOTICE_TOPIC_KEYS({ uid, endTime = "", latestEndTime = "" }, around) {
    // Not a number if the service doesn't say how long they can last.
    const fixed = Date.parse(latestEndTime) - Date.parse(endTime) < WORTH_MS;
    if (fixed)
      return may(around, "identities", "create", parentOf(uid))
        ? { label: "Make a new identity", link: createIdentityIn(parentOf(uid), uid) }
        : undefined;
    return may(around, "identities", "update", uid)
      ? { label: "Extend", link: { ...identityLink(uid), search: { drawer: "edit" } } }
      : undefined;
  },
  NOTICE_TOPIC_ROLE_BINDINGS({ uid }, around) {
    if (may(around, "roleBindings", "update", uid))
      return { label: "Extend", link: at("/role-bindings/$uid", uid, "edit") };
    return around.own.has(uid) && around.asks
      ? { label: "Ask to keep it", link: askPage(parentOf(uid), "keep my role") }
      : undefined;
  },
  NOTICE_TOPIC_INVITES: ({ uid }, around) =>
    may(around, "groupInvites", "create", uid) && may(around, "groupInvites", "delete", uid)
      ? { label: "Invite again", link: at("/group-invites/$uid", uid, "reissue") }
      : undefined,
  NOTICE_TOPIC_SYNCS: ({ uid }, around) =>
    may(around, "repos", "update", uid)
      ? { label: "Edit repo", link: at("/repos/$uid", uid, "edit") }
      : undefined,
  NOTICE_TOPIC_SCIM_TOKENS: ({ uid }, around) =>
    may(around, "identityProviders", "update", uid)
      ? { label: "Replace token", link: { to: "/identity-providers/$uid", params: { uid: uidToParam(uid) } } }
      : undefined,
  NOTICE_TOPIC_REVIEWS: ({ uid }) => ({
    label: "Decide",
    link: { to: "/access-review", search: { review: uidToParam(uid) } },
  }),
};

/** What would keep something from ending, if the user may do it, as far as is known. */
export const keepOf = (ending: Ending, around: Around): Keep | undefined =>
  (WAYS as Readonly<Record<string, Way | undefined>>)[ending.topic]?.(ending, around);
