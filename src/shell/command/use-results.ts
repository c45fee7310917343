import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { SearchIcon } from "lucide-react";
import { startTransition, useEffect, useState } from "react";

import { call } from "~/api/client/client";
import { kindOf } from "platform-contract/kinds";
import { ALL_KINDS } from "platform-contract/registry/tags";
import { countedList } from "platform-contract/resource";

import type { Located } from "./located";
import type { ScanProgress } from "./name-scan";
import type { Pasted } from "./pasted";
import { forgetVisits, recentVisits, type Visit } from "./recent";
import { useScopeLink } from "../links";
import { painted } from "../painted";
import { useRecord } from "../use-current";
import { useGlobalActions } from "./actions";
import { readAtHand, type AtHand } from "./at-hand";
import { recordEntry } from "./entries";
import {
  foundSections,
  isRefusal,
  meantSection,
  offeredAtOnce,
  withoutRepeats,
  type Section,
} from "./sections";
import { useNameScan, useSearch, type NameScan } from "./use-search";

/** Which of these records no longer exist or are out of sight: one request for each of their kinds. */
async function readGone(visits: readonly Visit[], signal: AbortSignal): Promise<readonly Visit[]> {
  const collections = [...new Set(visits.map(({ collection }) => collection))];
  const gone = await Promise.all(
    collections.map(async (collection) => {
      const kind = kindOf(collection);
      if (!kind) return [];
      const sought = visits.filter((visit) => visit.collection === collection);
      const query = {
        ...(collection === "tags" && ALL_KINDS),
        "uidp.ids": sought.map(({ uid }) => uid),
        page_size: sought.length,
      };
      try {
        const { items } = await call(countedList(kind), { query, signal });
        const there = new Set(items.map(({ uid }) => uid));
        return sought.filter(({ uid }) => !there.has(uid));
      } catch {
        // Nothing is known about these.
        return [];
      }
    }),
  );
  return gone.flat();
}

/** True while a scan reads, and once it has read everything. */
const isWhole = (progress: ScanProgress | undefined): boolean =>
  progress?.state === "reading" || progress?.state === "done";

/** Recent records that no longer exist or are out of sight, by the ids of their entries; asked when it opens. */
function useGone(): ReadonlySet<string> {
  const [visits] = useState(recentVisits);
  const { data } = useQuery({
    queryKey: ["command-palette", "recent", visits],
    queryFn: async ({ signal }) => {
      const gone = await readGone(visits, signal);
      forgetVisits(gone);
      return gone;
    },
    enabled: visits.length > 0,
    gcTime: 0,
  });
  return new Set(data?.map(({ collection, uid }) => `recent ${collection} ${uid}`));
}

/** What is available since the palette opened, without recent records that are gone. */
function useAtHand(): AtHand {
  const client = useQueryClient();
  const router = useRouter();
  const linkTo = useScopeLink();
  const shown = useRecord()?.uid;
  // Read once on opening: it depends on the element focused at that time.
  const everywhere = useGlobalActions();
  const [read] = useState(() => readAtHand(client, linkTo, shown, router.options.context.config, everywhere));
  const gone = useGone();
  return { ...read, recent: read.recent.filter(({ id }) => !gone.has(id)) };
}

/** Records whose names contain the text, and the entry that reads further lists for them. */
function partSection(typed: string, { progress, start }: NameScan): Section {
  const text = `\u201c${typed.trim()}\u201d`;
  const label = progress ? `Read on for names that contain ${text}` : `Find names that contain ${text}`;
  const scan = { id: "scan", label, icon: SearchIcon, run: start };
  const found = (progress?.found ?? []).map((each) => recordEntry("part", each));
  return { heading: "Part of a name", entries: isWhole(progress) ? found : [...found, scan] };
}

/** The page of a pasted address. */
const pageSection = (path: string, open: (path: string) => void): Section => ({
  heading: "Go to",
  entries: [{ id: "page", label: "Open this page", detail: path, icon: SearchIcon, run: () => open(path) }],
});

const CAN_BE_PARTS: readonly Pasted["is"][] = ["name", "uid part", "vulnerability part"];

interface Results {
  readonly sections: readonly Section[];
  /** False in the first frame, which has no sections yet. */
  readonly filled: boolean;
  readonly located: Located | undefined;
  /** True until the response for the current text arrives. */
  readonly searching: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly scan: NameScan;
}

/** Everything that the palette shows for a text, in sections. */
export function useResults(typed: string): Results {
  const router = useRouter();
  const linkTo = useScopeLink();
  const atHand = useAtHand();
  const { pasted, located, searching, error, retry } = useSearch(typed);
  const offered = offeredAtOnce(typed, pasted, atHand, located);
  // By itself only where nothing else answers; a single letter is in most names.
  const isLost = offered.every(({ heading }) => heading === "Recent") && located?.found.length === 0;
  const scan = useNameScan(typed, pasted.is === "name" && typed.trim().length > 1 && isLost);
  // The field opens at once; its options follow in the next frame.
  const [filled, setFilled] = useState(false);
  useEffect(() => {
    void painted().then(() => startTransition(() => setFilled(true)));
  }, []);
  const open = (path: string): void => router.history.push(`${router.basepath.replace(/\/$/, "")}/${path}`);
  const found = foundSections(typed, located, atHand, linkTo);
  const sections = filled
    ? withoutRepeats([
        ...(pasted.is === "page" ? [pageSection(pasted.path, open)] : []),
        // The record that an error is about comes before what helps in general; of a refusal, why comes first.
        ...(pasted.is === "error" && !isRefusal(pasted.error)
          ? [...found, ...offered]
          : [...offered, ...found]),
        ...(isLost && pasted.is === "name" ? meantSection(typed, atHand) : []),
        ...(CAN_BE_PARTS.includes(pasted.is) ? [partSection(typed, scan)] : []),
      ])
    : [];
  return { sections, filled, located, searching, error, retry, scan };
}
