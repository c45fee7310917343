import * as z from "zod/mini";

import { tags, type Tag } from "~/contract/registry/tags";
import type { InputOf } from "~/contract/resource";
import type { Problem } from "~/ui/form/problems";

export type TagInput = InputOf<typeof tags>;

/** The form's fields. */
export interface TagValues {
  name: string;
  digest: string;
  deprecated: boolean;
  bundles: readonly string[];
}

export const emptyTag: TagValues = { name: "", digest: "", deprecated: false, bundles: [] };

/** What the form begins with to put something else under the name of a tag. */
export const fromTag = ({ name, digest = "", deprecated = false, bundles = [] }: Tag): TagValues => ({
  name,
  digest,
  deprecated,
  bundles,
});

/** The whole tag: what is left out of a create is not kept from the tag that it replaces. */
export const toBody = ({ name, digest, deprecated, bundles }: TagValues): TagInput => ({
  name: name.trim(),
  digest: digest.trim(),
  deprecated,
  bundles: [...bundles],
});

function problemsOf(values: TagValues): Problem[] {
  const body = toBody(values);
  if (body.name === "") return [{ field: "name", description: "Enter a name" }, ...judged(body, "name")];
  return judged(body);
}

const judged = (body: TagInput, except?: string): Problem[] => {
  const issues = tags.request.safeParse(body).error?.issues ?? [];
  return issues
    .map(({ path, message }) => ({ field: path.join("."), description: message }))
    .filter(({ field }) => field !== except)
    .map((problem) =>
      problem.field === "digest" && body.digest === ""
        ? { ...problem, description: "Enter a digest" }
        : problem,
    );
};

/** The form's schema: judges the values, gives the body. */
export const tagSchema = z.pipe(
  z.custom<TagValues>().check(({ value, issues }) => {
    for (const { field, description } of problemsOf(value))
      issues.push({ code: "custom", message: description, path: field.split("."), input: value });
  }),
  z.transform(toBody),
);
