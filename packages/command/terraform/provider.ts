import { parentOf } from "platform-contract/aip";
import { capabilities } from "platform-contract/iam/capabilities";
import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import type { Repo } from "platform-contract/registry/repos";
import type { Subscription } from "platform-contract/events/subscriptions";
import { by, compare } from "platform-contract/order";
import { isBlank } from "platform-contract/values";

import type { Block, Expression, Value } from "./hcl";
import { localNames, type Named } from "./names";

/** What is written. */
export interface Records {
  readonly groups: readonly Group[];
  readonly identities: readonly Identity[];
  readonly roles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
  readonly identityProviders: readonly IdentityProvider[];
  readonly repos: readonly Repo[];
  readonly subscriptions: readonly Subscription[];
}
export type Exported = keyof Records;

/** The resources of the provider and what it calls them, after its documentation (docs/resources). */
const NAME = "chainguard";
const SOURCE = "chainguard-dev/chainguard";
const TYPES: Readonly<Record<Exported, string>> = {
  groups: `${NAME}_group`,
  identities: `${NAME}_identity`,
  roles: `${NAME}_role`,
  roleBindings: `${NAME}_rolebinding`,
  identityProviders: `${NAME}_identity_provider`,
  repos: `${NAME}_image_repo`,
  subscriptions: `${NAME}_subscription`,
};
export const EXPORTED = Object.keys(TYPES) as Exported[];

export interface Written {
  /** What is not of one kind: settings, variables, roles that nobody made. */
  readonly main: readonly Block[];
  /** For each record an import block and its resource. */
  readonly kinds: Readonly<Record<Exported, readonly Block[]>>;
  /** What the provider has nothing for, as sentences. */
  readonly lacking: readonly string[];
}

const DOTTED = new Map(capabilities.map(({ wire, dotted }) => [wire, dotted]));

const text = (value: string | undefined): string | undefined => (value === "" ? undefined : value);
const some = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;
const map = (of: Readonly<Record<string, string>> | undefined): Value | undefined =>
  of === undefined || Object.keys(of).length === 0
    ? undefined
    : { map: Object.fromEntries(Object.entries(of).toSorted(([one], [other]) => compare(one, other))) };
/** "CATALOG_TIER_BASE": "BASE", as the provider has it. */
const without = (prefix: string, value: string | undefined): string | undefined =>
  value === undefined || value.endsWith("_UNSPECIFIED") ? undefined : value.replace(prefix, "");

const hostOf = (address: string): string => {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
};

/** What a kind is called in Terraform: by its name, a binding by what it binds. */
const CALLED: { readonly [K in Exported]: (record: Records[K][number]) => string } = {
  groups: ({ name }) => name,
  identities: ({ name }) => name,
  roles: ({ name }) => name,
  roleBindings: ({ identity, role, group }) =>
    [identity?.name ?? identity?.email, role?.name, group?.name].filter(Boolean).join(" "),
  identityProviders: ({ name }) => name,
  repos: ({ name }) => name,
  subscriptions: ({ sink }) => hostOf(sink ?? ""),
};

/**
 * Records as blocks for the provider. References to what is among them are by address, so that Terraform knows the order.
 * `readmes` are by the uid of their repo; `builtIn` are names of roles that nobody made, by uid; `address` is that of the API.
 * Nothing secret is in it: the API answers none.
 */
export function written(
  records: Records,
  {
    readmes,
    builtIn,
    address,
    now,
  }: {
    readonly readmes: ReadonlyMap<string, string>;
    readonly builtIn: ReadonlyMap<string, string>;
    readonly address: string;
    /** Milliseconds. */
    readonly now: number;
  },
): Written {
  const lacks = new Map<string, string[]>();
  const lack = (what: string, name: string) => lacks.set(what, [...(lacks.get(what) ?? []), name]);

  const names = Object.fromEntries(
    EXPORTED.map((kind) => [
      kind,
      localNames(
        records[kind].map((record): Named => ({
          uid: record.uid,
          createTime: record.createTime,
          called: (CALLED[kind] as (of: unknown) => string)(record),
        })),
        kind.replace(/s$/, ""),
      ),
    ]),
  ) as Record<Exported, ReadonlyMap<string, string>>;
  const usedRoles = new Set<string>();
  const roleNames = localNames(
    [...builtIn].map(([uid, called]) => ({ uid, called })),
    "role",
  );

  /** A record by its address if it is written too, else by its uid. */
  const reference = (kind: Exported, uid: string): Value => {
    const name = names[kind].get(uid);
    return name === undefined ? uid : { expression: `${TYPES[kind]}.${name}.id` };
  };
  const roleReference = (uid: string): Value => {
    const name = roleNames.get(uid);
    if (name === undefined) return reference("roles", uid);
    usedRoles.add(uid);
    return { expression: `data.${TYPES.roles}.${name}.items[0].id` };
  };
  const parent = (uid: string): Value | undefined =>
    parentOf(uid) === "" ? undefined : reference("groups", parentOf(uid));

  const resource = (
    kind: Exported,
    uid: string,
    attributes: Readonly<Record<string, Value | undefined>>,
    more: { readonly blocks?: readonly Block[]; readonly comments?: readonly string[] } = {},
  ): readonly [string, Block[]] => {
    const name = names[kind].get(uid) ?? "";
    const to: Expression = { expression: `${TYPES[kind]}.${name}` };
    const { comments = [], blocks = [] } = more;
    return [
      name,
      [
        { type: "import", attributes: { to, id: uid }, comments },
        { type: "resource", labels: [TYPES[kind], name], attributes, blocks },
      ],
    ];
  };
  const variables: Block[] = [];

  const made: { readonly [K in Exported]: (record: Records[K][number]) => readonly [string, Block[]] } = {
    groups({ uid, name, description, verified, kind }) {
      const isRoot = parentOf(uid) === "";
      return resource("groups", uid, {
        name,
        description: text(description),
        parent_id: parent(uid),
        // The provider takes both for verified organizations alone.
        verified: isRoot && verified ? true : undefined,
        kind: isRoot && verified ? without("ORG_KIND_", kind) : undefined,
      });
    },
    identities({ uid, name, description, claimMatch, staticKeys, awsIdentity, servicePrincipal }) {
      const blocks: Block[] = [];
      if (claimMatch) {
        const { issuer, issuerPattern, subject, subjectPattern, audience, audiencePattern } = claimMatch;
        blocks.push({
          type: "claim_match",
          attributes: {
            issuer: text(issuer),
            issuer_pattern: text(issuerPattern),
            subject: text(subject),
            subject_pattern: text(subjectPattern),
            audience: text(audience),
            audience_pattern: text(audiencePattern),
            claims: map(claimMatch.claims),
            claim_patterns: map(claimMatch.claimPatterns),
          },
        });
      }
      if (staticKeys) {
        const { issuer, subject, issuerKeys, expirationTime, audiences } = staticKeys;
        if (some(audiences)) lack("staticKeys.audiences of identities", name);
        if (Date.parse(expirationTime ?? "") < now)
          lack("keys of identities that have ended, which the provider refuses", name);
        if (!text(expirationTime))
          lack("keys of identities without an end, for which the provider wants an expiration", name);
        blocks.push({
          type: "static",
          attributes: { issuer, subject, issuer_keys: issuerKeys, expiration: text(expirationTime) },
        });
      }
      if (awsIdentity)
        blocks.push({
          type: "aws_identity",
          attributes: {
            aws_account: awsIdentity.awsAccount,
            aws_arn: text(awsIdentity.arn),
            aws_arn_pattern: text(awsIdentity.arnPattern),
            aws_user_id: text(awsIdentity.userId),
            aws_user_id_pattern: text(awsIdentity.userIdPattern),
          },
        });
      const service_principal = without("SERVICE_PRINCIPAL_", servicePrincipal);
      return resource(
        "identities",
        uid,
        { parent_id: parent(uid), name, description: text(description), service_principal },
        { blocks },
      );
    },
    roles: ({ uid, name, description, capabilities: held = [] }) =>
      resource("roles", uid, {
        parent_id: parent(uid),
        name,
        description: text(description),
        capabilities: held.map((capability) => DOTTED.get(capability) ?? capability).toSorted(),
      }),
    roleBindings(binding) {
      const { uid, identity, identityUid = identity?.uid ?? "", expirationTime } = binding;
      const called = [identity?.name ?? identity?.email ?? identityUid, binding.role?.name].join(", ");
      if (text(expirationTime)) lack("expirationTime of role bindings", called);
      const isWritten = names.identities.has(identityUid);
      return resource(
        "roleBindings",
        uid,
        {
          group: parent(uid),
          identity: reference("identities", identityUid),
          role: roleReference(roleUidOf(binding)),
        },
        // Whose uid that is. People sign in, and are not created.
        { comments: isWritten ? [] : [identity?.email ?? identity?.name ?? "an identity from elsewhere"] },
      );
    },
    identityProviders({ uid, name, description, defaultRole, oidc, scim }) {
      const secret = `${names.identityProviders.get(uid)}_client_secret`;
      variables.push({
        type: "variable",
        labels: [secret],
        attributes: {
          type: { expression: "string" },
          sensitive: true,
          description: 'The client secret at the issuer; "" for a client without one',
        },
        comments: [
          "The API answers no secrets. The provider sends all fields when it changes one: without it, it is lost.",
        ],
      });
      for (const field of ["groupsClaim", "correlationRule", "pkceEnabled"] as const) {
        const value = oidc?.[field];
        const isDefault = typeof value === "string" && value.endsWith("_UNSPECIFIED");
        if (value !== false && !isDefault && !isBlank(value))
          lack(`oidc.${field} of identity providers`, name);
      }
      if (scim?.enabled) lack("scim of identity providers", name);
      return resource(
        "identityProviders",
        uid,
        {
          parent_id: parent(uid),
          name,
          description: text(description),
          default_role: defaultRole === undefined ? undefined : roleReference(defaultRole),
        },
        {
          blocks: [
            {
              type: "oidc",
              attributes: {
                issuer: oidc?.issuer,
                client_id: oidc?.clientId,
                client_secret: { expression: `var.${secret}` },
                additional_scopes: some(oidc?.additionalScopes),
              },
            },
          ],
        },
      );
    },
    repos({
      uid,
      name,
      description,
      catalogTier,
      bundles,
      aliases,
      activeTags,
      sync_config: sync,
      customOverlay,
    }) {
      if (!isBlank(customOverlay)) lack("customOverlay of repos", name);
      const source = sync?.source;
      return resource(
        "repos",
        uid,
        {
          parent_id: parent(uid),
          name,
          description: text(description),
          readme: text(readmes.get(uid)),
          tier: without("CATALOG_TIER_", catalogTier),
          bundles: some(bundles),
          aliases: some(aliases),
          active_tags: some(activeTags),
        },
        source === undefined
          ? {}
          : {
              blocks: [
                {
                  type: "sync_config",
                  attributes: {
                    source: reference("repos", source),
                    amazon: text(sync?.amazon),
                    azure: text(sync?.azure),
                    google: text(sync?.google),
                    apko_overlay: text(sync?.apkoOverlay),
                  },
                },
              ],
            },
      );
    },
    subscriptions: ({ uid, sink }) => resource("subscriptions", uid, { parent_id: parent(uid), sink }),
  };

  const kinds = Object.fromEntries(
    EXPORTED.map((kind) => [
      kind,
      records[kind]
        .map((record) => (made[kind] as (of: unknown) => readonly [string, Block[]])(record))
        .toSorted(([one], [other]) => compare(one, other))
        .flatMap(([, blocks]) => blocks),
    ]),
  ) as Record<Exported, Block[]>;
  const roleData = [...usedRoles]
    .map((uid) => ({ uid, name: roleNames.get(uid) ?? "" }))
    .toSorted((one, other) => compare(one.name, other.name))
    .map(({ uid, name }): Block => ({ type: "data", labels: [TYPES.roles, name], attributes: { id: uid } }));
  const settings: Block[] = [
    {
      type: "terraform",
      // Import blocks are of 1.5.
      attributes: { required_version: ">= 1.5" },
      blocks: [{ type: "required_providers", attributes: { [NAME]: { map: { source: SOURCE } } } }],
    },
    { type: "provider", labels: [NAME], attributes: { console_api: address } },
  ];
  return {
    main: [...settings, ...variables.toSorted(by(({ labels = [] }) => labels[0] ?? "")), ...roleData],
    kinds,
    lacking: [...lacks].map(([what, of]) => `${what}: ${of.toSorted().join(", ")}`).toSorted(),
  };
}
