/** The header with why a change is made, and the metadata over gRPC. An extension: the published API has none. */
export const CHANGE_JUSTIFICATION = "change-justification";

/** Characters (code points) of a justification. */
export const JUSTIFICATION_CHARACTERS = 500;

/** Control characters, and what some readers take for the end of a line. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** What is wrong with a justification, as the rest of a sentence; undefined if nothing is. */
export function justificationProblem(text: string): string | undefined {
  if ([...text].length > JUSTIFICATION_CHARACTERS)
    return `must be at most ${JUSTIFICATION_CHARACTERS} characters long`;
  return CONTROL.test(text) ? "must not contain control characters or line breaks" : undefined;
}

/** A justification as a field value: ASCII (RFC 9110, section 5.5), percent-encoded (RFC 3986, section 2.1), on one line, cut if too long; undefined if it says nothing. */
export function justificationHeader(text = ""): string | undefined {
  const line = text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ").trim();
  const words = [...line].slice(0, JUSTIFICATION_CHARACTERS).join("");
  const octet = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  // What encodeURIComponent leaves alone and RFC 3986 reserves.
  return words === "" ? undefined : encodeURIComponent(words).replaceAll(/[!'()*]/g, octet);
}
