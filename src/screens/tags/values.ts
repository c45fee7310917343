import * as z from "zod/mini";

import { tags, type Tag } from "~/contract/registry/tags";
import type { InputOf } from "~/contract/resource";
import { problemsOf } from "~/resource/problems";

export type TagInput = InputOf<typeof tags>;

/** The form's fields. */
export interface TagValues {
  name: string;
  digest: string;
  deprecated: boolean;
  bundles: readonly string[];
}

/** The form's fields for a new tag, or to put another image under the name of a tag. */
export const fromTag = (tag: Partial<Tag> = {}): TagValues => {
  const { name = "", digest = "", deprecated = false, bundles = [] } = tag;
  return { name, digest, deprecated, bundles };
};

/** The whole tag: what is left out of a create is not kept from the tag that it replaces. */
export const toBody = ({ name, digest, deprecated, bundles }: TagValues): TagInput => ({
  name: name.trim(),
  digest: digest.trim(),
  deprecated,
  bundles: [...bundles],
});

/** The form's schema: checks the values, gives the body. */
export const tagSchema = z.pipe(
  z.custom<TagValues>().check(({ value, issues }) => {
    const body = toBody(value);
    for (const { field, description } of problemsOf(tags.request, body, [], undefined)) {
      const message = field === "digest" && body.digest === "" ? "Enter a digest" : description;
      issues.push({ code: "custom", message, path: field.split("."), input: value });
    }
  }),
  z.transform(toBody),
);
