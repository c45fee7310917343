import { trimEndOf } from "platform-contract/trim";

/** How to install a version with one tool. */
export interface Way {
  readonly id: string;
  readonly label: string;
  /** What the text is, and where to put it. */
  readonly hint: string;
  readonly text: string;
}

interface Wanted {
  /** `requests`, `org.slf4j:slf4j-api` */
  readonly name: string;
  readonly version: string;
  /** As configured: `registry.example`, or a URL. */
  readonly host: string;
}

/** URL at which the registry serves an ecosystem (docs/operate/ingest.md). */
const addressOf = (host: string, path: string): string =>
  `https://${trimEndOf(host.replace(/^https?:\/\//, ""), "/")}/${path}/`;

/** Quotes a text as a single shell word, if needed. */
const word = (text: string): string =>
  /^[\w.,=:+/@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Quotes a string literal that is valid in both Kotlin and Groovy. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\$]/g, String.raw`\$&`)}"`;

function python({ name, version, host }: Wanted): Way[] {
  const index = word(addressOf(host, "python/simple"));
  const pinned = word(`${name}==${version}`);
  return [
    { id: "pip", label: "pip", hint: "In a shell", text: `pip install --index-url ${index} ${pinned}` },
    { id: "uv", label: "uv", hint: "In a shell", text: `uv add --default-index ${index} ${pinned}` },
  ];
}

function java({ name, version, host }: Wanted): Way[] {
  const address = addressOf(host, "java");
  const [group = "", artifact = ""] = name.split(":");
  return [
    {
      id: "maven",
      label: "Maven",
      hint: "In pom.xml",
      text: `<repositories>
  <repository>
    <id>platform</id>
    <url>${xml(address)}</url>
  </repository>
</repositories>
<dependencies>
  <dependency>
    <groupId>${xml(group)}</groupId>
    <artifactId>${xml(artifact)}</artifactId>
    <version>${xml(version)}</version>
  </dependency>
</dependencies>`,
    },
    {
      id: "gradle",
      label: "Gradle",
      hint: "In build.gradle.kts",
      text: `repositories {
    maven { url = uri(${quoted(address)}) }
}
dependencies {
    implementation(${quoted(`${name}:${version}`)})
}`,
    },
  ];
}

const WAYS: Readonly<Record<string, (wanted: Wanted) => Way[]>> = { python, java };

/** Returns how to install a version of the library `uid`, whose first part is the ecosystem. */
export const waysToInstall = (uid: string, wanted: Wanted): Way[] =>
  WAYS[uid.split(":", 1)[0] ?? ""]?.(wanted) ?? [];

/** Formats the version in its ecosystem's notation: `requests==2.32.3`, `org.slf4j:slf4j-api:2.0.16`. */
export const coordinate = (uid: string, { name, version }: Pick<Wanted, "name" | "version">): string =>
  `${name}${uid.startsWith("python:") ? "==" : ":"}${version}`;
