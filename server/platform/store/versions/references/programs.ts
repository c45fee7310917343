import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import semver from "semver";

import { MAKERS, type Pair } from "./versions";

/** A program that orders versions of an ecosystem. */
export interface Reference {
  /** The package type whose order is compared. */
  readonly type: string;
  readonly versions: keyof typeof MAKERS;
  /** Packages of Debian that have it. */
  readonly packages: readonly string[];
  /** How many to compare, if that takes long. */
  readonly pairs?: number;
  readonly isInstalled: () => boolean;
  /** Of what it takes for a version, if that is less than the order does. */
  readonly isVersion?: (text: string) => boolean;
  /** -1, 0 or 1 for each pair; undefined where the program takes one for no version. */
  readonly compare: (pairs: readonly Pair[]) => (number | undefined)[];
}

const runs = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;

/** Lines of `one<TAB>other` in, a line for each out: `-1`, `0`, `1`, or anything else. */
function answersOf(
  program: string,
  words: readonly string[],
  pairs: readonly Pair[],
): (number | undefined)[] {
  const input = pairs.map((pair) => `${pair.join("\t")}\n`).join("");
  const { stdout, stderr, status } = spawnSync(program, words, {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const lines = stdout.trimEnd().split("\n");
  if (status !== 0 || lines.length !== pairs.length)
    throw new Error(`${program} answered ${lines.length} of ${pairs.length} lines: ${stderr.slice(0, 400)}`);
  return lines.map((line) => (/^(?:-1|0|1)$/.test(line) ? Number(line) : undefined));
}

const DPKG = `while IFS=$'\\t' read -r one other; do
  if dpkg --compare-versions "$one" lt "$other"; then echo -1
  elif dpkg --compare-versions "$one" eq "$other"; then echo 0
  else echo 1; fi
done`;

const PERL = `
use Dpkg::Version;
while (<STDIN>) {
  chomp;
  my ($one, $other) = map { Dpkg::Version->new($_) } split /\\t/;
  print(($one->is_valid() && $other->is_valid() ? $one <=> $other : "?"), "\\n");
}
`;

const APK = `while IFS=$'\\t' read -r one other; do
  case "$(apk version -t "$one" "$other")" in "<") echo -1 ;; ">") echo 1 ;; "=") echo 0 ;; *) echo "?" ;; esac
done`;

const LUA = `%{lua:
for line in io.stdin:lines() do
  local one, other = line:match("^(.-)\\t(.*)$")
  print(rpm.vercmp(one, other) .. "\\n")
end}`;

const PYTHON = `
import sys
from packaging.version import InvalidVersion, Version
for line in sys.stdin:
    try:
        one, other = (Version(text) for text in line.rstrip("\\n").split("\\t"))
        print((one > other) - (one < other))
    except InvalidVersion:
        print("?")
`;

const RUBY = `
STDIN.each_line do |line|
  one, other = line.chomp.split("\\t")
  begin
    puts Gem::Version.new(one) <=> Gem::Version.new(other)
  rescue ArgumentError
    puts "?"
  end
end
`;

const PHP = `
require "/usr/share/php/Composer/Semver/autoload.php";
use Composer\\Semver\\{Comparator, VersionParser};
$parser = new VersionParser();
while (($line = fgets(STDIN)) !== false) {
  try {
    [$one, $other] = array_map([$parser, "normalize"], explode("\\t", rtrim($line, "\\n")));
    echo Comparator::lessThan($one, $other) ? -1 : (Comparator::greaterThan($one, $other) ? 1 : 0), "\\n";
  } catch (\\UnexpectedValueException $error) {
    echo "?\\n";
  }
}
`;

const JARS = ["maven-artifact-3.x.jar", "commons-lang3.jar"].map((name) => `/usr/share/java/${name}`);

/** Its program compares each version with the next: `   1.0 < 1.1`. */
function compareMaven(pairs: readonly Pair[]): number[] {
  const words = [
    "-cp",
    JARS.join(":"),
    "org.apache.maven.artifact.versioning.ComparableVersion",
    ...pairs.flat(),
  ];
  const { stdout } = spawnSync("java", words, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const signs = [...stdout.matchAll(/^ +\S+ (<|==|>) \S+$/gm)].map(([, sign = ""]) =>
    ["<", "==", ">"].indexOf(sign),
  );
  return pairs.map((_, at) => (signs[2 * at] ?? Number.NaN) - 1);
}

export const REFERENCES: readonly Reference[] = [
  {
    type: "deb",
    versions: "deb",
    packages: ["libdpkg-perl"],
    isInstalled: () => runs("perl", "-MDpkg::Version", "-e", "1"),
    compare: (pairs) => answersOf("perl", ["-e", PERL], pairs),
  },
  {
    type: "deb",
    versions: "deb",
    packages: ["dpkg"],
    // Two processes for each.
    pairs: 1_000,
    isInstalled: () => runs("dpkg", "--version"),
    compare: (pairs) => answersOf("bash", ["-c", DPKG], pairs),
  },
  {
    // Alpine has it, Debian has not: `apk-pairs.txt` are 1,500 pairs as apk-tools 3 orders them.
    type: "apk",
    versions: "apk",
    packages: ["apk-tools"],
    isInstalled: () => runs("apk", "--version"),
    compare: (pairs) => answersOf("bash", ["-c", APK], pairs),
  },
  {
    type: "rpm",
    versions: "rpm",
    packages: ["rpm"],
    isInstalled: () => runs("rpm", "--version"),
    compare: (pairs) => answersOf("rpm", ["--eval", LUA], pairs),
  },
  {
    type: "java-archive",
    versions: "maven",
    packages: ["libmaven3-core-java", "default-jre-headless"],
    isInstalled: () => JARS.every((jar) => existsSync(jar)) && runs("java", "-version"),
    compare: compareMaven,
  },
  {
    type: "python",
    versions: "python",
    packages: ["python3-packaging"],
    isInstalled: () => runs("/usr/bin/python3", "-c", "import packaging.version"),
    compare: (pairs) => answersOf("/usr/bin/python3", ["-c", PYTHON], pairs),
  },
  {
    type: "npm",
    versions: "semver",
    packages: ["this repository"],
    isInstalled: () => true,
    isVersion: (text) => semver.valid(text) !== null,
    compare: (pairs) => pairs.map(([one, other]) => semver.compare(one, other)),
  },
  {
    type: "gem",
    versions: "gem",
    packages: ["ruby"],
    isInstalled: () => runs("ruby", "--version"),
    compare: (pairs) => answersOf("ruby", ["-e", RUBY], pairs),
  },
  {
    type: "composer",
    versions: "composer",
    packages: ["composer"],
    isInstalled: () => existsSync("/usr/share/php/Composer/Semver/autoload.php") && runs("php", "--version"),
    compare: (pairs) => answersOf("php", ["-r", PHP], pairs),
  },
];
