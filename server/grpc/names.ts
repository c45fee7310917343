import { camelCase, snakeCase } from "~/contract/aip";
import type { Endpoint } from "~/contract/endpoint";
import { resourceOf } from "~/contract/index";

/** Packages are those of the published API, whatever the service's own domain is: clients are generated from them. */
const ROOT = "chainguard.platform";

/** The names that the published API has and that do not follow from the contract's. */
interface Names {
  readonly service?: string;
  readonly rpc?: string;
  /** Of the answer. */
  readonly answer?: string;
  /** Of the body, which then is one field of the request. */
  readonly body?: string;
  /** Fields of the request that stand for variables of the path. */
  readonly variables?: Readonly<Record<string, string>>;
}
const NAMES: Readonly<Record<string, Names>> = {
  "roleBindings.batchCreate": { rpc: "BatchCreateRoleBindings" },
  "groupInvites.register": { service: "AuthService" },
  "repos.getReadme": { rpc: "GetRepoReadme", answer: "RepoReadme" },
  "repos.updateReadme": { rpc: "UpdateRepoReadme", answer: "RepoReadme", body: "RepoReadme" },
  "images.getArchitectures": { answer: "Architectures", variables: { uid: "repo_uid" } },
  "images.getSize": { answer: "Size", variables: { uid: "repo_uid" } },
  "terms.accept": { rpc: "AcceptTerms", variables: { parent: "group" } },
  "termsAcceptances.list": { service: "TermsService", variables: { uid: "group" } },
  "artifacts.count": { rpc: "GetArtifactCount" },
  "artifactVersions.list": { service: "ArtifactsService" },
  "documents.list": { service: "SecurityAdvisoryService" },
  "vulnerabilityMetadata.list": { service: "SecurityAdvisoryService" },
  "resolvedVulnsReports.list": { service: "SecurityAdvisoryService" },
};

/** `roleBindings` and `ROLE_BINDINGS` are both `RoleBindings`. */
export const pascalCase = (name: string): string => {
  const camel = camelCase(/^[A-Z0-9_]+$/.test(name) ? name.toLowerCase() : name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
};

/** What a list's one element is called: `severities` is a list of `Severity`. */
export const singular = (name: string): string =>
  name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.endsWith("ss") ? name : name.replace(/s$/, "");

/** Names of proto fields: snake_case, whatever JSON calls them. */
export const fieldName = (key: string): string => snakeCase(key);

/** One operation as gRPC knows it. */
export interface Naming {
  /** `chainguard.platform.iam.v2` */
  readonly package: string;
  readonly service: string;
  readonly rpc: string;
  readonly request: string;
  /** Undefined: `google.protobuf.Empty`. */
  readonly answer: string | undefined;
  /** The message of the body, where the body is one field of the request; else its fields are the request's own. */
  readonly body: string | undefined;
  /** The request's field for a variable of the path; undefined: the uid within the body. */
  variable(name: string): string | undefined;
}

/** `/iam/v2/groups/{uid}` lies in `chainguard.platform.iam.v2`. */
const packageOf = ({ path }: Endpoint): string => [ROOT, ...path.split("/").slice(1, 3)].join(".");

export function namingOf(endpoint: Endpoint): Naming {
  const { id, collection, verb } = endpoint;
  const names = NAMES[id] ?? {};
  const type = resourceOf(collection)?.type;
  const standard = type !== undefined && ["get", "create", "update", "delete"].includes(verb);
  const plural = pascalCase(collection);
  const rpc =
    names.rpc ??
    (verb === "list" ? `List${plural}` : standard ? `${pascalCase(verb)}${type}` : pascalCase(verb));
  const wrapped = standard && endpoint.body ? type : undefined;
  const body = names.body ?? wrapped;
  return {
    package: packageOf(endpoint),
    service: names.service ?? `${plural}Service`,
    rpc,
    request: `${rpc}Request`,
    answer: endpoint.answer && (names.answer ?? (standard ? type : `${rpc}Response`)),
    body,
    variable: (name) =>
      body !== undefined && name === "uid" ? undefined : (names.variables?.[name] ?? fieldName(name)),
  };
}
