/** Types of package URLs, by what scanners and ecosystems call them, in lower case. */
const TYPES: Readonly<Record<string, string>> = {
  apk: "apk",
  alpine: "apk",
  wolfi: "apk",
  deb: "deb",
  debian: "deb",
  ubuntu: "deb",
  rpm: "rpm",
  npm: "npm",
  python: "pypi",
  pypi: "pypi",
  "go-module": "golang",
  go: "golang",
  golang: "golang",
  gomod: "golang",
  "java-archive": "maven",
  maven: "maven",
  jar: "maven",
  gem: "gem",
  rubygems: "gem",
  "rust-crate": "cargo",
  cargo: "cargo",
  "crates.io": "cargo",
  dotnet: "nuget",
  nuget: "nuget",
  "php-composer": "composer",
  packagist: "composer",
};

/** Ecosystems of OSV can have a release: `Alpine:v3.20`. */
export const purlTypeOf = (text = ""): string | undefined =>
  TYPES[text.toLowerCase()] ?? TYPES[(text.split(":", 1)[0] ?? "").toLowerCase()];
