import { entryOf, matchPath } from "./paths";

/** What is wrong with one field, in the words of whoever judged it. */
export interface Problem {
  readonly field: string;
  readonly description: string;
}

/** Where react-hook-form keeps what belongs to no field that is shown; not "root", which it drops on submit. */
export const FORM_ERROR = "(form)";

export interface Placed {
  /** One message a field; several are joined. */
  readonly placed: Map<string, string>;
  /** Those that no field shows. */
  readonly unmatched: Problem[];
}

export function placeProblems(
  problems: readonly Problem[],
  names: readonly string[],
  aliases: Readonly<Record<string, string>>,
): Placed {
  const placed = new Map<string, string>();
  const unmatched: Problem[] = [];
  for (const problem of problems) {
    const name = matchPath(problem.field, names, aliases);
    if (name === undefined) unmatched.push(problem);
    else placed.set(name, [placed.get(name), said(problem, name)].filter(Boolean).join(". "));
  }
  return { placed, unmatched };
}

/** Where one field shows a list, which of its entries is meant. */
function said({ field, description }: Problem, name: string): string {
  const entry = entryOf(field, name);
  return entry === undefined ? description : `Entry ${entry + 1}: ${description}`;
}
