import { compareDigits, compareLists, comparing, sign } from "./parts";

/** Epoch, version and release: https://rpm-software-management.github.io/rpm/manual/dependencies.html#versions */
const EVR = /^(?:(\d+):)?([A-Za-z]*\d[\w.+~^]*)(?:-([\w.+~^]+))?$/;

interface RpmVersion {
  readonly epoch: bigint;
  readonly version: readonly string[];
  /** Undefined if the text names none. */
  readonly release: readonly string[] | undefined;
}

/** Everything but letters, numbers, tilde and caret only separates. */
const piecesOf = (part: string): string[] => part.match(/\d+|[a-z]+|[~^]/gi) ?? [];

function read(text: string): RpmVersion | undefined {
  const [whole, epoch = "0", version = "", release] = EVR.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    epoch: BigInt(epoch),
    version: piecesOf(version),
    release: release === undefined ? undefined : piecesOf(release),
  };
}

const isNumber = (piece: string): boolean => /^\d/.test(piece);

/** rpmvercmp */
function comparePiece(x: string | undefined, y: string | undefined): number {
  if (x === y) return 0;
  if (x === "~" || y === "~") return x === "~" ? -1 : 1;
  // The caret sorts after the end and before everything else.
  if (x === "^" || y === "^") return (x === "^" ? y === undefined : x !== undefined) ? 1 : -1;
  if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
  if (isNumber(x) !== isNumber(y)) return isNumber(x) ? 1 : -1;
  return isNumber(x) ? compareDigits(x, y) : sign(x, y);
}

/** A version without a release comes before every release of it. */
function compareReleases(one: RpmVersion["release"], other: RpmVersion["release"]): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  return compareLists(one, other, comparePiece);
}

export const compareRpm = comparing(
  read,
  (a, b) =>
    sign(a.epoch, b.epoch) ||
    compareLists(a.version, b.version, comparePiece) ||
    compareReleases(a.release, b.release),
);

/**
 * The same for a version that a range ends or begins at, where one without a release stands for every release of it. A
 * version that leaves its own release open is neither before nor after a release: undefined.
 */
export const compareRpmToBound = (version: string, bound: string): number | undefined => {
  const [own, stated] = [read(version), read(bound)];
  if (!own || !stated) return undefined;
  const order = sign(own.epoch, stated.epoch) || compareLists(own.version, stated.version, comparePiece);
  if (order !== 0 || stated.release === undefined) return order;
  return own.release === undefined ? undefined : compareReleases(own.release, stated.release);
};
