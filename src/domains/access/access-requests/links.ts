import type { LinkTarget } from "~/ui/layout/link";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";

/** The page that asks for access to a group. */
export const askPage = (group: string): LinkTarget => ({
  to: "/ask/$uid",
  params: { uid: uidToParam(group) },
});

/** The same as an address to send to someone. */
export const askAddress = (group: string): string =>
  new URL(`ask/${uidToParam(group)}`, document.baseURI).href;

/** The uid in a pasted link of this console, or in the text itself. */
export function groupIn(text: string): string | undefined {
  const found = /(?<![0-9a-f])[0-9a-f]{40}(?:[_/][0-9a-f]{16})*(?![0-9a-f_])/.exec(text)?.[0];
  return found && paramToUid(found);
}
