import type { Entry } from "./entries";
import { SYNONYMS } from "./synonyms";

/** How well an entry fits what was typed: 0 is best; undefined if a word is missing. */
export function fitOf(typed: string): (entry: Entry) => number | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = words.join(" ");
  return ({ id, label, detail = "" }) => {
    const name = label.toLowerCase();
    const meant = (SYNONYMS[id] ?? "").split(" ");
    if (name === text || name === `${text}s`) return 0;
    const says = (word: string) => meant.includes(word) || meant.includes(`${word}s`);
    if (words.every((word) => ` ${name}`.includes(` ${word}`) || says(word))) return 1;
    const all = `${name} ${detail.toLowerCase()}`;
    const known = (word: string) =>
      all.includes(word) || (word.length > 2 && meant.some((one) => one.startsWith(word)));
    return words.every(known) ? 2 : undefined;
  };
}
