import { linkOptions } from "@tanstack/react-router";

import type { LinkTarget } from "~/kit/link";
import { uidToParam } from "~/parts/uid-param";

import type { ContentKind } from "./contents";

/** Where the records of a kind that lie directly in a group are listed, as far as there is a screen for them. */
export function listOf(kind: ContentKind, uid: string): LinkTarget | undefined {
  const search = { group: uidToParam(uid), reach: "here" } as const;
  if (kind === "folders") return linkOptions({ to: "/groups", search });
  if (kind === "identities") return linkOptions({ to: "/identities", search });
  if (kind === "repos") return linkOptions({ to: "/repos", search });
  return undefined;
}
