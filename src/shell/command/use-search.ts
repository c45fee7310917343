import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { everyKind } from "platform-contract/kinds";
import type { Kind } from "platform-contract/kind";
import { locate } from "./locate";
import type { Located } from "./located";
import { scanNames, type ScanProgress } from "./name-scan";
import { readPasted, type Pasted } from "./pasted";
import { hasNames } from "./unnamed";

/** Debounce before searching, in ms. */
const DEBOUNCE_MS = 150;

/** The kinds that the user can list; those with the most records last. */
function useListed(): readonly Kind[] {
  const refusal = useRefusal();
  const { config } = useRouteContext({ from: "__root__" });
  return everyKind
    .filter(({ extension }) => extension === undefined || config[extension])
    .filter(({ access }) => refusal({ access: access.list }, undefined) === undefined)
    .toSorted((a, b) => Number(a.parent !== "groups") - Number(b.parent !== "groups"));
}

interface Search {
  readonly pasted: Pasted;
  readonly located: Located | undefined;
  /** True until the response for the current text arrives. */
  readonly searching: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Searches for what a text refers to, debounced. */
export function useSearch(typed: string): Search {
  const client = useQueryClient();
  const { config } = useRouteContext({ from: "__root__" });
  const listed = useListed();
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { baseUrl, registryHost } = config;
  const pasted = readPasted(typed, baseUrl);
  const asks = pasted.is !== "nothing" && pasted.is !== "page";
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["command-palette", settled],
    queryFn: ({ signal }) =>
      locate(readPasted(settled, baseUrl), { client, kinds: listed, registryHost, signal }),
    enabled: asks && settled === typed,
    staleTime: 0,
    gcTime: 0,
  });
  const current = asks && settled === typed;
  return {
    pasted,
    located: current && !isFetching ? data : undefined,
    searching: asks && (!current || isFetching),
    error: current && !isFetching ? error : undefined,
    retry: () => void refetch(),
  };
}

/** A scan of lists for part of a name. */
export interface NameScan {
  /** Undefined until it starts. */
  readonly progress: ScanProgress | undefined;
  readonly start: () => void;
  readonly stop: () => void;
}

/** How many records are read for part of a name without being asked to. */
const AUTO_SCAN_ROWS = 2_000;

/**
 * Scans lists for part of a name: a few records by itself while `unasked` is true, everything on request. Ends when the
 * text changes.
 */
export function useNameScan(typed: string, unasked: boolean): NameScan {
  const client = useQueryClient();
  const listed = useListed().filter((kind) => kind.screens && hasNames(kind));
  const [progress, setProgress] = useState<ScanProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      running.current?.abort();
      setProgress(undefined);
    },
    [typed],
  );
  const scan = (most?: number): void => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const tell = (next: ScanProgress) => {
      // A stopped scan still reports its end; a replaced one reports nothing.
      if (running.current?.signal === signal) setProgress(next);
    };
    void scanNames(typed.trim(), listed, client, signal, tell, most);
  };
  const begin = useEffectEvent(() => scan(AUTO_SCAN_ROWS));
  useEffect(() => {
    if (unasked) begin();
  }, [unasked, typed]);
  return { progress, start: () => scan(), stop: () => running.current?.abort() };
}
