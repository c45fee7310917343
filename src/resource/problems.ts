import type { Schema } from "~/contract/endpoint";
import type { Problem } from "~/ui/form/problems";

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && value.trim() === "");

/**
 * What is wrong with a body, by the API's field names: `more`, then what the contract finds. Of a stored record only what
 * the update names (`mask`) is judged: a value that this console would not accept must not stand in the way of another one.
 */
export function problemsOf(
  request: Schema,
  body: object,
  more: readonly Problem[],
  mask: readonly string[] | undefined,
): Problem[] {
  const nameless = isBlank((body as { readonly name?: unknown }).name);
  const issues = request.safeParse(body).error?.issues ?? [];
  const found = issues.map(({ path, message }) => {
    const field = path.join(".");
    // The rules for a name are no answer to somebody who has not typed any.
    return { field, description: field === "name" && nameless ? "Enter a name" : message };
  });
  const isJudged = ({ field }: Problem) =>
    mask === undefined || mask.some((path) => field === path || field.startsWith(`${path}.`));
  return [...more, ...found].filter(isJudged);
}
