import { endProblem } from "platform-contract/iam/role-bindings";
import type { FieldViolation } from "platform-contract/status";

import { now } from "../../platform/store/clock";
import type { Draft } from "../../platform/standard/rules";

/** When access ends, in milliseconds. */
export const endOf = (expirationTime: unknown): number =>
  typeof expirationTime === "string" && expirationTime !== "" ? Date.parse(expirationTime) : Infinity;

/** What is wrong with the end of a draft, if it is a new one. */
export function endViolations({ fields, previous }: Draft): FieldViolation[] {
  const end = endOf(fields["expirationTime"]);
  const isNew = end !== Infinity && end !== endOf(previous?.["expirationTime"]);
  const description = isNew ? endProblem(end, now().getTime()) : undefined;
  return description ? [{ field: "expirationTime", description }] : [];
}
