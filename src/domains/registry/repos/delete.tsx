import type { ReactNode } from "react";

import type { Repo } from "platform-contract/registry/repos";
import { ALL_KINDS, tags } from "platform-contract/registry/tags";
import { Counted, DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";
import { useCount } from "~/frame/record/use-count";

import { repoScreens } from "./data";

/** Confirms the deletion of a repo, and shows how many tags are deleted with it. */
export function DeleteRepo(props: DeleteProps<Repo>): ReactNode {
  const { uid } = props.record;
  const count = useCount(tags.list, { "uidp.children_of": uid, ...ALL_KINDS }, uid);
  return (
    <DeleteRecord
      of={repoScreens}
      {...props}
      typeName
      consequence="Pulls from this repo will fail. This can't be undone."
    >
      <Counted
        {...count}
        what="tags"
        one="tag is deleted too"
        many="tags are deleted too"
        none="It has no tags."
      />
    </DeleteRecord>
  );
}
