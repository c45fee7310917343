import { isUid, rootOf } from "platform-contract/aip";
import {
  exceptionProblems,
  guardRailProblems,
  guardRails,
  MOST_GUARD_RAILS,
  type GuardRailException,
  type GuardRailInput,
} from "platform-contract/iam/guard-rails";
import type { FieldViolation } from "platform-contract/status";

import { failedPrecondition } from "../../status";
import { now } from "../../platform/store/clock";
import { countAlone } from "../../platform/store/table";
import type { Handler } from "../../platform/standard/call";
import type { Context, Draft, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";
import { findingHandlers } from "./guard-rail-findings";
import { countRails, guardRailsTable, knownRoles } from "./guard-rails.table";
import { capabilityNamed } from "./roles.table";

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

const exceptionsOf = (value: unknown): GuardRailException[] =>
  Array.isArray(value)
    ? value.filter(
        (one): one is GuardRailException =>
          typeof Object(one)["subject"] === "string" && typeof Object(one)["expirationTime"] === "string",
      )
    : [];

async function violations(_context: Context, draft: Draft): Promise<FieldViolation[]> {
  const { queries, parent, fields, previous } = draft;
  const roles = texts(fields["roles"]).filter(isUid);
  const known = roles.length > 0 ? await knownRoles(queries, roles, rootOf(parent)) : new Set();
  const exceptions = exceptionsOf(fields["exceptions"]);
  return [
    ...guardRailProblems(fields),
    ...texts(fields["roles"]).flatMap((uid, index) =>
      !isUid(uid) || known.has(uid)
        ? []
        : [{ field: `roles[${index}]`, description: "must be a built-in role, or one of this organization" }],
    ),
    ...texts(fields["capabilities"]).flatMap((name, index) =>
      capabilityNamed(name)
        ? []
        : [{ field: `capabilities[${index}]`, description: `${JSON.stringify(name)} is not a capability` }],
    ),
    ...exceptionProblems(exceptions, exceptionsOf(previous?.["exceptions"]), parent, now().getTime()),
  ];
}

const rules: Rules<GuardRailInput> = {
  resource: guardRails,
  table: guardRailsTable,
  violations,
  async beforeWrite(_context, { queries, parent, previous }) {
    if (previous) return;
    await countAlone(queries, parent);
    if ((await countRails(queries, parent)) < MOST_GUARD_RAILS) return;
    throw failedPrecondition([
      {
        type: "GUARD_RAIL_LIMIT",
        description: `one group can have at most ${MOST_GUARD_RAILS} guard rails`,
        subject: parent,
      },
    ]);
  },
};

export const guardRailHandlers = (context: Context): Map<string, Handler> =>
  new Map([...standardHandlers(context, rules), ...findingHandlers(context)]);
