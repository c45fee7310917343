import { toast } from "../feedback/toast-store";

/** Copies from a menu, which closes: unlike a copy button, it cannot show a check mark. `what`: "uid". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied the ${what}`);
  } catch {
    // No permission, or a page without HTTPS.
    toast(`Couldn't copy the ${what}: your browser blocked it`, undefined, "info");
  }
}
