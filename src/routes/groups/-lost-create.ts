import { call } from "~/api/client";
import { groups, type Group } from "~/contract/iam/groups";

import type { GroupValues } from "./-group-values";

/** A request to create a group whose answer never came: it may have worked (decisions, "lost answers"). */
export interface LostCreate {
  readonly parent: string;
  readonly body: GroupValues;
  /** When it was sent, in ms by this machine's clock. */
  readonly since: number;
}

/** How far the service's clock may be behind this machine's, in ms. */
const SKEW = 5 * 60_000;

export const isResend = (
  lost: LostCreate | undefined,
  parent: string,
  body: GroupValues,
): lost is LostCreate =>
  lost?.parent === parent && lost.body.name === body.name && lost.body.description === body.description;

/** Whether a group is what a lost request made. */
export const isOutcome = ({ body, since }: LostCreate, { name, description, createTime }: Group): boolean =>
  name === body.name &&
  (description ?? "") === body.description &&
  Date.parse(createTime ?? "") >= since - SKEW;

/** The group that a lost request made after all, if it did. Rejects with an ApiError. */
export async function findOutcome(lost: LostCreate): Promise<Group | undefined> {
  const { parent, body } = lost;
  const within = parent === "" ? { "uidp.in_root": true } : { "uidp.children_of": parent };
  const query = { ...within, name: body.name, order_by: "created_at desc", page_size: 5 };
  const { items } = await call(groups.list, { query });
  return items.find((group) => isOutcome(lost, group));
}
