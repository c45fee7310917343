/** The addresses in a text: one per line, or apart by commas, semicolons or spaces; each once. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((each) => each.replace(/^<|>$/g, ""))
      .filter((each) => each !== ""),
  ),
];
