import type { Schema } from "~/contract/endpoint";
import { errorFacts, type ErrorFacts } from "~/ui/feedback/error-facts";
import type { Problem } from "~/ui/form/problems";

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && value.trim() === "");

/**
 * Validates a body against the contract, by API field names. For a stored record, checks only the fields that the
 * update names (`mask`): an old value that this console would reject must not block the change of another field.
 */
export function problemsOf(request: Schema, body: object, mask: readonly string[] | undefined): Problem[] {
  const nameless = isBlank((body as { readonly name?: unknown }).name);
  const issues = request.safeParse(body).error?.issues ?? [];
  const found = issues.map(({ path, message }) => {
    const field = path.join(".");
    // The naming rules do not help a user who has not entered a name.
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

/** The facts of a failed write, with violations by the form's own field names. */
export function withFields(error: unknown, fieldOf: (path: string) => string): ErrorFacts {
  const { violations, ...facts } = errorFacts(error);
  return { ...facts, violations: violations.map((each) => ({ ...each, field: fieldOf(each.field) })) };
}
