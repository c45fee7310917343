import { tags, type Tag } from "~/contract/registry/tags";
import type { DeletionWords } from "~/parts/ledger/use-delete-many";

/** What deleting many tags takes to say. */
export const DELETION: DeletionWords<Tag> = {
  resource: tags,
  one: "tag",
  many: "tags",
  nameOf: ({ name }) => name,
  consequence:
    "Whoever pulls by these names no longer finds an image; other names of the same images stay. This cannot be undone.",
};
