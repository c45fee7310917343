import { randomUUID } from "node:crypto";

import { parentOf } from "platform-contract/aip";
import { externalGroupRoleMappings } from "platform-contract/iam/external-group-role-mappings";
import { groups } from "platform-contract/iam/groups";
import { identityProviders } from "platform-contract/iam/identity-providers";
import { checkIssuer, reserveProvider, testSignIn } from "platform-contract/iam/provider-setup";
import type { BodyOf } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";

import { holdsAll, requireAll, type Caller } from "../../platform/access/caller";
import { checkIssuer as lookAt, type IssuerCheck } from "../../platform/oidc/issuer-check";
import { keepDraft } from "../../platform/oidc/sign-in-test";
import { createIssuerRequests } from "../../platform/oidc/upstream-client";
import { redirectUriOf } from "../../platform/oidc/upstream-journey";
import { queryOf, type Call, type Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { take } from "../../platform/store/mail/allowances";
import { nameOf } from "../organization/groups.table";
import { failedPrecondition, Failure, invalidArgument } from "../../status";
import { findProvider, type Provider } from "./identity-providers.table";
import { issuerProblem } from "./issuer-rule";
import { readReservation, reserveUid } from "./reservations";

/** What one caller may do at once, and the seconds until there is one more. */
const CHECKS = { most: 30, everyS: 4 };
const TESTS = { most: 20, everyS: 15 };

/** Throws RESOURCE_EXHAUSTED if a caller has done too much of this. */
async function allow(
  queries: Queries,
  { caller }: Call,
  what: string,
  allowance: typeof CHECKS,
): Promise<void> {
  const seconds = await take(queries, { key: `${what}:${caller.principal ?? caller.key}`, ...allowance });
  if (seconds > 0)
    throw new Failure("RESOURCE_EXHAUSTED", "Resource exhausted: too many attempts, try again later", [], {
      retryAfter: seconds,
    });
}

/** Throws NOT_FOUND. */
async function requireGroup(context: Context, uid: string): Promise<void> {
  if ((await nameOf(context.database, uid)) === undefined) throw notFoundError(context, groups, uid);
}

const check = (context: Context): Handler => {
  const requests = createIssuerRequests(context.config);
  const before: NonNullable<Handler["before"]> = async (call, inTurn): Promise<IssuerCheck> => {
    const { issuer, additionalScopes = [] } = queryOf(checkIssuer, call);
    await inTurn(() => requireGroup(context, call.path.parent));
    const problem = issuerProblem(context, issuer);
    if (problem !== undefined)
      return { violations: [{ field: "oidc.issuer", description: problem }], notes: [] };
    await inTurn(() => allow(context.database, call, "issuer-check", CHECKS));
    return lookAt(requests(call.path.parent), issuer, additionalScopes);
  };
  return Object.assign(async ({ found }: Call) => found, { before });
};

const reserve =
  (context: Context): Handler =>
  async (call) => {
    const { reservation: earlier } = queryOf(reserveProvider, call);
    const { parent } = call.path;
    const { config, database } = context;
    await requireGroup(context, parent);
    const { uid, reservation, expires } = await reserveUid(
      { config, queries: database },
      call.caller,
      parent,
      earlier,
    );
    return {
      reservedUid: uid,
      redirectUri: redirectUriOf(context.config, uid),
      reservation,
      expireTime: expires.toISOString(),
    };
  };

type Settings = BodyOf<typeof testSignIn>;

/** What is tried at a saved provider: throws INVALID_ARGUMENT like a save. */
function sealedOf(stored: Provider | undefined, { oidc }: Settings): FieldViolation | string | null {
  const violation = (description: string) => ({ field: "oidc.clientSecret", description });
  if (stored?.sealed && stored.oidc.issuer === oidc.issuer) return stored.sealed;
  if (oidc.pkceEnabled) return null;
  return violation(
    stored?.sealed
      ? "must be entered again: the stored one is for the previous issuer"
      : "required unless pkceEnabled is true",
  );
}

/** The stored provider of the uid in the path; undefined if it is reserved. Throws a Failure if it is neither. */
async function tried(
  context: Context,
  queries: Queries,
  caller: Caller,
  uid: string,
  reservation: string | undefined,
): Promise<Provider | undefined> {
  if (reservation === undefined) {
    const stored = await findProvider(queries, uid);
    if (!stored) throw notFoundError(context, identityProviders, uid);
    return stored;
  }
  const reserved = await readReservation({ config: context.config, queries }, caller, {
    parent: parentOf(uid),
    reservation,
  });
  if (reserved !== uid)
    throw invalidArgument([{ field: "reservation", description: "must be the one of this uid" }]);
  // Saved meanwhile, with a secret that only an update may use.
  if (await findProvider(queries, uid))
    throw invalidArgument([{ field: "reservation", description: "was used: test the saved provider" }]);
  return undefined;
}

const test =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const { caller, path, body } = call;
      const { uid } = path;
      // Before the body is validated, which tells nothing to others.
      const by = body["reservation"] === undefined ? testSignIn : reserveProvider;
      requireAll(caller, by.access.needs, uid);
      const settings = validate(
        testSignIn.body!,
        withoutUnset(body, () => false),
        [],
      );
      const { oidc, name, reservation } = settings;
      const stored = await tried(context, queries, caller, uid, reservation);
      if (caller.issuer !== context.config.issuer)
        throw failedPrecondition([
          {
            type: "NOT_SIGNED_IN_HERE",
            description: "a test needs a person who has signed in with a browser at this service",
            subject: uid,
          },
        ]);
      const problem = issuerProblem(context, oidc.issuer);
      const { clientSecret: entered, ...rest } = oidc;
      const sealed = entered ? await context.texts.seal(uid, entered) : sealedOf(stored, settings);
      const violations = [
        ...(problem === undefined ? [] : [{ field: "oidc.issuer", description: problem }]),
        ...(typeof sealed === "object" && sealed ? [sealed] : []),
      ];
      if (violations.length > 0) throw invalidArgument(violations);
      await allow(queries, call, "test-sign-in", TESTS);
      const provider: Provider = {
        uid,
        parent: parentOf(uid),
        name: name ?? stored?.name ?? "The identity provider",
        defaultRole: stored?.defaultRole ?? "",
        changed: now(),
        sealed: typeof sealed === "string" ? sealed : null,
        draft: randomUUID(),
        oidc: rest,
      };
      const { startUri, expires } = await keepDraft(queries, context.config, {
        provider,
        subject: caller.subject,
        seesMappings: holdsAll(caller, externalGroupRoleMappings.list.access.needs, uid),
      });
      return { startUri, expireTime: expires.toISOString() };
    });

/** What the form of a provider asks before there is one (docs/decisions/identity-providers.md). */
export const providerSetupHandlers = (context: Context): Map<string, Handler> =>
  new Map([
    [reserveProvider.id, reserve(context)],
    [checkIssuer.id, check(context)],
    [testSignIn.id, test(context)],
  ]);
