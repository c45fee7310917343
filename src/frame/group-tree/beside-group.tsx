import { useInfiniteQuery } from "@tanstack/react-query";
import { Building2Icon, FolderIcon } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import { FindGroup } from "./find-group";
import classes from "./find-group.module.css";
import { levelQuery, toNode } from "./levels";
import { TOP } from "./rows";
import type { LinkTo } from "./tree-row";

interface BesideProps {
  /** uid of the group that the others lie beside. */
  readonly uid: string;
  readonly linkTo: LinkTo;
  /** Called when one is chosen in this tab. */
  readonly onChosen: () => void;
}

/** The groups beside another one, as links, and a search over all folders. */
export function BesideGroup({ uid, linkTo, onChosen }: BesideProps): ReactNode {
  const chosen = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    if (ctrlKey || metaKey || shiftKey) return;
    if (target instanceof Element && target.closest("a[data-uid]")) onChosen();
  };
  return (
    <div role="presentation" className={classes["panel"]} onClick={chosen}>
      <FindGroup takesFocus current={uid} linkTo={linkTo}>
        <Siblings uid={uid} linkTo={linkTo} />
      </FindGroup>
    </div>
  );
}

function Siblings({ uid, linkTo }: Pick<BesideProps, "uid" | "linkTo">): ReactNode {
  const level = useInfiniteQuery(levelQuery(parentOf(uid) || TOP));
  const { rows } = rowsOf(level.data);
  if (level.error && rows.length === 0)
    return (
      <FailedPart
        title="Couldn't load these folders"
        error={level.error}
        onRetry={() => void level.refetch()}
      />
    );
  return (
    <>
      <ul
        className={classes["found"]}
        aria-label="Folders beside it"
        aria-busy={level.isPending || undefined}
      >
        {rows.map(toNode).map((node) => (
          <li key={node.uid}>
            <AppLink
              target={linkTo(node.uid)}
              preload={false}
              data-uid={node.uid}
              data-found=""
              tabIndex={node.uid === uid ? 0 : -1}
              aria-current={node.uid === uid ? "true" : undefined}
              className={classes["group"]}
            >
              {parentOf(node.uid) === "" ? <Building2Icon size={14} /> : <FolderIcon size={14} />}
              <span className={classes["texts"]}>
                <bdi className={classes["name"]}>{node.name}</bdi>
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
      {level.hasNextPage ? (
        <button
          type="button"
          className={classes["more"]}
          disabled={level.isFetchingNextPage}
          onClick={() => void level.fetchNextPage()}
        >
          {level.isFetchingNextPage ? "Loading…" : "Load more"}
        </button>
      ) : null}
    </>
  );
}
