import type { Endpoint } from "./endpoint";
import { groups } from "./iam/groups";
import { identities, lookupIdentity } from "./iam/identities";
import { batchCreateRoleBindings } from "./iam/role-binding-batches";
import { roleBindings } from "./iam/role-bindings";
import { roles } from "./iam/roles";
import { ping } from "./ping/ping";
import { getArchitectures, getSize } from "./registry/images";
import { getReadme, repos, updateReadme } from "./registry/repos";
import { tags } from "./registry/tags";
import type { Facts } from "./resource";

/** Every resource, for the service and the tests. The browser imports single files to stay small. */
export const resources = [groups, identities, roles, roleBindings, repos, tags] as const;

/** The operations that are not one of the five standard methods. */
const customMethods = [
  lookupIdentity,
  batchCreateRoleBindings,
  getReadme,
  updateReadme,
  getArchitectures,
  getSize,
  ping,
] as const;

const VERBS = ["list", "get", "create", "update", "delete"] as const;

export const endpoints: readonly Endpoint[] = [
  ...resources.flatMap((resource) =>
    // Not every resource has every verb.
    VERBS.flatMap((verb) => (verb in resource ? [resource[verb as "list"] as Endpoint] : [])),
  ),
  ...(customMethods as readonly unknown[] as readonly Endpoint[]),
];

export const resourceOf = (collection: string): Facts<unknown, unknown> | undefined =>
  resources.find((resource) => resource.collection === collection) as Facts<unknown, unknown> | undefined;
