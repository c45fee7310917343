import { isUid } from "platform-contract/aip";
import { parseUrl } from "platform-contract/url";
import { bare, readReference, type PullReference } from "~/domains/registry/references/reference-text";
import { trimEndOf } from "platform-contract/trim";

/** An error of a registry or of this API, as someone pastes it. */
export interface PastedError {
  /** What it means, in a sentence. */
  readonly meaning: string;
  /** Labels of screens and actions that help, the best first. */
  readonly helps: readonly string[];
  /** The image that it is about. */
  readonly reference: PullReference | undefined;
  /** What was refused, as "Can they do that?" has it: an act, or a capability. */
  readonly act?: string | undefined;
}

interface Known {
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly helps: readonly string[];
}

/** The screen that says why something is refused. */
export const WHY_REFUSED = "Can they do that?";
const DENIED = [WHY_REFUSED, "Grant access", "Role bindings"];
const SIGNED_OUT = ["Test a token", "Identities"];

/** The codes of registries (OCI distribution specification, "Error Codes") and how clients say them, clearest first. */
const KNOWN: readonly Known[] = [
  {
    pattern: /manifest[ _]unknown|manifest for \S+ not found/i,
    meaning:
      "Manifest unknown: the registry found no such tag or digest. It may have been moved, deleted or never pushed, or the repo doesn't exist.",
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
    const act = name === "PERMISSION_DENIED" ? /\bCAP_[A-Z_]+\b/.exec(message)?.[0] : undefined;
    const meaning = `The API answered ${name}: ${message.slice(0, SHOWN)}`;
    return { meaning, helps, reference: undefined, ...(act !== undefined && { act }) };
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

/** What a client was refused: "push access", `"Action":"pull"`, "failed to push". Images have names such as "git-pull". */
const actIn = (text: string): "pull" | "push" | undefined => {
  const [, act] = /(?<![\w/.:-])(pull|push)(?:ing|ed)?(?![\w/.-])/i.exec(text) ?? [];
  return act === undefined ? undefined : act.toLowerCase() === "push" ? "push" : "pull";
};

/** An error that a text is; undefined for anything else. */
function readError(text: string): PastedError | undefined {
  const status = readStatus(text);
  if (status) return status;
  const begins = text.slice(0, READ);
  const known = KNOWN.find(({ pattern }) => pattern.test(begins));
  if (!known) return undefined;
  const act = known.helps === DENIED ? actIn(begins) : undefined;
  return { ...known, reference: imageWithin(begins), act };
}

/** What the text typed or pasted into the palette is. */
export type Pasted =
  | { readonly is: "nothing" | "digest part" | "vulnerability part" | "token" | "too long" }
  /** A URL of this console, relative to its base: `identities/...?tab=...`. */
  | { readonly is: "page"; readonly path: string }
  | { readonly is: "uid"; readonly uid: string }
  /** `above`: the complete uid that it starts with, if any. */
  | { readonly is: "uid part"; readonly above: string | undefined }
  | { readonly is: "digest"; readonly digest: string }
  | { readonly is: "reference"; readonly reference: PullReference }
  | { readonly is: "error"; readonly error: PastedError }
  | { readonly is: "vulnerability"; readonly id: string }
  /** Who can do what; `repo`: its name or path, if it is about one. */
  | { readonly is: "question"; readonly act: "pull" | "push"; readonly repo: string | undefined }
  | { readonly is: "name"; readonly name: string };

/** "who can push to redis", "who can pull images" */
const QUESTION =
  /^who can (pull|push)(?: (?:to|from|in|into|images?|the|repo))*(?: ([a-z0-9][a-z0-9._/-]*))?\??$/i;

/** In characters; no name is longer. Does not apply to uids: one of 64 levels is longer. */
const MAX_CHARS = 300;

const TOKEN = /^(?:bearer\s+)?eyJ[\w-]+\.[\w-]+\.[\w-]*$/i;
const UID_WITHIN = /(?<![0-9a-z])[0-9a-f]{40}(?:[/_][0-9a-f]{16})*(?![0-9a-z/_])/gi;
const UID_START = /^[0-9a-f]{40}(?:\/[0-9a-f]{16})*/;
/** At least 12 digits: shorter ones could as well be a date or a word. */
const UID_PART =
  /^(?=[0-9a-f]*\d)[0-9a-f]{12,63}$|^[0-9a-f]{40}\/[0-9a-f/]*$|^[0-9a-f]{16}(?:\/[0-9a-f]{1,16})+$/;
/** A uid as the console shortens it: `7f3a9c12…b21e04aa`. */
const UID_SHORT = /^[0-9a-f]{4,}(?:…|\.\.\.)(?:[0-9a-f]{4,})?$/;
const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/i;
const DIGEST_PART = /^sha256:[0-9a-f…]*\.*$/i;

const CVE = /\bCVE-\d{4}-\d{4,}\b/i;
const FOURS = "(?:-[23456789cfghjmpqrvwx]{4}){3}";
const FOUR_FOURS = new RegExp(`^[a-z]{3,5}${FOURS}$`, "i");
const VULNERABILITIES = [
  /^CVE-\d{4}-\d{4,}$/i,
  FOUR_FOURS,
  /^(?:GO|PYSEC|RUSTSEC|OSV|MAL|GSD|DSA|DLA|USN|RHSA|RHBA|ELSA|ALAS2?|TEMP|SNYK)[-:].*\d/i,
];
const VULNERABILITY_PART = /^(?:CVE|GHSA)(?:-[\w-]*)?$/i;
/** An id in the URL of a page about it. */
const VULNERABILITY_IN_URL = new RegExp(`${CVE.source}|\\bGHSA${FOURS}\\b`, "i");

/** The first uid in a text: in a record's URL, its own uid comes before the scope's. */
function uidWithin(text: string): string | undefined {
  const found = [...text.matchAll(UID_WITHIN)].map(([uid]) => uid.toLowerCase().replaceAll("_", "/"));
  return found.find(isUid);
}

/** The canonical form: uppercase, except for the lowercase groups of a GHSA. */
const asListed = (id: string): string =>
  FOUR_FOURS.test(id)
    ? id.toLowerCase().replace(/^[a-z]+/, (first) => first.toUpperCase())
    : id.toUpperCase();

function readVulnerability(text: string): string | undefined {
  if (VULNERABILITIES.some((known) => known.test(text))) return asListed(text);
  const [id] = (parseUrl(text) && VULNERABILITY_IN_URL.exec(text)) || (CVE.exec(text) ?? []);
  return id === undefined ? undefined : asListed(id);
}

/** Classifies a text by its form only; anything else is a name. `base`: the console's URL, with a trailing slash. */
export function readPasted(typed: string, base: string): Pasted {
  const text = bare(typed.replaceAll(/\s+/g, " "));
  if (text === "") return { is: "nothing" };
  // A token is a secret: it is neither sent nor stored.
  if (TOKEN.test(text)) return { is: "token" };
  const page = text.startsWith(base) ? parseUrl(text) : undefined;
  if (page) {
    const { href, hash } = page;
    return { is: "page", path: href.slice(base.length, hash === "" ? undefined : -hash.length) };
  }
  // Before what it may contain: a uid, a reference, a digest.
  const error = readError(text);
  if (error !== undefined) return { is: "error", error };
  const digest = DIGEST.exec(text)?.[1];
  if (digest !== undefined) return { is: "digest", digest: `sha256:${digest.toLowerCase()}` };
  if (DIGEST_PART.test(text)) return { is: "digest part" };
  const uid = uidWithin(text);
  if (uid !== undefined) return { is: "uid", uid };
  const steps = text.toLowerCase().replaceAll("_", "/");
  if (UID_PART.test(steps) || UID_SHORT.test(steps))
    return { is: "uid part", above: UID_START.exec(steps)?.[0] };
  if (text.length > MAX_CHARS) return { is: "too long" };
  const [, act, repo] = QUESTION.exec(text) ?? [];
  if (act !== undefined)
    return { is: "question", act: act.toLowerCase() === "push" ? "push" : "pull", repo: repo?.toLowerCase() };
  const vulnerability = readVulnerability(text);
  if (vulnerability !== undefined) return { is: "vulnerability", id: vulnerability };
  if (VULNERABILITY_PART.test(text)) return { is: "vulnerability part" };
  const reference = readReference(text);
  if (reference !== undefined) return { is: "reference", reference };
  return { is: "name", name: text };
}
