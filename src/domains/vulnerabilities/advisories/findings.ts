/** Raw findings that don't match the contract. */
interface Undecoded {
  readonly problem: string;
  readonly text: string;
}

/** Decodes scanner findings: a base64-encoded JSON document. */
export function decodeFindings(base64: string): { readonly json: unknown } | Undecoded {
  let text: string;
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "Not valid base64. Showing the raw text.", text: base64 };
  }
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { problem: "Not valid JSON. Showing plain text.", text };
  }
}
