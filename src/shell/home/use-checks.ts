import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { parentOf } from "platform-contract/aip";
import { announce } from "~/ui/feedback/announcer";
import { useLatest } from "~/ui/use-latest";

import {
  endsSoon,
  resultText,
  SOON_READ,
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
/** A result that read more than what is read unasked: only a press of a button does that again. */
const isExpensive = ({ read }: CheckOutcome, name: LineName): boolean =>
  name !== "advisories" && read > SOON_READ;

/** A check's result, with the time of now. */
const ofNow = <T extends object>(found: T) => ({ ...found, at: Date.now() });

/** The state of each list now, by collection: differs after any change of it. Missing until it is known. */
export type Marks = Readonly<Partial<Record<string, string>>>;

/** The state of the lists that a check reads; undefined until that of each is known. */
export function markOf({ kinds }: Line, marks: Marks): string | undefined {
  const all = kinds.map(({ collection }) => marks[collection]);
  return all.includes(undefined) ? undefined : all.join("; ");
}

/** True if a check's lists have changed since its result. */
export const isOutdated = (line: Line, outcome: CheckOutcome | undefined, marks: Marks): boolean => {
  const mark = markOf(line, marks);
  return mark !== undefined && outcome !== undefined && outcome.mark !== mark;
};

/**
 * Runs the checks of a scope, each aborted on unmount: those of `lines` whose results are missing, old or from before a
 * change when the home page is opened, as far as a few requests lead, and any on request. `lines` is undefined until it is
 * known what the user may see.
 */
export function useChecks(
  group: string | undefined,
  lines: readonly Line[] | undefined,
  known: Outcomes,
  marks: Marks,
) {
  const client = useQueryClient();
  const [doing, setDoing] = useState<Readonly<Partial<Record<LineName, Doing | undefined>>>>({});
  const running = useRef(new Map<LineName, AbortController>());
  const arrived = useRef(false);
  const latest = useLatest(marks);
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
    const before = markOf(line, latest.current);
    try {
      const { runCheck } = await import("./checks");
      const tell = (reading: CheckReading) => {
        if (!signal.aborted) set(name, { state: "reading", reading });
      };
      const found = await runCheck(name, { client, group, signal, how, tell });
      // A check that stopped before it read anything has no result.
      const mark = before ?? markOf(line, latest.current);
      if (found.complete || found.read > 0) remember(group, name, { ...ofNow(found), ...(mark && { mark }) });
      end(undefined);
      rest = (how === "arrival" || how === "changed") && !signal.aborted && endsSoon(found);
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
      // What changes further up, no list of the scope tells.
      const isFromAbove = line.inherited === true && group !== undefined && parentOf(group) !== "";
      const isOld = before && (isFromAbove || before.at < Date.now() - STALE_AFTER_MS);
      const isDue = !before || (isOld && !isExpensive(before, line.name));
      if (isDue) void check(line, "arrival");
      else if (before && endsSoon(before)) void check(line, "rest");
    }
  });
  const recheck = useEffectEvent((shown: readonly Line[]) => {
    for (const line of shown) {
      const before = known[line.name];
      if (before && isOutdated(line, before, marks) && !isExpensive(before, line.name))
        void check(line, "changed");
    }
  });
  const isReady = lines !== undefined;
  const state = JSON.stringify(marks);
  useEffect(() => {
    if (isReady) recheck(lines);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the lists' state, not the object that has it
  }, [isReady, state]);
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
