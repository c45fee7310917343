import { identities, type Identity } from "~/contract/iam/identities";
import { GroupsAbove } from "~/features/scope/groups-above";
import type { DeletionWords } from "~/features/bulk-delete/use-delete-many";

import { nameOf } from "./words";

/** What deleting many identities takes to say. */
export const DELETION: DeletionWords<Identity> = {
  resource: identities,
  one: "identity",
  many: "identities",
  nameOf,
  Where: GroupsAbove,
  typed: true,
  consequence:
    "Tokens that they recognise are refused from then on, and their role bindings go with them. This cannot be undone.",
};
