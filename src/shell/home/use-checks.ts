import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { announce } from "~/ui/feedback/announcer";

import {
  endsSoon,
  resultText,
  type Line,
  type LineName,
  type CheckOutcome,
  type CheckReading,
} from "./attention-lines";
import type { HomeCheck } from "./checks";
import { remember, type Outcomes } from "./remembered";

/** State of a check: reading, with the results so far, or failed. */
export type Doing =
  | { readonly state: "reading"; readonly reading: CheckReading | undefined }
  | { readonly state: "failed"; readonly error: unknown };

/** Results of at most this age, in ms, are not read again on arrival. */
const STALE_AFTER_MS = 10 * 60_000;
/** A result that read more than one page: only a press of a button does that again. */
const isExpensive = ({ read }: CheckOutcome, name: LineName): boolean =>
  name !== "advisories" && read > PAGE_SIZE_MAX;

/** A check's result, with the time of now. */
const ofNow = <T extends object>(found: T) => ({ ...found, at: Date.now() });

/**
 * Runs the checks of a scope, each aborted on unmount: those of `lines` whose results are missing or old when the home
 * page is opened, as far as a few requests lead, and any on request. `lines` is undefined until it is known what the
 * user may see.
 */
export function useChecks(group: string | undefined, lines: readonly Line[] | undefined, known: Outcomes) {
  const client = useQueryClient();
  const [doing, setDoing] = useState<Readonly<Partial<Record<LineName, Doing | undefined>>>>({});
  const running = useRef(new Map<LineName, AbortController>());
  const arrived = useRef(false);
  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers.values()) controller.abort();
      // Effects can begin again, as in `StrictMode`: that is another arrival.
      controllers.clear();
      arrived.current = false;
    };
  }, []);

  const set = (name: LineName, now: Doing | undefined) => setDoing((before) => ({ ...before, [name]: now }));

  async function check(line: Line, how: HomeCheck["how"] = "press"): Promise<void> {
    const { name } = line;
    let rest = false;
    if (running.current.has(name)) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current.set(name, controller);
    const end = (now: Doing | undefined) => {
      if (running.current.get(name) === controller) set(name, now);
    };
    set(name, { state: "reading", reading: undefined });
    try {
      const { runCheck } = await import("./checks");
      const tell = (reading: CheckReading) => {
        if (!signal.aborted) set(name, { state: "reading", reading });
      };
      const found = await runCheck(name, { client, group, signal, how, tell });
      // A check that stopped before it read anything has no result.
      if (found.complete || found.read > 0) remember(group, name, ofNow(found));
      end(undefined);
      rest = how === "arrival" && !signal.aborted && endsSoon(found);
      if (!signal.aborted && (how === "press" || how === "more")) announce(resultText(line, found));
    } catch (error) {
      end(signal.aborted ? undefined : { state: "failed", error });
    } finally {
      if (running.current.get(name) === controller) running.current.delete(name);
    }
    if (rest) await check(line, "rest");
  }

  const arrive = useEffectEvent((shown: readonly Line[]) => {
    arrived.current = true;
    for (const line of shown) {
      const before = known[line.name];
      const isDue = !before || (before.at < Date.now() - STALE_AFTER_MS && !isExpensive(before, line.name));
      if (isDue) void check(line, "arrival");
      else if (before && endsSoon(before)) void check(line, "rest");
    }
  });
  const isReady = lines !== undefined;
  useEffect(() => {
    if (isReady && !arrived.current) arrive(lines);
  }, [isReady, lines]);

  return {
    doing,
    check,
    stopAll: () => {
      for (const controller of running.current.values()) controller.abort();
    },
  };
}
