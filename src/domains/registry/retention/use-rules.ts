import { useState } from "react";

import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

import { NO_RULES, readRules, rulesFile, type Rules } from "./rules";

/** A console at another path of the same host has another API but the same storage. */
const keyOf = (owner: string, place: string): string => `pc.retention ${owner} ${document.baseURI} ${place}`;

function load(key: string): Rules | undefined {
  try {
    return readRules(localStorage.getItem(key) ?? "");
  } catch {
    // Nothing was kept, or another version of the console wrote it.
    return undefined;
  }
}

/** The rules of a repo or folder, stored in this browser with each change; `stored` is false if it has no room. */
export function useRules(place: string) {
  const key = keyOf(ownerOf(usePerson()), place);
  const [rules, setRules] = useState(() => load(key) ?? NO_RULES);
  const [stored, setStored] = useState(true);
  const set = (next: Rules): void => {
    setRules(next);
    try {
      localStorage.setItem(key, rulesFile(next));
      setStored(true);
    } catch {
      setStored(false);
    }
  };
  return { rules, set, stored };
}
