import { changedPaths } from "./dirty-paths";

export interface Changes<B> {
  /** Leaf paths that differ (contract 0.8); empty: there is nothing to save. */
  readonly mask: readonly string[];
  /** What the masked paths become; one that is missing here is cleared. */
  readonly body: Partial<B>;
}

type Fields = Readonly<Record<string, unknown>>;

const holds = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** `into` with the value that `from` has at a path; unchanged where it has none. */
function withPath(into: Fields, from: Fields, [key = "", ...rest]: readonly string[]): Fields {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (value === undefined) return into;
  if (rest.length === 0) return { ...into, [key]: value };
  if (!holds(value)) return into;
  const inner = withPath(holds(into[key]) ? into[key] : {}, value, rest);
  return Object.keys(inner).length === 0 ? into : { ...into, [key]: inner };
}

/**
 * What an update has to say: the leaves in which two bodies differ, and their new values. What is in neither body stays
 * as it is. `leaves`: paths of what is replaced as a whole, such as maps.
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
