import type { ReactNode } from "react";

import type { Tag } from "~/contract/registry/tags";
import { onDemand } from "~/kit/on-demand";
import { OpenedRecord, type DrawersProps } from "~/parts/opened-record";

import { tagQuery } from "./-tag-queries";
import type { TagDrawer } from "./-tag-search";

// Nobody needs these before they are asked for.
const TagForm = onDemand(async () => (await import("./-tag-form")).TagForm);
const DeleteTag = onDemand(async () => (await import("./-delete-tag")).DeleteTag);
const PullDialog = onDemand(async () => (await import("./-pull-dialog")).PullDialog);

interface TagDrawersProps extends DrawersProps<TagDrawer, Tag> {
  /** uid of the repo that a new one belongs to. */
  readonly repo: string | undefined;
}

/** The forms and questions about tags, each opened by the address; a new tag begins with what `item` says. */
export function TagDrawers({ drawer, item, known, repo, onClose, onDeleted }: TagDrawersProps): ReactNode {
  if (drawer === undefined) return null;
  const creates = drawer === "create";
  if (creates && item === undefined) return repo && <TagForm repo={repo} onClose={onClose} />;
  return (
    <OpenedRecord
      noun="tag"
      uid={item}
      query={tagQuery}
      known={creates ? undefined : known}
      onClose={onClose}
    >
      {(tag) =>
        creates ? (
          <TagForm tag={tag} repo={repo} onClose={onClose} />
        ) : drawer === "pull" ? (
          <PullDialog tag={tag} onClose={onClose} />
        ) : (
          <DeleteTag tag={tag} onClose={onClose} onDeleted={() => onDeleted(tag.uid)} />
        )
      }
    </OpenedRecord>
  );
}
