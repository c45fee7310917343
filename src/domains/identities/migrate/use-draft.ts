import { useState } from "react";
import * as z from "zod/mini";

import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { GITHUB_ISSUER } from "~/domains/identities/identities/github";

import { editSchema } from "./edit";
import { MOVES, type RuleMapping } from "./proposal";

const draft = z.object({
  mapping: z.object({
    move: z.enum(MOVES),
    issuer: z.string(),
    newIssuer: z.string(),
    owner: z.string(),
    newOwner: z.string(),
    suffix: z.string(),
  }),
  edits: z.record(z.string(), editSchema),
});
export type Draft = z.infer<typeof draft>;

/** What each move begins with. */
export const startOf = (move: RuleMapping["move"], issuer = GITHUB_ISSUER): RuleMapping => ({
  move,
  issuer,
  newIssuer: move === "gitlab" ? "https://gitlab.com" : "",
  owner: "",
  newOwner: "",
  suffix: move === "gitlab" ? "-gitlab" : "-new",
});

/** A console at another path of the same host has another API but the same storage. */
const keyOf = (owner: string, group: string): string => `pc.migrate ${owner} ${document.baseURI} ${group}`;

function load(key: string): Draft | undefined {
  try {
    return draft.parse(JSON.parse(sessionStorage.getItem(key) ?? ""));
  } catch {
    // Nothing was kept, or another version of the console wrote it.
    return undefined;
  }
}

/** The mapping of a group, kept in this tab with each change. */
export function useDraft(group: string) {
  const key = keyOf(ownerOf(usePerson()), group);
  const [state, setState] = useState<Draft>(() => load(key) ?? { mapping: startOf("gitlab"), edits: {} });
  const set = (next: Draft): void => {
    setState(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // No room: it lasts until the page is left.
    }
  };
  return { ...state, set };
}
