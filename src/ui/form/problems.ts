import { entryOf, matchPath } from "./paths";

/** What is wrong with one field, in the API's words or the form's own. */
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

/**
 * A message as it stands under a labeled field: the API's own name of the field ("name must be ...") would repeat the
 * label in other words.
 */
export function fieldMessage(message: string): string {
  if (/^\w+ is required$/.test(message)) return "Required";
  const text = message.replace(/^(Entry \d+: )?\w+ (?=must |cannot )/, "$1");
  return /^[a-z]+\b/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The message of one field; where the field shows a list, the message names the entry. */
function said({ field, description }: Problem, name: string): string {
  const entry = entryOf(field, name);
  return entry === undefined ? description : `Entry ${entry + 1}: ${description}`;
}
