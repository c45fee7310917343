import type { Api } from "./api";
import type { Owner } from "./fixtures";
import { makeRepo } from "./repos";
import { createTags, digestOf } from "./tags";

interface Uid {
  readonly uid: string;
}

/**
 * Creates a record of each kind that has a page, as far as the API can, in the person's organization; returns their uids by
 * the path of their list. Add new resources here: tests of all screens open what this makes.
 */
export async function oneOfEach(person: Owner): Promise<Readonly<Record<string, string>>> {
  const { organization, api } = person;
  const make = async (area: string, collection: string, body: object): Promise<string> =>
    (await api.post<Uid>(`/${area}/v2/${collection}/${organization.uid}`, body)).uid;
  await make("iam", "groups", { name: "team" });
  const identityUid = await make("iam", "identities", {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example", subject: "ci" },
  });
  const roleUid = await make("iam", "roles", { name: "reader", capabilities: ["CAP_IAM_GROUPS_LIST"] });
  const repo = await makeRepo(person, {
    name: "web",
    catalogTier: "CATALOG_TIER_BASE",
    activeTags: ["1.27"],
    customOverlay: { environment: { LANG: "C" }, accounts: { users: [{ username: "web", uid: 1 }] } },
  });
  const [tag] = await createTags(api, repo.uid, [
    { name: "1.0", digest: digestOf(1), deprecated: true },
    { name: "latest", digest: digestOf(1) },
  ]);
  await make("iam", "accountAssociations", {
    name: "accounts",
    amazon: { account: "123456789012" },
    github: { appInstallations: { "1": { installations: [{ installationId: "2" }] } } },
  });
  return {
    groups: organization.uid,
    identities: identityUid,
    roles: roleUid,
    "role-bindings": await make("iam", "roleBindings", { identityUid, roleUid }),
    "group-invites": await make("iam", "groupInvites", { roleUid, ttl: "3600s" }),
    "identity-providers": await make("iam", "identityProviders", {
      name: "upstream",
      defaultRole: roleUid,
      oidc: { issuer: "https://idp.example", clientId: "platform", pkceEnabled: true },
    }),
    repos: repo.uid,
    tags: tag?.uid ?? "",
    "account-associations": organization.uid,
    terms: await acceptedTerms(api, organization.uid),
    subscriptions: await make("events", "subscriptions", { sink: "http://127.0.0.1:9/hook" }),
  };
}

/** Accepted, since nothing else can be seen before. */
async function acceptedTerms(api: Api, group: string): Promise<string> {
  const document = { name: "tos.v1", label: "Terms", url: "https://example.com/tos" };
  const { uid } = await api.post<Uid>(`/iam/v2/terms/${group}`, document);
  await api.post(`/iam/v2/terms/${group}`, { documentIds: [document.name] });
  return uid;
}
