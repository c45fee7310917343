import { readFileSync } from "node:fs";

interface Fact {
  readonly kind: string;
  readonly parent: string;
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly oneof: string;
}

/** Facts of the published API: every message, field number, type, enum value and method, one per line. */
export const publishedFacts: readonly Fact[] = readFileSync(new URL("published.csv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [kind = "", parent = "", number = "", name = "", type = "", repeated = "", oneof = ""] =
      line.split(",");
    return { kind, parent, number: Number(number), name, type, repeated: repeated === "yes", oneof };
  });

/** `.a.b.v2.Message.Inner` in its package and the names within it, which begin with a capital. */
function split(type: string): { package: string; names: string[] } {
  const parts = type.slice(1).split(".");
  const at = parts.findIndex((part) => /^[A-Z]/.test(part));
  return { package: parts.slice(0, at).join("."), names: parts.slice(at) };
}

const WELL_KNOWN: Readonly<Record<string, string>> = {
  ".google.protobuf.Timestamp": "timestamp",
  ".google.protobuf.Duration": "duration",
  ".google.protobuf.FieldMask": "field_mask",
  ".google.protobuf.Empty": "empty",
};

const fileOf = (name: string): string => `${name}.proto`;
const isEntry = (type: string): boolean => type.endsWith("Entry");

function fieldText({ number, name, type, repeated }: Fact, facts: readonly Fact[]): string {
  if (!repeated || !isEntry(type)) return `${repeated ? "repeated " : ""}${type} ${name} = ${number};`;
  const [key, value] = facts.filter(({ kind, parent }) => kind === "field" && parent === type);
  return `map<${key?.type}, ${value?.type}> ${name} = ${number};`;
}

function messageText(type: string, types: ReadonlySet<string>, enums: ReadonlySet<string>): string {
  const facts = publishedFacts;
  const name = split(type).names.at(-1);
  const inner = [...types, ...enums].filter(
    (one) => one.startsWith(`${type}.`) && !one.slice(type.length + 1).includes(".") && !isEntry(one),
  );
  const nested = inner.map((one) => (enums.has(one) ? enumText(one) : messageText(one, types, enums)));
  const fields = facts.filter(({ kind, parent }) => kind === "field" && parent === type);
  const oneofs = [...new Set(fields.map(({ oneof }) => oneof))].map((oneof) => {
    const members = fields.filter((one) => one.oneof === oneof).map((one) => fieldText(one, facts));
    return oneof === "" ? members.join("\n") : `oneof ${oneof} {\n${members.join("\n")}\n}`;
  });
  return [`message ${name} {`, ...nested, ...oneofs, "}"].join("\n");
}

function enumText(type: string): string {
  const values = publishedFacts
    .filter(({ kind, parent }) => kind === "enum" && parent === type)
    .toSorted((one, other) => one.number - other.number)
    .map(({ name, number }) => `${name} = ${number};`);
  return [`enum ${split(type).names.at(-1)} {`, ...values, "}"].join("\n");
}

/** The published proto files as text, written from the facts: a file for each package. */
export function publishedProto(): Map<string, string> {
  const enums = new Set(publishedFacts.flatMap(({ kind, parent }) => (kind === "enum" ? [parent] : [])));
  const types = new Set<string>();
  const add = (type: string) => {
    if (!type.startsWith(".") || WELL_KNOWN[type] || enums.has(type)) return;
    const { package: within, names } = split(type);
    for (let depth = 1; depth <= names.length; depth += 1)
      types.add(`.${within}.${names.slice(0, depth).join(".")}`);
  };
  const methods = publishedFacts.filter(({ kind }) => kind === "method");
  for (const { kind, parent, type } of publishedFacts)
    if (kind === "method") type.split(" -> ").forEach(add);
    else if (kind === "field") [parent, type].forEach(add);
    else if (kind === "enum" && split(parent).names.length > 1) add(parent.replace(/\.[^.]+$/, ""));
  const services = [...new Set(methods.map(({ parent }) => parent))];
  const packages = [...new Set([...types, ...enums, ...services].map((type) => split(type).package))];
  return new Map(
    packages.map((name) => {
      const own = (type: string): boolean => {
        const found = split(type);
        return found.package === name && found.names.length === 1;
      };
      const texts = [
        ...[...enums].filter(own).map(enumText),
        ...[...types].filter(own).map((type) => messageText(type, types, enums)),
        ...services.filter(own).map((service) => {
          const rpcs = methods
            .filter(({ parent }) => parent === service)
            .map((method) => {
              const [request, answer] = method.type.split(" -> ");
              return `rpc ${method.name}(${request}) returns (${answer});`;
            });
          return [`service ${split(service).names[0]} {`, ...rpcs, "}"].join("\n");
        }),
      ];
      const imports = [
        ...Object.entries(WELL_KNOWN).map(([type, file]) => [type, `google/protobuf/${file}.proto`] as const),
        ...packages.filter((one) => one !== name).map((one) => [`.${one}.`, fileOf(one)] as const),
      ].flatMap(([type, file]) => (texts.some((text) => text.includes(type)) ? [`import "${file}";`] : []));
      return [
        fileOf(name),
        `${['syntax = "proto3";', `package ${name};`, ...imports, ...texts].join("\n")}\n`,
      ];
    }),
  );
}
