import { tags, type Tag } from "~/contract/registry/tags";
import type { DeletionWords } from "~/features/bulk-delete/use-delete-many";

import { nameOf, RepoOf } from "./columns";

/** What deleting many tags takes to say. */
export const DELETION: DeletionWords<Tag> = {
  resource: tags,
  one: "tag",
  many: "tags",
  nameOf,
  Where: RepoOf,
  consequence:
    "Whoever pulls by these names no longer finds an image; other names of the same images stay. This cannot be undone.",
};
