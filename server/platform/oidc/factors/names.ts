import { nameViolation } from "../rules";

const LONGEST = 60;

/** What is wrong with the name of a factor. */
export function factorNameViolation(name: string): string | undefined {
  if (name === "") return "Enter a name.";
  if ([...name].length > LONGEST) return `Use at most ${LONGEST} characters.`;
  return nameViolation(name);
}
