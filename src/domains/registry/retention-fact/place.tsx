import { uidToParam } from "~/frame/scope/uid-param";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { GroupLink } from "~/frame/scope/group-link";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";

/** Address of the retention of a group or repo, or of a report of its runs. */
export const retentionPage = (place: string, isRepo: boolean, run?: string) =>
  linkOptions({
    to: "/retention",
    search: {
      ...(isRepo ? { repo: uidToParam(place) } : { group: uidToParam(place) }),
      ...(run !== undefined && { run: uidToParam(run) }),
    },
  });

interface PlaceLinkProps {
  readonly of: {
    readonly uid: string;
    readonly placeName?: string | undefined;
    readonly isRepo?: boolean | undefined;
  };
}

/** Leads to the retention of a rule's group or repo. */
export function PlaceLink({ of: { uid, placeName, isRepo = false } }: PlaceLinkProps): ReactNode {
  if (placeName === undefined) return isRepo ? <bdi>{shorten(uid)}</bdi> : <GroupLink uid={uid} />;
  return (
    <AppLink target={retentionPage(uid, isRepo)}>
      <bdi>{placeName}</bdi>
    </AppLink>
  );
}
