import { call } from "~/api/client";
import { identities, type Identity, type IdentityInput } from "~/contract/iam/identities";
import { sameValue } from "~/kit/form/dirty-paths";

/** A request to create an identity whose answer never came: it may have worked (decisions, "lost answers"). */
export interface LostCreate {
  readonly parent: string;
  readonly body: IdentityInput;
  /** When it was sent, in ms by this machine's clock. */
  readonly since: number;
}

/** How far the service's clock may be behind this machine's, in ms. */
const SKEW = 5 * 60_000;

export const isResend = (
  lost: LostCreate | undefined,
  parent: string,
  body: IdentityInput,
): lost is LostCreate => lost !== undefined && lost.parent === parent && sameValue(lost.body, body);

/** Whether an identity is what a lost request made; the service may have filled in what the request left open. */
export function isOutcome({ body, since }: LostCreate, identity: Identity): boolean {
  const asked = (wanted: unknown, made: unknown): boolean => {
    if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted))
      return sameValue(wanted, made);
    return Object.entries(wanted).every(([key, value]) =>
      asked(value, (Object(made) as Record<string, unknown>)[key]),
    );
  };
  return asked(body, identity) && Date.parse(identity.createTime ?? "") >= since - SKEW;
}

/** The identity that a lost request made after all, if it did. Rejects with an ApiError. */
export async function findOutcome(lost: LostCreate): Promise<Identity | undefined> {
  const query = {
    "uidp.children_of": lost.parent,
    name: lost.body.name,
    order_by: "created_at desc",
    page_size: 20,
  };
  const { items } = await call(identities.list, { query });
  return items.find((identity) => isOutcome(lost, identity));
}
