import type { Facts } from "platform-contract/resource";

import { notFound } from "../../status";
import type { Context } from "./rules";

/** Returns a kind's name as used in ResourceInfo. */
export const resourceType = (
  { config }: Context,
  { area, type }: Pick<Facts<unknown, unknown>, "area" | "type">,
): string => `${area}.${config.serviceDomain}/${type}`;

/** NOT_FOUND for a resource. */
export const notFoundError = (
  context: Context,
  kind: Pick<Facts<unknown, unknown>, "area" | "type">,
  uid: string,
) => notFound(resourceType(context, kind), uid);
