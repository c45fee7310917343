import type { QueryKey } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";

import { Store } from "~/store";
import { copyText } from "~/ui/display/copy-text";
import { timesOf } from "~/ui/display/times-of";
import type { MenuAction } from "~/ui/overlay/menu";

/** The views of the inspector: the requests of the page, or the raw API response of a record. */
export type InspectorView =
  | { readonly show: "requests" }
  | { readonly show: "json"; readonly of: string; readonly record: object };

const inspector = new Store<InspectorView | undefined>(() => undefined);
/** Key of the list shown on the current screen. */
const list = new Store<QueryKey | undefined>(() => undefined);

/** Opens a view over the page; undefined closes it. */
export const showInspector = inspector.set;

export const useInspector = (): InspectorView | undefined =>
  useSyncExternalStore(inspector.subscribe, inspector.get);

export const screenList = list.get;

/** Declares the screen's list by its query key, so that the inspector shows its requests first. */
export function useScreenList(key: QueryKey): void {
  useEffect(() => {
    list.set(key);
    return () => list.set(undefined);
  });
}

/** The first entries of every record's menu. `name`: the record's name on screen. */
export const recordActions = (record: { readonly uid: string }, name: string): MenuAction[] => [
  { label: "Copy uid", onSelect: () => void copyText(record.uid, "uid") },
  ...(timesOf(record) === ""
    ? []
    : [{ label: "Copy exact times", onSelect: () => void copyText(timesOf(record), "times") }]),
  { label: "Raw JSON", onSelect: () => showInspector({ show: "json", of: name, record }) },
];

export const requestsAction: MenuAction = {
  label: "Show requests",
  onSelect: () => showInspector({ show: "requests" }),
};
