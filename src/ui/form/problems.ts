import { capitalize } from "../display/capitalize";
import { entryOf, matchPath } from "./paths";

/** What is wrong with one field; its name is the API's or the form's own. */
export interface Problem {
  readonly field: string;
  readonly description: string;
}

/** The react-hook-form key for errors without a visible field; not "root", which it drops on submit. */
export const FORM_ERROR = "(form)";

export interface Placed {
  /** One message per field; several are joined. */
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
    else placed.set(name, [placed.get(name), formatMessage(problem, name)].filter(Boolean).join(". "));
  }
  return { placed, unmatched };
}

/** The message under a labeled field: "must be a uid" of the contract begins with a capital letter there. */
export const fieldMessage = (message: string): string =>
  /^[a-z]+\b/.test(message) ? capitalize(message) : message;

/** The message away from the field, which it names. */
export const asText = ({ field, description }: Problem): string =>
  field === "" ? description : `${field}: ${description}`;

/** The message of one field; if the field shows a list, the message names the entry. */
function formatMessage({ field, description }: Problem, name: string): string {
  const entry = entryOf(field, name);
  return entry === undefined ? description : `Entry ${entry + 1}: ${description}`;
}
