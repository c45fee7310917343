import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { announce } from "~/ui/feedback/announcer";

import { countOf, type Line, type LineName, type Reading } from "./attention-lines";
import { remember } from "./remembered";

/** State of a check: reading, with the results so far, or failed. */
export type Doing =
  | { readonly state: "reading"; readonly reading: Reading | undefined }
  | { readonly state: "failed"; readonly error: unknown };

/** Runs the checks of a scope. Each starts on request, and is aborted on unmount. */
export function useChecks(group: string | undefined) {
  const client = useQueryClient();
  const [doing, setDoing] = useState<Readonly<Partial<Record<LineName, Doing | undefined>>>>({});
  const running = useRef(new Map<LineName, AbortController>());
  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  const set = (name: LineName, now: Doing | undefined) => setDoing((before) => ({ ...before, [name]: now }));

  /** `more` continues after what was read. */
  async function check({ name, label }: Line, more = false): Promise<void> {
    if (running.current.has(name)) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current.set(name, controller);
    set(name, { state: "reading", reading: undefined });
    try {
      const { runCheck } = await import("./checks");
      const tell = (reading: Reading) => {
        if (!signal.aborted) set(name, { state: "reading", reading });
      };
      const found = await runCheck(name, { client, group, signal, more, tell });
      // A check that stopped before it read anything has no result.
      if (found.complete || found.read > 0) remember(group, name, { ...found, at: Date.now() });
      set(name, undefined);
      if (!signal.aborted) announce(`${label}: ${found.complete ? "" : "at least "}${countOf(found)}`);
    } catch (error) {
      set(name, signal.aborted ? undefined : { state: "failed", error });
    } finally {
      running.current.delete(name);
    }
  }

  return {
    doing,
    check,
    stop: (name: LineName) => running.current.get(name)?.abort(),
    stopAll: () => {
      for (const controller of running.current.values()) controller.abort();
    },
  };
}
