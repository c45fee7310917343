import type { Schema } from "~/contract/endpoint";
import { errorFacts, type ErrorFacts } from "~/ui/feedback/error-facts";
import type { Problem } from "~/ui/form/problems";

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && value.trim() === "");

/**
 * What the contract finds wrong with a body, by the API's field names. Of a stored record only what the update names (`mask`)
 * is judged: a value that this console would not accept must not stand in the way of another one.
 */
export function problemsOf(request: Schema, body: object, mask: readonly string[] | undefined): Problem[] {
  const nameless = isBlank((body as { readonly name?: unknown }).name);
  const issues = request.safeParse(body).error?.issues ?? [];
  const found = issues.map(({ path, message }) => {
    const field = path.join(".");
    // The rules for a name are no answer to somebody who has not typed any.
    return { field, description: field === "name" && nameless ? "Enter a name" : message };
  });
  const isJudged = ({ field }: Problem) =>
    mask === undefined || mask.some((path) => field === path || field.startsWith(`${path}.`));
  return found.filter(isJudged);
}

/** The first problem of each field. */
export function firstOfEach(problems: readonly Problem[]): Problem[] {
  const first = new Map<string, Problem>();
  for (const problem of problems) if (!first.has(problem.field)) first.set(problem.field, problem);
  return [...first.values()];
}

/** An error of a write, its violations under the form's own names. */
export function withFields(error: unknown, fieldOf: (path: string) => string): ErrorFacts {
  const { violations, ...facts } = errorFacts(error);
  return { ...facts, violations: violations.map((each) => ({ ...each, field: fieldOf(each.field) })) };
}
