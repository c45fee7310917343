import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { total } from "~/api/queries/queries";
import { parentOf } from "~/contract/aip";
import { ALL_KINDS, tags, type Tag } from "~/contract/registry/tags";
import { DeleteRecord } from "~/resource/delete-record";
import type { DeleteProps } from "~/resource/drawers";
import { formatQuantity } from "~/ui/display/numbers";

import { tagScreens } from "./data";
import classes from "./styles.module.css";

/** Confirms the deletion of a tag, and shows how many other tags of its image remain. */
export function DeleteTag(props: DeleteProps<Tag>): ReactNode {
  const { uid, digest } = props.record;
  const { allowed } = useCan(tags.list, uid);
  const query = { "uidp.children_of": parentOf(uid), digest, ...ALL_KINDS };
  const { data } = useQuery({ ...total(tags.list, query), enabled: allowed && digest !== undefined });
  const others = data === undefined ? undefined : Math.max(0, Number(data) - 1);
  return (
    <DeleteRecord of={tagScreens} {...props} consequence="Pulls of this tag will fail. This can't be undone.">
      <p className={classes["quiet"]}>
        {others === undefined
          ? "Other tags of the same image stay."
          : others === 0
            ? "No other tag points to its image."
            : `The image stays available under ${formatQuantity(others, "other tag", "other tags")}.`}
      </p>
    </DeleteRecord>
  );
}
