import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";

import type { Tag } from "~/contract/registry/tags";
import "~/kit/button-styles";
import { errorFacts } from "~/kit/error-facts";
import { Notice } from "~/kit/notice";

import { tagQuery } from "./-tag-queries";
import type { TagDrawer } from "./-tag-search";

// Nobody needs these before they are asked for.
const TagForm = lazy(() => import("./-tag-form").then((module) => ({ default: module.TagForm })));
const DeleteTag = lazy(() => import("./-delete-tag").then((module) => ({ default: module.DeleteTag })));
const PullDialog = lazy(() => import("./-pull-dialog").then((module) => ({ default: module.PullDialog })));

interface TagDrawersProps {
  /** What the address says is open. */
  readonly drawer: TagDrawer | undefined;
  /** uid of the tag that it is about; a new tag begins with what that one says. */
  readonly item: string | undefined;
  /** The same tag as a list has it: enough to delete it, be it gone meanwhile. */
  readonly known?: Tag | undefined;
  /** uid of the repo that a new one belongs to. */
  readonly repo: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** The forms and questions about tags, each opened by the address (rule 5). */
export function TagDrawers(props: TagDrawersProps): ReactNode {
  const { drawer, item, known, repo, onClose, onDeleted } = props;
  if (drawer === undefined) return null;
  return (
    <Suspense fallback={null}>
      {item !== undefined ? (
        <Existing key={item} uid={item} known={drawer === "create" ? undefined : known} onClose={onClose}>
          {(tag) =>
            drawer === "create" ? (
              <TagForm tag={tag} repo={repo} onClose={onClose} />
            ) : drawer === "pull" ? (
              <PullDialog tag={tag} onClose={onClose} />
            ) : (
              <DeleteTag tag={tag} onClose={onClose} onDeleted={onDeleted} />
            )
          }
        </Existing>
      ) : drawer === "create" && repo !== undefined ? (
        <TagForm repo={repo} onClose={onClose} />
      ) : null}
    </Suspense>
  );
}

interface ExistingProps extends Pick<TagDrawersProps, "known" | "onClose"> {
  readonly uid: string;
  readonly children: (tag: Tag) => ReactNode;
}

/** Reads the tag that it is about. A link may name one that no list has loaded, or that is gone. */
function Existing({ uid, known, onClose, children }: ExistingProps): ReactNode {
  const { data, error } = useQuery({ ...tagQuery(uid), enabled: known === undefined });
  const found = known ?? data;
  if (found) return children(found);
  if (!error) return null;
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title="The tag could not be opened" actions={close}>
      {errorFacts(error).message}
    </Notice>
  );
}
