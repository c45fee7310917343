import type { ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";
import { tags } from "~/contract/registry/tags";
import { Counted, DeleteRecord } from "~/resource/delete-record";
import type { DeleteProps } from "~/resource/drawers";
import { useCount } from "~/resource/use-count";

import { repoScreens } from "./data";

/** Every tag of a repo: a list leaves three families of names out unless it is asked for them (contract 1.11). */
const ALL_TAGS = { includeReferrers: true, includeDates: true, includeEpochs: true };

/** Asks before a repo is deleted, and says how many tags go with it. */
export function DeleteRepo(props: DeleteProps<Repo>): ReactNode {
  const { uid } = props.record;
  const count = useCount(tags.list, { "uidp.children_of": uid, ...ALL_TAGS }, uid);
  return (
    <DeleteRecord
      of={repoScreens}
      {...props}
      typeName
      consequence="Nobody can pull its images from then on. This cannot be undone."
    >
      <Counted {...count} what="tags" one="tag goes with it" many="tags go with it" none="It has no tags." />
    </DeleteRecord>
  );
}
