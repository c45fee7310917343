import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { isWithin, parentOf } from "platform-contract/aip";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { placeWord } from "~/frame/scope/group-link";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { Code } from "~/ui/display/code";

/** By its name for those who have a role there and ask for more; nothing is asked about it for anybody else, who read so. */
export function Place({ uid }: { readonly uid: string }): ReactNode {
  const { bindings, state } = useCurrentUser();
  const enabled = bindings.some((binding) => isWithin(uid, parentOf(binding.uid)));
  const { data: group } = useQuery({ ...groupQuery(uid), enabled });
  return (
    <>
      {group ? (
        <>
          <strong>
            <bdi>{group.name}</bdi>
          </strong>{" "}
        </>
      ) : enabled || state === "loading" ? null : (
        <>{placeWord(uid)} that you can&apos;t see: </>
      )}
      <Code value={uid} what="uid" />
    </>
  );
}
