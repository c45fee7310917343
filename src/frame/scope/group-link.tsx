import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Definition } from "~/ui/display/definition-list";
import { AppLink } from "~/ui/layout/link";
import { shorten } from "~/ui/display/shorten";

import { useGroup } from "./group-ancestry";
import { uidToParam } from "./uid-param";

/** The page of a group. */
export const groupPage = (uid: string) =>
  linkOptions({ to: "/groups/$uid", params: { uid: uidToParam(uid) } });

/** A link to a group's page, labeled with its name if readable. */
export function GroupLink({ uid }: { readonly uid: string }): ReactNode {
  const { group, error } = useGroup(uid);
  return (
    <AppLink target={groupPage(uid)}>
      <bdi>{group?.name || (group || error ? shorten(uid) : "…")}</bdi>
    </AppLink>
  );
}

/** What a group is called as the place of a record. */
export const placeWord = (uid: string): "Organization" | "Folder" =>
  parentOf(uid) === "" ? "Organization" : "Folder";

/** The fact that says where a record is. */
export const placeFact = (uid: string): Definition => ({
  term: placeWord(uid),
  value: <GroupLink uid={uid} />,
});
