import { changedPaths } from "./dirty-paths";

export interface Changes<B> {
  /** Leaf paths that differ (AIP-134); empty if there is nothing to save. */
  readonly mask: readonly string[];
  /** New values of the masked paths; a path that is missing here is cleared. */
  readonly body: Partial<B>;
}

type Fields = Readonly<Record<string, unknown>>;

const holds = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** `into` with the value of `from` at a path; unchanged if `from` has none. */
function withPath(into: Fields, from: Fields, [key = "", ...rest]: readonly string[]): Fields {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (value === undefined) return into;
  if (rest.length === 0) return { ...into, [key]: value };
  if (!holds(value)) return into;
  const inner = withPath(holds(into[key]) ? into[key] : {}, value, rest);
  return Object.keys(inner).length === 0 ? into : { ...into, [key]: inner };
}

/**
 * Computes an update: the leaves in which two bodies differ, and their new values. Fields in neither body stay as they
 * are. `leaves`: paths that are replaced as a whole, such as maps.
 */
export function changesBetween<B extends Fields>(
  before: B,
  after: B,
  leaves: ReadonlySet<string>,
): Changes<B> {
  const mask = changedPaths({ ...before }, { ...after }, leaves);
  const from: Fields = { ...after };
  const body = mask.reduce<Fields>((made, path) => withPath(made, from, path.split(".")), {});
  return { mask, body: body as Partial<B> };
}
