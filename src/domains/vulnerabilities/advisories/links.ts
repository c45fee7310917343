import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/frame/scope/uid-param";

import { writeItem, type PastedItem } from "./pasted/item";

/** The page of one advisory. */
export const advisoryPage = (uid: string) =>
  linkOptions({ to: "/advisories/$uid", params: { uid: uidToParam(uid) } });

/** The page that shows whether a vulnerability affects anything in the scope. */
export const affectedBy = (id: string, version?: string) =>
  linkOptions({ to: "/affected", search: { id, ...(version && { version }) } });

/** How many things one address asks about: proxies refuse addresses of more than 8 kB. */
export const MOST_ASKED = 100;
const MOST_CHARS = 6_000;

/** The page that answers what was read from a text. An id alone has an address of its own. */
export function affectedItems(items: readonly PastedItem[], version = "") {
  const [only] = items;
  if (only && items.length === 1) {
    if (only.id !== undefined && only.name === undefined) return affectedBy(only.id, version);
    return addressOf([withVersion(only, version)]);
  }
  return addressOf(items);
}

/** The version of the form counts where the text has none. */
function withVersion(item: PastedItem, version: string): PastedItem {
  const { name = item.word, word: _, ...rest } = item;
  return version === "" || name === undefined || item.version !== undefined
    ? item
    : { ...rest, name, version };
}

function addressOf(items: readonly PastedItem[]) {
  let room = MOST_CHARS;
  const asked = items.slice(0, MOST_ASKED).flatMap((item) => {
    const text = writeItem(item);
    room -= text.length + 1;
    return room < 0 ? [] : [text];
  });
  return linkOptions({
    to: "/affected",
    search: {
      ask: asked.join(" "),
      ...(asked.length < items.length && { of: String(items.length) }),
    },
  });
}
