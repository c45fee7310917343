import { trimEndOf } from "platform-contract/trim";

import { bare, readReference, type PullReference } from "~/domains/registry/references/reference-text";

/** An error of a registry or of this API, as someone pastes it. */
export interface PastedError {
  /** What it means, in a sentence. */
  readonly meaning: string;
  /** Labels of screens and actions that help, the best first. */
  readonly helps: readonly string[];
  /** The image that it is about. */
  readonly reference: PullReference | undefined;
}

interface Known {
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly helps: readonly string[];
}

const DENIED = ["Grant access", "Role bindings"];
const SIGNED_OUT = ["Test a token", "Identities"];

/** The codes of registries (OCI distribution specification, "Error Codes") and how clients say them, clearest first. */
const KNOWN: readonly Known[] = [
  {
    pattern: /manifest[ _]unknown|manifest for \S+ not found/i,
    meaning:
      "Manifest unknown: the repo exists, but has no such tag or digest. It may have been moved or deleted.",
    helps: ["Tags", "Repos"],
  },
  {
    pattern: /name[ _]unknown|repository name not known|repository \S+ not found/i,
    meaning: "Name unknown: this registry has no repo of that name.",
    helps: ["Repos"],
  },
  {
    pattern: /too ?many ?requests|\b429\b.*too many/i,
    meaning: "Too many requests: the registry asks to wait before the next one.",
    helps: ["Platform status"],
  },
  {
    pattern: /\bdenied\b|\b403 forbidden\b/i,
    meaning:
      "Denied: no role of the caller allows this there, or the repo doesn't exist. Registries don't say which.",
    helps: DENIED,
  },
  {
    pattern: /\bunauthorized\b|\b401\b.*\bauthenticat|authentication required|no basic auth credentials/i,
    meaning:
      "Unauthorized: the registry doesn't know who asks. There was no sign-in, or it has expired. Machines sign in with a token that an identity matches.",
    helps: SIGNED_OUT,
  },
  {
    pattern: /^not found$|\b404 not found\b|: not found$/i,
    meaning: "Not found: it doesn't exist, or the caller may not see it.",
    helps: ["Repos", "Role bindings"],
  },
];

/** google.rpc.Code, which errors of this API carry as `code` (AIP-193). */
const CODES: Readonly<Record<number, { readonly name: string; readonly helps: readonly string[] }>> = {
  3: { name: "INVALID_ARGUMENT", helps: [] },
  5: { name: "NOT_FOUND", helps: ["Role bindings"] },
  6: { name: "ALREADY_EXISTS", helps: [] },
  7: { name: "PERMISSION_DENIED", helps: DENIED },
  8: { name: "RESOURCE_EXHAUSTED", helps: ["Platform status"] },
  9: { name: "FAILED_PRECONDITION", helps: [] },
  10: { name: "ABORTED", helps: [] },
  12: { name: "UNIMPLEMENTED", helps: ["Platform status"] },
  13: { name: "INTERNAL", helps: ["Platform status"] },
  14: { name: "UNAVAILABLE", helps: ["Platform status"] },
  16: { name: "UNAUTHENTICATED", helps: SIGNED_OUT },
};

/** Longest part of a text to look for an error in, in characters: some of the patterns look at each part several times. */
const READ = 2_000;

/** Longest part of a message to show, in characters. */
const SHOWN = 300;

function readStatus(text: string): PastedError | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
    const known = typeof code === "number" ? CODES[code] : undefined;
    if (!known || typeof message !== "string") return undefined;
    const { name, helps } = known;
    return { meaning: `The API answered ${name}: ${message.slice(0, SHOWN)}`, helps, reference: undefined };
  } catch {
    return undefined;
  }
}

/** The first word of an error that is an image: it has a host, or a tag or digest after a path. */
function imageWithin(text: string): PullReference | undefined {
  const words = text.split(/\s+/).map((word) => bare(trimEndOf(word, ":.")));
  const read = words.map((word) => readReference(word));
  return (
    read.find((each) => each && each.host !== undefined && each.path.length > 1) ??
    read.find((each) => each && each.path.length > 1 && each.host === undefined) ??
    read.find((each) => each?.tag !== undefined && each.host === undefined && !/^\d/.test(each.tag))
  );
}

/** An error that a text is; undefined for anything else. */
export function readError(text: string): PastedError | undefined {
  const status = readStatus(text);
  if (status) return status;
  const begins = text.slice(0, READ);
  const known = KNOWN.find(({ pattern }) => pattern.test(begins));
  return known && { meaning: known.meaning, helps: known.helps, reference: imageWithin(begins) };
}
