import type { LinkTarget } from "~/ui/layout/link";
import { useListLink } from "~/resource/list-link";

import type { ContentKind } from "./contents";

const COLLECTIONS: Readonly<Record<ContentKind, string>> = {
  folders: "groups",
  identities: "identities",
  roles: "roles",
  bindings: "roleBindings",
  repos: "repos",
};

/** Where the records of a kind that lie directly in a group are listed, as far as there is a screen for them. */
export function useListOf(uid: string): (kind: ContentKind) => LinkTarget | undefined {
  const linkTo = useListLink();
  return (kind) => linkTo(COLLECTIONS[kind], uid, "here");
}
