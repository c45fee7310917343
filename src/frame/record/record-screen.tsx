import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Endpoint } from "platform-contract/endpoint";

import { thePast } from "~/api/client/moment";
import { useRefusal } from "~/frame/permissions/use-can";
import { ActionButton } from "~/ui/controls/action-button";
import { Beside } from "./beside";
import { RecordHistory } from "./history";
import { wordFor } from "~/frame/scope/group-words";
import { paramToUid } from "~/frame/scope/uid-param";
import { deleteAction, type MenuAction } from "~/ui/overlay/menu";
import { RecordHeader, RecordPage } from "./record-page";
import { useDeletion } from "./use-deletion";
import { useView } from "~/frame/use-view";

import { iconOfRecord } from "~/frame/kind-icons";
import { useCleanAddress } from "~/frame/clean-address";
import type { Item, PageView, Screens } from "~/frame/define";
import { useOpened } from "~/frame/form/use-opened";

/** Props of a record's header, the same on all tabs of its page. */
export interface RecordFacts<T extends Item, I> {
  readonly of: Screens<T, I>;
  readonly badges?: (record: T) => ReactNode;
  /** Menu entries, before those that every record has. */
  readonly actions?: (record: T) => readonly MenuAction[];
  /** Called after a deletion; default: navigates to the list. */
  readonly onDeleted?: (uid: string) => void;
  /** Navigation between the tabs of the page. */
  readonly tabs?: (uid: string) => ReactNode;
}

interface RecordHeadProps<T extends Item, I> extends RecordFacts<T, I> {
  readonly uid: string;
  /** Undefined while it loads or if it cannot be loaded, on a page that works without it. */
  readonly record: T | undefined;
  /** The open drawer. */
  readonly drawer: string | undefined;
  /** Notice for a record that could not be refreshed. */
  readonly stale?: ReactNode;
  /** The one primary action. */
  readonly children?: ReactNode;
}

/** The header of a record page: its name, its actions, the open drawer, its tabs. */
export function RecordHead<T extends Item, I>(props: RecordHeadProps<T, I>): ReactNode {
  const { of: screens, uid, record, drawer, badges, actions, tabs, stale, children } = props;
  const { drawers: Drawers } = screens;
  const view = useView<PageView>();
  const { open } = view;
  const { shown, close } = useOpened({ drawer }, view.close);
  const navigate = useNavigate();
  const toList = () => void navigate({ to: screens.listPath, replace: true });
  const can = useRefusal();
  const begin = useDeletion(screens, () => open("delete"), props.onDeleted ?? toList);
  const { update, delete: remove } = screens.resource;
  const locked = record && screens.locked(record);
  return (
    <>
      <RecordHeader
        uid={uid}
        record={record}
        name={record ? screens.nameOf(record) : wordFor(screens.resource, uid)}
        icon={iconOfRecord(screens.resource.collection, uid)}
        badges={record && badges?.(record)}
        menu={(common) => [
          ...((record && actions?.(record)) ?? []),
          ...common,
          ...(record && remove
            ? [deleteAction(screens.deletion.label, () => begin(record), locked ?? can(remove, uid))]
            : []),
        ]}
      >
        {record && update ? (
          <ActionButton reason={locked ?? can(update, uid)} onClick={() => open("edit")}>
            Edit
          </ActionButton>
        ) : null}
        {children}
      </RecordHeader>
      {tabs?.(uid)}
      {stale}
      <MomentDifference of={screens.resource.get} uid={uid} />
      {drawer !== undefined && shown && Drawers ? (
        <Drawers
          drawer={drawer}
          item={uid}
          known={record}
          onClose={close}
          onDeleted={props.onDeleted ?? toList}
        />
      ) : null}
    </>
  );
}

/** What of a record differs between the two moments that the page compares. */
function MomentDifference({
  of: get,
  uid,
}: {
  readonly of: Endpoint | undefined;
  readonly uid: string;
}): ReactNode {
  const { comparedWith, RecordDifference } = thePast() ?? {};
  return get && RecordDifference && comparedWith !== undefined ? (
    <RecordDifference get={get} uid={uid} />
  ) : null;
}

interface RecordScreenProps<T extends Item, I> extends RecordFacts<T, I> {
  /** The one primary action. */
  readonly primary?: (record: T) => ReactNode;
  /** True while its display name is loading. */
  readonly pending?: boolean;
  /** Content of the page, below its header. */
  readonly children: (record: T) => ReactNode;
  /** Content that loads later than the record and has any height: only the folded JSON is below it. */
  readonly last?: (record: T) => ReactNode;
}

/** The page of one record; loads it first. */
export function RecordScreen<T extends Item, I>(props: RecordScreenProps<T, I>): ReactNode {
  const { children, primary, last, pending = false, ...facts } = props;
  const { uid = "" } = useParams({ strict: false });
  const { drawer } = useCleanAddress(facts.of.readPage);
  const { collection, create, update, delete: remove } = facts.of.resource;
  // Other tabs are about something else, and what nobody can change here has no history.
  const overview = useSearch({ strict: false, select: (search) => !("tab" in search) });
  const changes = (create ?? update ?? remove) !== undefined;
  return (
    <RecordPage
      param={uid}
      query={facts.of.record}
      icon={iconOfRecord(facts.of.resource.collection, paramToUid(uid))}
      word={wordFor(facts.of.resource, paramToUid(uid))}
      nameOf={facts.of.nameOf}
      pending={pending}
    >
      {(record, stale) => (
        <>
          <RecordHead {...facts} uid={record.uid} record={record} drawer={drawer} stale={stale}>
            {primary?.(record)}
          </RecordHead>
          <Beside
            side={overview && changes ? <RecordHistory record={{ collection, uid: record.uid }} /> : null}
          >
            {children(record)}
            {last?.(record)}
          </Beside>
        </>
      )}
    </RecordPage>
  );
}
