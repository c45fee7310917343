import { isDeepStrictEqual } from "node:util";

import { isUid } from "platform-contract/aip";
import { identityProviders, type IdentityProviderInput } from "platform-contract/iam/identity-providers";
import type { FieldViolation } from "platform-contract/status";

import { requireMapped, requireRole } from "../../platform/access/escalation";
import { endSessionsOf } from "../../platform/oidc/sessions";
import { failedPrecondition } from "../../status";
import { issuerProblem } from "./issuer-rule";
import { hasMappings } from "./external-group-role-mappings.table";
import { identityProvidersTable, keepClientSecret } from "./identity-providers.table";
import { checkReason } from "../access/guard-rail-checks.table";
import { checkGrant } from "../access/guard-rail-grants.table";
import { isUsableRole } from "../access/role-reference";
import { providerSetupHandlers } from "./provider-setup";
import { readReservation } from "./reservations";
import { scimHandlers, withScimStatus } from "./scim";
import type { Handler } from "../../platform/standard/call";
import type { Change, Context, Draft, Removal, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";
import { isFields, type Fields } from "../../platform/standard/values";

const SECRET_BYTES = 2_000;

const oidcOf = (fields: Fields | undefined): Fields => {
  const oidc = fields?.["oidc"];
  return isFields(oidc) ? oidc : {};
};

async function violations(context: Context, draft: Draft): Promise<FieldViolation[]> {
  const { queries, parent, fields, previous } = draft;
  const found: FieldViolation[] = [];
  const add = (field: string, description: string) => found.push({ field, description });
  const { defaultRole } = fields;
  if (typeof defaultRole === "string" && isUid(defaultRole))
    if (!(await isUsableRole(queries, defaultRole, parent)))
      add("defaultRole", "must be a built-in role, or a role of this group or a group above it");
  const [oidc, before] = [oidcOf(fields), oidcOf(previous)];
  const issuer = issuerProblem(context, oidc["issuer"]);
  if (issuer !== undefined) add("oidc.issuer", issuer);
  const { clientSecret: secret, pkceEnabled } = oidc;
  if (!isFields(fields["oidc"])) return found;
  if (!secret && pkceEnabled !== true) add("oidc.clientSecret", "required unless pkceEnabled is true");
  else if (secret && secret === before["clientSecret"] && oidc["issuer"] !== before["issuer"])
    // The issuer decides where it is sent: a caller who cannot read the secret must not redirect it.
    add("oidc.clientSecret", "must be entered again: the stored one is for the previous issuer");
  else if (typeof secret === "string" && secret !== before["clientSecret"])
    if (Buffer.byteLength(secret) > SECRET_BYTES)
      add("oidc.clientSecret", `must be at most ${SECRET_BYTES} bytes long`);
  return found;
}

/** All but the secret: where users sign in, and which claims are trusted. */
const asked = (fields: Fields | undefined): Fields => ({ ...oidcOf(fields), clientSecret: undefined });

/**
 * A caller who decides which people come in grants them their roles: the default role, and on later changes the mapped
 * ones as well. Another issuer or claim puts other people into the same groups.
 */
async function beforeWrite(
  _context: Context,
  { queries, caller, uid, parent, next, previous, fields, arrival }: Change<IdentityProviderInput>,
): Promise<void> {
  const same = previous !== undefined && isDeepStrictEqual(asked(fields), asked(previous));
  if (same && previous["defaultRole"] === next.defaultRole) return;
  const by = identityProviders[previous ? "update" : "create"].access.needs;
  await requireRole(queries, caller, { role: next.defaultRole, group: parent, by });
  if (!same) await requireMapped(queries, caller, uid);
  if (previous?.["defaultRole"] === next.defaultRole) return checkReason(queries, parent, arrival);
  await checkGrant(queries, {
    group: parent,
    role: next.defaultRole,
    until: null,
    asksReason: true,
    arrival,
    roleField: "defaultRole",
  });
}

/** The row is locked, so no mapping is added meanwhile. */
async function beforeDelete(_context: Context, { queries, uid }: Removal): Promise<void> {
  if (await hasMappings(queries, uid))
    throw failedPrecondition([
      {
        type: "RESOURCE_NOT_EMPTY",
        description: "cannot delete identity provider with group mappings",
        subject: uid,
      },
    ]);
  await endSessionsOf(queries, uid);
}

const rules: Rules<IdentityProviderInput> = {
  resource: identityProviders,
  table: identityProvidersTable,
  violations,
  reserved: async ({ config }, queries, { caller, path: { parent }, query: { reservation } }) =>
    typeof reservation === "string"
      ? readReservation({ config, queries }, caller, { parent, reservation })
      : undefined,
  beforeWrite,
  afterWrite: ({ texts }, { queries, uid, next, previous }) =>
    keepClientSecret(
      queries,
      texts,
      uid,
      next.oidc.clientSecret ?? "",
      String(oidcOf(previous)["clientSecret"] ?? ""),
    ),
  beforeDelete,
};

export const identityProviderHandlers = (context: Context): Map<string, Handler> =>
  new Map([
    ...withScimStatus(context, standardHandlers(context, rules)),
    ...scimHandlers(context),
    ...providerSetupHandlers(context),
  ]);
