import type { LinkTarget } from "~/ui/layout/link";
import type { Address } from "~/frame/scope/address";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";

/** Search parameters of the page that asks for access. */
export interface AskSearch {
  /** What the person wants to do there: "push images". */
  readonly act?: string | undefined;
}

export const readAskSearch = ({ act }: Address): AskSearch =>
  typeof act === "string" && act !== "" ? { act: act.slice(0, 100) } : {};

/** The page that asks for access to a group, perhaps to do something certain there. */
export const askPage = (group: string, act?: string): LinkTarget => ({
  to: "/ask/$uid",
  params: { uid: uidToParam(group) },
  search: { ...(act !== undefined && { act }) },
});

/** The same as an address to send to someone. */
export const askAddress = (group: string): string =>
  new URL(`ask/${uidToParam(group)}`, document.baseURI).href;

/** The uid in a pasted link of this console, or in the text itself. */
export function groupIn(text: string): string | undefined {
  const found = /(?<![0-9a-f])[0-9a-f]{40}(?:[_/][0-9a-f]{16})*(?![0-9a-f_])/.exec(text)?.[0];
  return found && paramToUid(found);
}
