import { notFound, ScimError } from "./error";
import { COUNT, listResponse } from "./messages";
import { ENTERPRISE, GROUP, GROUPS, isNamed, USER, USERS, type Schema } from "./schemas";
import type { ScimFields } from "./values";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** What this service can do (RFC 7643, section 5). */
const serviceProviderConfig = (base: string): ScimFields => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: COUNT.most },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "The SCIM token of the identity provider",
      specUri: "https://www.rfc-editor.org/rfc/rfc6750",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

const schemaOf = (base: string, schema: Schema): ScimFields => ({
  schemas: [`${CORE}:Schema`],
  ...schema,
  meta: { resourceType: "Schema", location: `${base}/Schemas/${schema.id}` },
});

const schemasOf = (base: string): ScimFields[] =>
  [USER, ENTERPRISE, GROUP].map((schema) => schemaOf(base, schema));

const resourceTypesOf = (base: string): ScimFields[] =>
  [USERS, GROUPS].map(({ name, endpoint, schema, extensions }) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description: schema.description,
    schema: schema.id,
    ...(extensions.length > 0 && {
      schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    }),
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));

/** Everything of one provider that clients can ask for. */
function documentsOf(base: string) {
  const [schemas, types] = [schemasOf(base), resourceTypesOf(base)];
  return {
    config: serviceProviderConfig(base),
    schemas: { all: listResponse(schemas, schemas.length, 1), each: schemas },
    types: { all: listResponse(types, types.length, 1), each: types },
  };
}

/** Providers whose documents are kept: those that asked last. */
const KEPT = 20;

/** Answers requests for what this service can do, always with the same objects. Throws a ScimError. */
export function createDiscovery() {
  const kept = new Map<string, ReturnType<typeof documentsOf>>();

  return (base: string, search: URLSearchParams, name: string, id: string | undefined): ScimFields => {
    // RFC 7644, section 4.
    if (search.has("filter")) throw new ScimError(403, "a filter is not supported here");
    const documents = kept.get(base) ?? documentsOf(base);
    kept.delete(base);
    kept.set(base, documents);
    const [oldest = ""] = kept.keys();
    if (kept.size > KEPT) kept.delete(oldest);
    if (isNamed(name, "ServiceProviderConfig") && id === undefined) return documents.config;
    const { all, each } = isNamed(name, "Schemas") ? documents.schemas : documents.types;
    if (id === undefined) return all;
    const one = each.find((item) => isNamed(String(item["id"]), id));
    if (!one) throw notFound();
    return one;
  };
}
