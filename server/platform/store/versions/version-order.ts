import { PYTHON } from "platform-contract/libraries/artifacts";

import { compareApkVersions } from "./apk-version";
import { compareComposer } from "./orders/composer";
import { compareDebian, compareOpam } from "./orders/debian";
import { compareGem } from "./orders/gem";
import { compareJulia } from "./orders/julia";
import { compareMaven } from "./orders/maven";
import { compareHaskell, compareR } from "./orders/numbers";
import { comparing, sign, type CompareVersions } from "./orders/parts";
import { compareRpm, compareRpmToBound } from "./orders/rpm";
import { compareGo, compareLinux, compareNuGet, comparePub, compareSemantic } from "./orders/semantic";
import { versionKey } from "./version-key";

export type { CompareVersions } from "./orders/parts";

const comparePython = comparing((version) => versionKey(PYTHON, version), sign<string>);

/** By package type (server/commands/ingest/package-names.ts); docs/operate/ingest.md says what each is tested against. */
const ORDERS: Readonly<Record<string, CompareVersions>> = {
  apk: compareApkVersions,
  deb: compareDebian,
  rpm: compareRpm,
  python: comparePython,
  "java-archive": compareMaven,
  gem: compareGem,
  composer: compareComposer,
  dotnet: compareNuGet,
  julia: compareJulia,
  cran: compareR,
  bioconductor: compareR,
  hackage: compareHaskell,
  ghc: compareHaskell,
  pub: comparePub,
  "go-module": compareGo,
  linux: compareLinux,
  opam: compareOpam,
  // Those that are documented to follow https://semver.org.
  npm: compareSemantic,
  "rust-crate": compareSemantic,
  hex: compareSemantic,
  swift: compareSemantic,
  bitnami: compareSemantic,
  githubactions: compareSemantic,
  conan: compareSemantic,
  "vscode-extension": compareSemantic,
  kubernetes: compareSemantic,
};

/** No order is known: only a version that is written the same is the same. */
const unordered: CompareVersions = (one, other) => (one === other ? 0 : undefined);

/** The order of versions of a package type. Versions of a type without one cannot be compared. */
export const orderOf = (type: string): CompareVersions => ORDERS[type] ?? unordered;

/** False if versions of this type can only be the same or not. */
export const isOrdered = (type: string): boolean => type in ORDERS;

/** The same of a version, named first, and one that a range begins or ends at. */
export const boundOrderOf = (type: string): CompareVersions =>
  type === "rpm" ? compareRpmToBound : orderOf(type);

/** "0" is before every version, as OSV writes where a range begins. */
export const orderWithStart =
  (compare: CompareVersions): CompareVersions =>
  (one, other) => {
    if (one === other) return 0;
    if (one === "0") return -1;
    return other === "0" ? 1 : compare(one, other);
  };
