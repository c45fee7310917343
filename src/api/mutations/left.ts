/** The sessionStorage key under which a page that is left stores the deletions that it has just sent. */
export const LEFT_KEY = "pc.deletions";

/** Uids from a page that was just left: a list that is read before its deletions arrive must not show them. */
export function leftUids(): string[] {
  try {
    const left = JSON.parse(sessionStorage.getItem(LEFT_KEY) ?? "{}") as { uids?: string[] };
    return left.uids ?? [];
  } catch {
    return [];
  }
}
