/** Raw findings that don't match the contract. */
interface Undecoded {
  readonly problem: string;
  readonly text: string;
}

/** Decodes scanner findings: a base64-encoded JSON document (contract 1.13). */
export function decodeFindings(base64: string): { readonly json: unknown } | Undecoded {
  let text: string;
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "These are not base64 text, and shown as they are.", text: base64 };
  }
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return { problem: "These are not JSON, and shown as text.", text };
  }
}
