import { compareLists, comparing, sign } from "./parts";

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html#version, which dpkg applies: epoch, version, revision. */
const DEB = /^(?:(\d+):(?=\d)|(?!\d+:))(?!.*-[^-]*:)(\d[\w.+~:-]*?)(?:-([A-Za-z\d.+~]+))?(?<!-)$/;

interface DebianVersion {
  readonly epoch: bigint;
  readonly upstream: readonly string[];
  readonly revision: readonly string[];
}

/** Texts and numbers in turn, beginning with a text. */
const piecesOf = (part: string): string[] => part.split(/(\d+)/);

function read(version: string): DebianVersion | undefined {
  const [whole, epoch = "0", upstream = "", revision = "0"] = DEB.exec(version) ?? [];
  // Without an epoch, a colon would be one.
  if (whole === undefined || (upstream.includes(":") && !/^\d+:/.test(version))) return undefined;
  return { epoch: BigInt(epoch), upstream: piecesOf(upstream), revision: piecesOf(revision) };
}

/** The tilde sorts before the end, letters before everything else. */
const rankOf = (character: string | undefined): number => {
  if (character === "~") return -1;
  if (character === undefined) return 0;
  return /[a-z]/i.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256;
};

const compareTexts = (one: string, other: string): number =>
  compareLists([...one], [...other], (a, b) => sign(rankOf(a), rankOf(b)));

function comparePieces(one: readonly string[], other: readonly string[]): number {
  let isNumber = true;
  return compareLists(one, other, (a = "", b = "") => {
    isNumber = !isNumber;
    return isNumber ? sign(BigInt(a), BigInt(b)) : compareTexts(a, b);
  });
}

export const compareDebian = comparing(
  read,
  (a, b) =>
    sign(a.epoch, b.epoch) || comparePieces(a.upstream, b.upstream) || comparePieces(a.revision, b.revision),
);

/** https://opam.ocaml.org/doc/Manual.html#version-ordering: Debian's order of the whole text. */
export const compareOpam = comparing(
  (version) => (/^(?=.*\d)[\w.+~-]+$/.test(version) ? piecesOf(version) : undefined),
  comparePieces,
);
