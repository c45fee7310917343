import { useEffect, useState } from "react";

import { announce } from "../feedback/announcer";

const SHOWN_MS = 1500;

/** Copies, says so, and tells for a moment how it went. `what`: "uid". */
export function useCopy(what: string) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (value: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
      announce(`Copied ${what}`);
    } catch {
      // No permission, or a page without HTTPS: the user can still select the value.
      setState("refused");
      announce(`Couldn't copy ${what}`);
    }
  };
  return { state, copy };
}
