import type { QueryClient } from "@tanstack/react-query";
import { FolderTreeIcon, ZapIcon } from "lucide-react";

import { groups } from "platform-contract/iam/groups";
import { recentVisits } from "./recent";
import { requestsAction } from "~/frame/request-inspector/record-actions";
import { placeText, readKnown } from "~/frame/scope/ancestors";
import type { LinkTarget } from "~/ui/layout/link";
import { pageActions, type PageAction } from "~/ui/overlay/page-actions";

import { linkOut } from "../links";
import { isOffered } from "../screens";
import { recordEntry, scopeEntry, SCREENS, type Entry } from "./entries";

/** The distinct actions of the page: the primary one first, deletions last. */
function actionEntries(): Entry[] {
  const offered: PageAction[] = [...pageActions(), requestsAction];
  const weight = ({ primary, of, danger }: PageAction) =>
    (primary ? -4 : 0) + (of === undefined ? 0 : -2) + (danger ? 1 : 0);
  const entries = offered
    .toSorted((a, b) => weight(a) - weight(b))
    .map(({ label, of, disabled, link, onSelect }): Entry => ({
      id: `action ${label} ${of ?? ""}`,
      label: of === undefined ? label : `${label}: ${of}`,
      icon: ZapIcon,
      ...(disabled === undefined ? { link, run: onSelect } : { detail: disabled }),
    }));
  return entries.filter(({ id }, index) => entries.findIndex((other) => other.id === id) === index);
}

/** What is available when the palette opens. */
export interface AtHand {
  readonly recent: readonly Entry[];
  /** What can be done from every screen. */
  readonly everywhere: readonly Entry[];
  readonly actions: readonly Entry[];
  readonly scopes: readonly Entry[];
  /** The screens of this service. */
  readonly screens: readonly Entry[];
}

/** Reads recent records except the one on screen, the page's actions, and the loaded groups. */
export function readAtHand(
  client: QueryClient,
  linkTo: (uid: string) => LinkTarget,
  shown: string | undefined,
  config: Parameters<typeof isOffered>[1],
  everywhere: readonly Entry[],
): AtHand {
  const { names } = readKnown(client.getQueriesData({ queryKey: [groups.collection] }));
  const actions = actionEntries();
  return {
    // Those that the page offers itself are about what is on it.
    everywhere: everywhere.filter(({ label }) => !actions.some((of) => of.label === label)),
    recent: recentVisits()
      .filter(({ uid }) => uid !== shown)
      .map((visit) => recordEntry("recent", { ...visit, place: placeText(visit, names) })),
    actions,
    screens: SCREENS.filter(({ link }) => link === undefined || isOffered(link, config)),
    scopes: [
      {
        id: "scope",
        label: "Set scope: all groups",
        icon: FolderTreeIcon,
        link: { to: ".", search: linkOut },
      },
      ...[...names].map(([uid, name]) =>
        scopeEntry(uid, name, placeText({ collection: groups.collection, uid }, names), linkTo),
      ),
    ],
  };
}
