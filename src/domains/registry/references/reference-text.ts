import { trimEndOf, trimStartOf } from "platform-contract/trim";

/** The parts of a pull reference (Docker's reference grammar); no defaults are filled in. */
export interface PullReference {
  /** `registry.example:5000`; undefined if the text has none. */
  readonly host: string | undefined;
  /** `["meridian-freight", "python"]`, or only the repo. */
  readonly path: readonly string[];
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const COMMAND =
  /^(?:(?:sudo\s+)?(?:docker|podman|nerdctl|crictl|crane|skopeo)\s+(?:image\s+)?\w+\s+|FROM\s+|-?\s*image:\s*)/i;
const FLAGS = /^(?:--platform(?:\s+|=)\S+\s+|-\S+\s+)*/;
const SCHEME = /^(?:https?|docker|docker-pullable|oci|docker-daemon|containers-storage):\/\//i;
const REFERENCE =
  /^(?:(?<host>(?:[a-z0-9-]+\.)+[a-z0-9-]+(?::\d+)?|[a-z0-9-]+:\d+|localhost)\/)?(?<path>[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

/** Strips what is often copied along: quotes, brackets, a trailing comma. */
export const bare = (text: string): string =>
  trimEndOf(trimStartOf(text.trim(), "\"'`<(["), "\"'`>)],;").trim();

/** An image as it stands in a manifest, where a bare name (`python`) is one too; undefined if it is none. */
export function parseReference(text: string): PullReference | undefined {
  const { host, path = "", tag, digest } = REFERENCE.exec(text.replace(SCHEME, ""))?.groups ?? {};
  const steps = path.split("/").filter(Boolean);
  return steps.length === 0 ? undefined : { host, path: steps, tag, digest };
}

/** The reference that a text starts with, after a command or a key of a manifest; undefined if it is only a name. */
export function readReference(text: string): PullReference | undefined {
  const after = text.replace(COMMAND, "").replace(FLAGS, "").replace(SCHEME, "").trim();
  const found = parseReference(bare(after.split(/\s/, 1)[0] ?? ""));
  return found && (found.host ?? found.tag ?? found.digest ?? found.path[1]) === undefined
    ? undefined
    : found;
}

/** True if the host of a reference is this registry, which the configuration may give as a URL. */
export const sameHost = (host: string, configured: string): boolean =>
  trimEndOf(configured.replace(/^https?:\/\//, ""), "/").toLowerCase() === host.toLowerCase();

/** A reference as a client takes it: `registry.example/acme/python:3`. */
export const textOf = ({ host, path, tag, digest }: PullReference): string =>
  `${host === undefined ? "" : `${host}/`}${path.join("/")}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
