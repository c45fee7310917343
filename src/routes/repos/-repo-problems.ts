import * as z from "zod/mini";

import { repos, type RepoInput } from "~/contract/registry/repos";
import type { Problem } from "~/kit/form/problems";

import { changesOf, toBody, type RepoValues } from "./-repo-values";

export interface Judged {
  /** What the form was filled with. */
  readonly opened: RepoValues;
  /** The same as a body; undefined when it is a new one. */
  readonly before: RepoInput | undefined;
}

/**
 * What is wrong with the form, by its field names, which are the API's. Of a stored repo only what was changed is
 * judged: a value that this console would not accept must not stand in the way of another one.
 */
export function problemsOf(values: RepoValues, { opened, before }: Judged): Problem[] {
  const body = toBody(values, opened);
  const changed = before && changesOf(before, body).mask;
  const judged = (repos.request.safeParse(body).error?.issues ?? [])
    .map(({ path, message }) => ({ field: path.join("."), description: message }))
    .filter(({ field }) => changed?.some((each) => field === each || field.startsWith(`${each}.`)) ?? true);
  const nameless = values.name.trim() === "";
  return [
    ...(nameless ? [{ field: "name", description: "Enter a name" }] : []),
    ...(before || values.parent !== "" ? [] : [{ field: "parent", description: "Choose where it belongs" }]),
    ...judged.filter(({ field }) => !(nameless && field === "name")),
  ];
}

/** The form's schema: judges the values, gives the body. */
export const repoSchema = (judged: Judged) =>
  z.pipe(
    z.custom<RepoValues>().check(({ value, issues }) => {
      for (const { field, description } of problemsOf(value, judged))
        issues.push({ code: "custom", message: description, path: field.split("."), input: value });
    }),
    z.transform((values) => toBody(values, judged.opened)),
  );
