import type { Endpoint } from "./endpoint";
import { groups } from "./iam/groups";
import { identities, lookupIdentity } from "./iam/identities";
import { roleBindings } from "./iam/role-bindings";
import { roles } from "./iam/roles";
import { ping } from "./ping/ping";
import type { Facts } from "./resource";

/** Every resource. The service mounts this list and tests iterate it; the browser imports single files instead. */
export const resources = [groups, identities, roles, roleBindings] as const;

/** The operations that are not one of the five standard methods. */
const customMethods = [lookupIdentity, ping] as const;

const VERBS = ["list", "get", "create", "update", "delete"] as const;

export const endpoints: readonly Endpoint[] = [
  ...resources.flatMap((resource) => VERBS.map((verb) => resource[verb] as Endpoint)),
  ...(customMethods as readonly unknown[] as readonly Endpoint[]),
];

export const resourceOf = (collection: string): Facts<unknown, unknown> | undefined =>
  resources.find((resource) => resource.collection === collection) as Facts<unknown, unknown> | undefined;
