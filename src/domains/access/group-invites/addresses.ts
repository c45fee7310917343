const TOKENS = /"[^"]*"|<[^<>]*>|[,;\r\n]|[^\s,;<>"]+/g;

/**
 * The addresses in a text: one per line, or apart by commas, semicolons or spaces; each once, in whatever case. A name before an address
 * in angle brackets, as mail programs write it (RFC 5322, section 3.4), is left out.
 */
export function addressesIn(text: string): string[] {
  const found: string[] = [];
  let words: string[] = [];
  for (const token of text.match(TOKENS) ?? []) {
    if (token.startsWith("<")) {
      found.push(...words.filter((word) => word.includes("@")), token.slice(1, -1).trim());
      words = [];
    } else if (/^[,;\r\n]$/.test(token)) {
      found.push(...words);
      words = [];
    } else if (!token.startsWith('"')) words.push(token);
  }
  const once = new Map<string, string>();
  for (const each of [...found, ...words]) {
    const key = each.toLowerCase();
    if (key !== "" && !once.has(key)) once.set(key, each);
  }
  return [...once.values()];
}
