import type { IdentityProviderInput } from "platform-contract/iam/identity-providers";

import type { Queries } from "../../platform/store/database";
import type { SealedTexts } from "../../platform/store/keys/sealed-texts";
import {
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";

type IdentityProviderRow = Timed &
  Texts<"uid" | "name" | "description" | "default_role"> & {
    readonly oidc: object;
    readonly sealed: string | null;
  };

export const identityProvidersTable: RecordTable<IdentityProviderInput, IdentityProviderRow> = {
  name: "identity_providers",
  joins: "left join identity_provider_secrets s on s.uid = t.uid",
  columns: `t.uid, t.name, t.description, t.default_role, t.oidc, s.sealed, ${TIMES}`,
  sort: standardSort,
  weight: "pg_column_size(t.oidc)",
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    defaultRole: row.default_role,
    // Sealed: compared and kept when a record changes, never part of a response.
    oidc: { ...row.oidc, clientSecret: row.sealed ?? "" },
    ...times(row),
  }),
  toRow: ({ name, description = "", defaultRole, oidc: { clientSecret: _secret, ...oidc } }) => ({
    name,
    description,
    default_role: defaultRole,
    oidc: JSON.stringify(oidc),
  }),
};

/**
 * The domain that an identity provider has verified of a person's email, and the organization of the provider. A
 * provider can claim any email, so it speaks only for its own organization.
 */
export async function verifiedDomainOf(
  queries: Queries,
  subject: string,
): Promise<{ readonly domain: string; readonly organization: string } | undefined> {
  const [row] = await queries.query<{ domain: string; organization: string }>(
    `select lower(split_part(email, '@', 2)) as domain, left(provider, 40) as organization
     from upstream_accounts where subject = $1 and email_verified and email like '%_@_%'`,
    [subject],
  );
  return row;
}

/**
 * Stores a client secret, or deletes it if empty. `before` is the sealed one; an unchanged secret is not sealed again.
 */
export async function keepClientSecret(
  queries: Queries,
  texts: SealedTexts,
  provider: string,
  secret: string,
  before: string,
): Promise<void> {
  if (secret === before || (before && (await texts.unseal(provider, before)) === secret)) return;
  if (secret === "") {
    await queries.query("delete from identity_provider_secrets where uid = $1", [provider]);
    return;
  }
  await queries.query(
    `insert into identity_provider_secrets (uid, sealed) values ($1, $2)
     on conflict (uid) do update set sealed = excluded.sealed`,
    [provider, await texts.seal(provider, secret)],
  );
}

/** The uids of the providers whose client secret is needed and not there, as after an import, which has none. */
export async function withoutClientSecret(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ uid: string }>(
    `select uid from identity_providers t
     where (oidc->>'pkceEnabled') is distinct from 'true'
       and not exists (select from identity_provider_secrets s where s.uid = t.uid)
     order by uid`,
  );
  return rows.map(({ uid }) => uid);
}

/** A provider, as needed to sign in. */
export interface Provider {
  readonly uid: string;
  readonly parent: string;
  readonly name: string;
  readonly defaultRole: string;
  readonly changed: Date;
  readonly sealed: string | null;
  /** Of settings that are only tried: unique. */
  readonly draft?: string;
  readonly oidc: {
    readonly issuer: string;
    readonly clientId: string;
    readonly additionalScopes?: readonly string[] | undefined;
    readonly groupsClaim?: string | undefined;
    readonly correlationRule?: string | undefined;
    readonly pkceEnabled?: boolean | undefined;
  };
}

export async function findProvider(queries: Queries, uid: string): Promise<Provider | undefined> {
  const [row] = await queries.query<Provider>(
    `select t.uid, t.parent, t.name, t.default_role as "defaultRole", t.updated_at as changed, t.oidc, s.sealed
     from identity_providers t left join identity_provider_secrets s on s.uid = t.uid where t.uid = $1`,
    [uid],
  );
  return row;
}
