/*
 * Without patterns: `/[x]+$/` tries each run of a text to its end, which takes hours for a long one that ends otherwise.
 */

/** A text without these characters at its start. */
export function trimStartOf(text: string, characters: string): string {
  let from = 0;
  while (from < text.length && characters.includes(text.charAt(from))) from += 1;
  return text.slice(from);
}

/** A text without these characters at its end. */
export function trimEndOf(text: string, characters: string): string {
  let to = text.length;
  while (to > 0 && characters.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(0, to);
}
