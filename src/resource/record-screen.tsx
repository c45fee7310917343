import { useNavigate, useParams } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { ActionButton } from "~/ui/controls/action-button";
import { deleteAction, type MenuAction } from "~/ui/overlay/menu";
import { shorten } from "~/ui/display/shorten";
import { RecordHeader, RecordPage } from "./record-page";
import { useDeletion } from "./use-deletion";
import { useView } from "./use-view";

import { useCleanAddress } from "./clean-address";
import type { Item, PageView, Screens } from "./define";
import type { DrawersProps } from "./drawers";

/** What the head of a record says and offers, the same on all tabs of its page. */
export interface RecordFacts<T extends Item, I> {
  readonly of: Screens<T, I>;
  /** Left out where nobody can change one. */
  readonly drawers?: ComponentType<DrawersProps<T>>;
  readonly badges?: (record: T) => ReactNode;
  /** In its menu, before what every record has. */
  readonly actions?: (record: T) => readonly MenuAction[];
  /** After it is gone; leads to the list unless something else is to happen. */
  readonly onDeleted?: (uid: string) => void;
  /** Navigation between the tabs of the page. */
  readonly tabs?: (uid: string) => ReactNode;
}

interface RecordHeadProps<T extends Item, I> extends RecordFacts<T, I> {
  readonly uid: string;
  /** Undefined while it is read, or where it cannot be read, on a page that does without it. */
  readonly record: T | undefined;
  /** The drawer that is open over the page. */
  readonly drawer: string | undefined;
  /** What to say over a record that could not be read again. */
  readonly stale?: ReactNode;
  /** The one primary action. */
  readonly children?: ReactNode;
}

/** The head of a record's page: what it is called, what can be done with it, the drawer that is open, its tabs. */
export function RecordHead<T extends Item, I>(props: RecordHeadProps<T, I>): ReactNode {
  const {
    of: screens,
    drawers: Drawers,
    uid,
    record,
    drawer,
    badges,
    actions,
    tabs,
    stale,
    children,
  } = props;
  const { open, close } = useView<PageView>();
  const navigate = useNavigate();
  const toList = () => void navigate({ to: screens.listPath as "/", replace: true });
  const can = useRefusal();
  const begin = useDeletion(screens, () => open("delete"), props.onDeleted ?? toList);
  const { update, delete: remove } = screens.resource;
  const locked = record && screens.locked(record);
  return (
    <>
      <RecordHeader
        uid={uid}
        record={record}
        name={record ? screens.nameOf(record) : shorten(uid)}
        badges={record && badges?.(record)}
        menu={(common) => [
          ...((record && actions?.(record)) ?? []),
          ...common,
          ...(record && remove ? [deleteAction(() => begin(record), locked ?? can(remove, uid))] : []),
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
      {drawer === undefined || !Drawers ? null : (
        <Drawers
          drawer={drawer}
          item={uid}
          known={record}
          onClose={close}
          onDeleted={props.onDeleted ?? toList}
        />
      )}
    </>
  );
}

interface RecordScreenProps<T extends Item, I> extends RecordFacts<T, I> {
  /** The one primary action. */
  readonly primary?: (record: T) => ReactNode;
  /** What the page says, beneath its head. */
  readonly children: (record: T) => ReactNode;
  /** What comes later than the record and is of any height: it stands last, so that it moves nothing. */
  readonly last?: (record: T) => ReactNode;
}

/** The page of one record, which is read first. */
export function RecordScreen<T extends Item, I>(props: RecordScreenProps<T, I>): ReactNode {
  const { children, primary, last, ...facts } = props;
  const { uid = "" } = useParams({ strict: false });
  const { drawer } = useCleanAddress(facts.of.readPage);
  return (
    <RecordPage param={uid} query={facts.of.record} nameOf={facts.of.nameOf} {...(last && { last })}>
      {(record, stale) => (
        <>
          <RecordHead {...facts} uid={record.uid} record={record} drawer={drawer} stale={stale}>
            {primary?.(record)}
          </RecordHead>
          {children(record)}
        </>
      )}
    </RecordPage>
  );
}
