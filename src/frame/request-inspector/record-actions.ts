import type { QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";

import { copyText } from "~/ui/display/copy-text";
import { timesOf } from "~/ui/display/times-of";
import type { MenuAction } from "~/ui/overlay/menu";

/** The views of the inspector: the requests of the page, or the raw API response of a record. */
export type InspectorView =
  | { readonly show: "requests" }
  | { readonly show: "json"; readonly of: string; readonly record: object };

let shown: InspectorView | undefined;
/** Key of the list shown on the current screen. */
let list: QueryKey | undefined;
const listeners = new Set<() => void>();

/** Opens a view over the page; undefined closes it. */
export function showInspector(next: InspectorView | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

export const currentInspector = (): InspectorView | undefined => shown;

export function subscribeInspector(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const screenList = (): QueryKey | undefined => list;

/** Declares the screen's list by its query key, so that the inspector shows its requests first. */
export function useScreenList(key: QueryKey): void {
  useEffect(() => {
    list = key;
    return () => {
      list = undefined;
    };
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
