import type { ReactNode } from "react";

import { tags } from "~/contract/registry/tags";
import { NotFound, NothingYet } from "~/ui/feedback/empty";
import { NoRows } from "~/resource/no-rows";

import { kindsOf, KINDS, type TagListSearch } from "./search";
import { filterWords } from "./words";

interface NoTagsProps {
  /** uid of the repo whose tags they would be, and whether there is none that the caller may see. */
  readonly repo: string | undefined;
  readonly missing: boolean;
  /** uid of the group that the list is limited to otherwise. */
  readonly group: string | undefined;
  readonly search: TagListSearch;
  readonly onClear: () => void;
  /** The page's primary action. */
  readonly action: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoTags({ repo, missing, group, search, onClear, action }: NoTagsProps): ReactNode {
  const hidden = kindsOf(search).length < KINDS.length;
  return (
    <NoRows
      list={tags.list}
      what="tags"
      group={repo === undefined ? group : undefined}
      within={repo}
      missing={missing ? <NotFound kind="repo" sought={repo} /> : undefined}
      filters={filterWords(search)}
      onClear={onClear}
    >
      <NothingYet title={hidden ? "No tags to show here" : "No tags here yet"} action={action}>
        A tag is a name for an image, such as latest or 1.27.3.
        {hidden ? " Dated, epoch and referrer tags are shown when you choose them." : null}
      </NothingYet>
    </NoRows>
  );
}
