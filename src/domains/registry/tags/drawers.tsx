import type { ReactNode } from "react";

import type { Tag } from "platform-contract/registry/tags";
import type { DrawersProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";

import { tagScreens } from "./data";
import { DeleteTag } from "./delete";
import { TagForm } from "./form";
import { PullDialog } from "./pull-dialog";

/** The forms and dialogs for tags. Creating one with `item` starts with that tag's values. */
export function TagDrawers(props: DrawersProps<Tag>): ReactNode {
  const { drawer, item, known, scope, onClose, onDeleted } = props;
  if (drawer === "create" && item === undefined) return scope && <TagForm repo={scope} onClose={onClose} />;
  // Belongs to the repo.
  if (drawer === "edit") return null;
  return (
    <RecordLoader
      noun="tag"
      uid={item}
      query={tagScreens.record}
      known={drawer === "create" ? undefined : known}
      onClose={onClose}
    >
      {(tag) => {
        if (drawer === "create") return <TagForm tag={tag} onClose={onClose} />;
        if (drawer === "pull") return <PullDialog tag={tag} onClose={onClose} />;
        return <DeleteTag record={tag} onClose={onClose} onDeleted={() => onDeleted(tag.uid)} />;
      }}
    </RecordLoader>
  );
}
