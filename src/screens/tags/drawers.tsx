import type { ReactNode } from "react";

import type { Tag } from "~/contract/registry/tags";
import { onDemand } from "~/ui/on-demand";
import { RecordLoader, type DrawersProps } from "~/resource/record-loader";

import { tagQuery } from "./queries";
import type { TagDrawer } from "./search";

// Nobody needs these before they are asked for.
const TagForm = onDemand(async () => (await import("./form")).TagForm);
const DeleteTag = onDemand(async () => (await import("./delete")).DeleteTag);
const PullDialog = onDemand(async () => (await import("./pull-dialog")).PullDialog);

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
    <RecordLoader
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
    </RecordLoader>
  );
}
