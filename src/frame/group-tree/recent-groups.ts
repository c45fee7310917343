import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { byUids, requestByUids } from "~/api/queries/by-uids";
import { isUid } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { readPreference, writePreference } from "~/ui/preferences";

const KEY = "groups.recent";
const KEPT = 5;

const recent = (): readonly string[] => (readPreference(KEY) ?? "").split(",").filter(isUid);

/** Moves a group to the front of those that the user chose last. */
export function noteGroup(uid: string): void {
  const [newest] = recent();
  if (newest !== uid)
    writePreference(KEY, [uid, ...recent().filter((each) => each !== uid)].slice(0, KEPT).join(","));
}

/** The groups that the user chose last, newest first, as of the first call; without those that are gone. One request. */
export function useRecentGroups(): readonly Group[] {
  const [uids] = useState(recent);
  const { data = [] } = useQuery({
    queryKey: [groups.collection, "recent", uids],
    queryFn: ({ signal }) => byUids(groups.list, uids, signal),
    meta: { requests: () => [requestByUids(groups.list, uids)] },
    enabled: uids.length > 0,
  });
  return uids.flatMap((uid) => data.find((group) => group.uid === uid) ?? []);
}
