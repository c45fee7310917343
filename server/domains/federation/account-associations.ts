import { parentOf } from "platform-contract/aip";
import {
  accountAssociations,
  checkAccountAssociation,
  PROVIDERS,
  type AccountAssociationInput,
  type ProviderType,
} from "platform-contract/iam/account-associations";
import type { FieldViolation } from "platform-contract/status";

import { accountAssociationsTable } from "./account-associations.table";
import { lockPrincipals } from "../identities/identities.table";
import { readItem } from "../../platform/store/table";
import type { Handler } from "../../platform/standard/call";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context, Draft, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";
import { isFields, type Fields } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

const bindingsOf = (fields: Fields | undefined): Fields => {
  const platform = fields?.["chainguard"];
  const bindings = isFields(platform) ? platform["serviceBindings"] : undefined;
  return isFields(bindings) ? bindings : {};
};

/** A service must be bound to its own identity in this very group. One message for missing and foreign identities. */
async function violations(
  _context: Context,
  { queries, parent, fields, previous }: Draft,
): Promise<FieldViolation[]> {
  const before = bindingsOf(previous);
  const given = Object.entries(bindingsOf(fields)).filter(([key, uid]) => before[key] !== uid);
  const uids = given.flatMap(([, uid]) => (typeof uid === "string" && parentOf(uid) === parent ? [uid] : []));
  const principals = await lockPrincipals(queries, uids);
  return given
    .filter(([key, uid]) => principals.get(String(uid)) !== key)
    .map(([key]) => ({
      field: `chainguard.serviceBindings.${key}`,
      description: "must be an identity of this service, directly in this group",
    }));
}

const rules: Rules<AccountAssociationInput> = {
  resource: accountAssociations,
  table: accountAssociationsTable,
  unique: {
    constraint: "account_associations_pkey",
    by: [],
    field: "parent",
    sentence: "this group already has an account association",
  },
  violations,
};

/**
 * Checks what it can without credentials of the platform's services: whether there is an account, of a valid form. The
 * rest is not determined, which is neither ready nor not ready.
 */
const check =
  (context: Context): Handler =>
  async ({ path: { uid }, body }) => {
    const found = await readItem(context.database, accountAssociationsTable, uid);
    if (!found) throw notFoundError(context, accountAssociations, uid);
    const { providerType } = validate(checkAccountAssociation.body!, body, []);
    const member = PROVIDERS[providerType as ProviderType];
    return found[member] === undefined
      ? {
          status: "CHECK_STATUS_NOT_READY",
          reason: "not configured",
          message: `the association has no ${member} account`,
        }
      : {
          status: "CHECK_STATUS_UNSPECIFIED",
          reason: "not checked",
          message:
            "the account has a valid form, but this service has no credentials to find out whether it exists and lets services in",
        };
  };

export const accountAssociationHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules).set(checkAccountAssociation.id, check(context));
