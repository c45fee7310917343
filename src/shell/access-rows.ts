import type { Endpoint } from "~/contract/endpoint";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { repos } from "~/contract/registry/repos";
import { tags } from "~/contract/registry/tags";

export type Asked = Pick<Endpoint, "access">;

export const VERBS = ["list", "create", "update", "delete"] as const;

/** The rows of the permission table on an overview. */
export const ACCESS_ROWS: readonly {
  readonly label: string;
  readonly methods: Readonly<Record<(typeof VERBS)[number], Asked>>;
}[] = [
  { label: "Groups", methods: groups },
  { label: "Identities", methods: identities },
  { label: "Roles", methods: roles },
  { label: "Role bindings", methods: roleBindings },
  { label: "Repos", methods: repos },
  // A tag is changed by creating it again.
  { label: "Tags", methods: { ...tags, update: tags.create } },
];
