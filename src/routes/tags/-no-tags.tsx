import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { tags } from "~/contract/registry/tags";
import { NotFound, NothingMatches, NothingVisible, NothingYet, NotPermitted } from "~/kit/empty";

import { kindsOf, KINDS, type TagListSearch } from "./-tag-search";
import { filterWords } from "./-tag-words";

interface NoTagsProps {
  /** uid of the repo that was asked for, when there is none that the caller may see. */
  readonly repo: string | undefined;
  /** uid of the repo or the group that the list is limited to. */
  readonly within: string | undefined;
  readonly search: TagListSearch;
  readonly onClear: () => void;
  /** The page's primary action. */
  readonly action: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoTags({ repo, within, search, onClear, action }: NoTagsProps): ReactNode {
  const { state } = useWho();
  const list = useCan(tags.list, within);
  const filters = filterWords(search);
  if (!list.allowed && state !== "nobody")
    return <NotPermitted to="see tags here" capability={list.capability} />;
  if (repo !== undefined) return <NotFound kind="repo" sought={repo} />;
  if (filters.length > 0) return <NothingMatches what="tags" filters={filters} onClear={onClear} />;
  if (state === "unknown") return <NothingVisible />;
  const hidden = kindsOf(search).length < KINDS.length;
  return (
    <NothingYet title={hidden ? "No tags to show here" : "No tags here yet"} action={action}>
      A tag is a name for an image, such as latest or 1.27.3.
      {hidden ? " Dated, epoch and referrer tags are shown when you choose them." : null}
    </NothingYet>
  );
}
