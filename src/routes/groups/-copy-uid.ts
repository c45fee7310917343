import { announce } from "~/kit/announcer";
import { toast } from "~/kit/toast-store";

/** Copies a uid from a menu, which closes: unlike a copy button it cannot show the tick itself. */
export async function copyUid(uid: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(uid);
    toast("Copied the uid");
  } catch {
    // No permission, or a page without https: the uid stands on the record's own page to be selected by hand.
    announce("The browser refused to copy");
  }
}
