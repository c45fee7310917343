import type { QueryClient } from "@tanstack/react-query";

import { rootOf } from "~/contract/aip";
import { copyText } from "~/ui/display/copy-text";

import { groupQuery } from "../scope/group-ancestry";
import { repoPath } from "./pull-reference";

/** What the path of a repo consists of; undefined what this person may not see. */
export interface ReferenceNames {
  readonly organization: string | undefined;
  readonly repo: string | undefined;
}

/** The name of the organization above a record; undefined where this person may not see it. */
export const organizationName = (client: QueryClient, uid: string): Promise<string | undefined> =>
  client.ensureQueryData(groupQuery(rootOf(uid))).then(
    ({ name }) => name,
    () => undefined,
  );

/** The path of a repo in the registry, or why it has none, in a sentence. */
export function registryPath(names: ReferenceNames): { readonly path?: string; readonly problem: string } {
  const { organization, repo } = names;
  if (organization === undefined || repo === undefined) {
    const hidden = organization === undefined ? "organization" : "repo";
    return { problem: `The reference contains the name of the ${hidden}, which you don't have access to.` };
  }
  const path = repoPath(organization, repo);
  return path === undefined
    ? { problem: "The organization's name has no characters that a reference can contain." }
    : { path, problem: "" };
}

/** Copies a reference, and says so where the registry's address is not part of it. */
export const copyReference = (reference: string, host: string | undefined): Promise<void> =>
  copyText(
    reference,
    host === undefined ? "reference. The registry address is missing from it." : "reference",
  );
