import type { QueryClient } from "@tanstack/react-query";

import { START } from "~/api/paging/page-reader";
import { readPages } from "~/api/paging/scan-pages";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import { PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import type { Kind } from "platform-contract/kind";
import { countedList } from "platform-contract/resource";
import { ALL_KINDS } from "platform-contract/registry/tags";

import { placeText } from "~/frame/scope/ancestors";
import { readAncestorNames } from "~/frame/scope/read-ancestor-names";
import { formatQuantity } from "~/ui/display/numbers";
import { soFarText } from "~/ui/display/so-far";
import type { FoundRow } from "./ask-lists";
import { inRepo, reposOf, type Found } from "./found";

/** Progress of a search for part of a name. */
export interface ScanProgress {
  /** `full`: ended early with as many matches as are shown; `paused`: with as many records read as it may. */
  readonly state: "reading" | "stopped" | "failed" | "done" | "full" | "paused";
  readonly found: readonly Found[];
  /** Number of rows read. */
  readonly read: number;
  /** The kind being read, or read last: "repos". */
  readonly at: string;
  /** The kinds whose names are searched. */
  readonly kinds: readonly string[];
  /** Those that aren't read to the end: "repos", "tags". */
  readonly unread: readonly string[];
}

/** Maximum number of results. */
export const FULL = 50;

/** True if a row's name or email contains the text, ignoring case. */
const isCalled = (sought: string) => {
  const part = sought.toLowerCase();
  return ({ name = "", email = "" }: FoundRow): boolean =>
    name.toLowerCase().includes(part) || email.toLowerCase().includes(part);
};

/**
 * Reads the lists of these kinds one after another, page by page, for names that contain `part`, which the API cannot
 * filter by. Reports after each page; `signal` stops it, and so does having read about `most` records. Pass kinds with
 * many records last.
 */
export async function scanNames(
  part: string,
  kinds: readonly Kind[],
  client: QueryClient,
  signal: AbortSignal,
  tell: (progress: ScanProgress) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const matches = isCalled(part);
  let progress: ScanProgress = {
    state: "reading",
    found: [],
    read: 0,
    at: "",
    kinds: kinds.map(({ plural }) => plural),
    unread: kinds.map(({ plural }) => plural),
  };
  const say = (change: Partial<ScanProgress>) => {
    progress = { ...progress, ...change };
    tell(progress);
  };
  try {
    for (const [index, kind] of kinds.entries()) {
      if (progress.read >= most) return say({ state: "paused" });
      say({ at: kind.plural });
      const all = kind.collection === "tags" ? ALL_KINDS : {};
      const query = { ...all, order_by: "uid", page_size: PAGE_SIZE_MAX };
      const list = infinite(countedList(kind), query);
      const retryPolicy = retryPolicyOf(client);
      // oxlint-disable-next-line no-await-in-loop -- one list at a time, so that it can be stopped
      for await (const { page, cursor } of readPages<FoundRow>(
        list,
        START,
        retryPolicy,
        signal,
        most - progress.read,
      )) {
        const rows = page.items.filter(matches);
        const names =
          rows.length > 0
            ? await readAncestorNames(
                client,
                rows.map(({ uid }) => ({ uid: kind.parent === "repos" ? parentOf(uid) : uid })),
              ).catch(() => new Map())
            : new Map<string, string>();
        const { collection, parent } = kind;
        // oxlint-disable-next-line no-await-in-loop -- the page after it waits for the same
        const repos = await reposOf(parent === "repos" ? rows.map(({ uid }) => uid) : []);
        if (signal.aborted) return;
        const found = rows.map((row) => ({
          collection,
          uid: row.uid,
          name: inRepo(row, repos) ?? row.name ?? "",
          place: placeText({ collection, uid: row.uid }, names),
        }));
        say({
          found: [...progress.found, ...found].slice(0, FULL),
          read: progress.read + page.items.length,
          unread: kinds.slice(cursor.done ? index + 1 : index).map(({ plural }) => plural),
        });
        if (progress.found.length === FULL) return say({ state: "full" });
      }
    }
    say({ state: progress.unread.length > 0 ? "paused" : "done" });
  } catch {
    say({ state: signal.aborted ? "stopped" : "failed" });
  }
}

const and = (names: readonly string[]): string => new Intl.ListFormat("en").format(names);

/** The status text of a scan. */
export function scanText({ state, found, read, at, kinds, unread }: ScanProgress): string {
  if (state === "full") return "Showing the first few. Keep typing to narrow.";
  if (state === "done")
    return `${formatQuantity(found.length, "match", "matches")} in ${formatQuantity(read, "record", "records")}: ${and(kinds)}`;
  if (state === "reading" && found.length === 0)
    return `${formatQuantity(read, "record", "records")} read, reading ${at}\u2026`;
  const names = and(unread.map((kind) => (kind === at && read > 0 ? `the rest of the ${kind}` : kind)));
  return state === "reading"
    ? `${formatQuantity(found.length, "match", "matches")} in ${formatQuantity(read, "record", "records")} so far, reading ${at}\u2026`
    : soFarText({ found: found.length, read, what: "records", unread: names });
}
