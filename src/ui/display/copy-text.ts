import { announce } from "../feedback/announcer";
import { toast } from "../feedback/toast-store";

/** Copies from a menu, which closes: unlike a copy button it cannot show the tick itself. `what`: "uid". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied the ${what}`);
  } catch {
    // No permission, or a page without https: it stands on the record's own page to be selected by hand.
    announce("Your browser blocked copying");
  }
}
