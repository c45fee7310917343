import {
  FieldDescriptorProto_Label as Label,
  type DescriptorProto,
  type EnumDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { endpoints } from "platform-contract";

import { protoFiles } from "./files";
import { publishedFacts as facts } from "./testing/published-proto";

/** Our own fields begin here in messages of the published API. */
const OWN = 101;

const messages = new Map<string, DescriptorProto>();
const enums = new Map<string, EnumDescriptorProto>();
function add(within: string, message: DescriptorProto): void {
  const name = `${within}.${message.name}`;
  messages.set(name, message);
  for (const nested of message.nestedType) add(name, nested);
  for (const one of message.enumType) enums.set(`${name}.${one.name}`, one);
}
const { files } = protoFiles(endpoints);
for (const file of files) {
  for (const message of file.messageType) add(`.${file.package}`, message);
  for (const one of file.enumType) enums.set(`.${file.package}.${one.name}`, one);
}

const SCALARS: Readonly<Record<number, string>> = {
  3: "int64",
  5: "int32",
  8: "bool",
  9: "string",
  12: "bytes",
};

/** Messages and enums whose names differ (ours are nested where the published ones are not) are compared by use. */
function differences(): string[] {
  const found: string[] = [];
  const pairs = [...messages.keys()]
    .filter((name) => facts.some(({ parent }) => parent === name))
    .map((name) => [name, name]);
  const done = new Set<string>();
  for (const [ours = "", published = ""] of pairs) {
    if (done.has(`${ours} ${published}`)) continue;
    done.add(`${ours} ${published}`);
    for (const { name, number } of enums.get(ours)?.value ?? []) {
      const fact = facts.find((one) => one.kind === "enum" && one.parent === published && one.name === name);
      if (fact ? fact.number !== number : number < OWN && number !== 0)
        found.push(`${ours}.${name} = ${number}`);
    }
    for (const field of messages.get(ours)?.field ?? []) {
      const label = `${ours}.${field.name} = ${field.number}`;
      const fact = facts.find(
        (one) => one.kind === "field" && one.parent === published && one.name === field.name,
      );
      if (!fact) {
        if (field.number < OWN && facts.some(({ parent }) => parent === published)) found.push(label);
        continue;
      }
      if (fact.number !== field.number) found.push(`${label}, published ${fact.number}`);
      if (fact.repeated !== (field.label === Label.REPEATED))
        found.push(`${label}, published repeated: ${fact.repeated}`);
      if (!field.typeName) {
        if (SCALARS[field.type] !== fact.type)
          found.push(`${label}: ${SCALARS[field.type]}, published ${fact.type}`);
      } else if (field.typeName.startsWith(".google.") || !fact.type.startsWith(".")) {
        if (field.typeName !== fact.type) found.push(`${label}: ${field.typeName}, published ${fact.type}`);
      } else pairs.push([field.typeName, fact.type]);
    }
  }
  return found;
}

test("every field and enum value that the published API has, has its number and type", () => {
  expect(differences()).toEqual([]);
});

test("all capabilities have their published numbers", () => {
  const ours = enums
    .get(".chainguard.capabilities.Capability")
    ?.value.map(({ name, number }) => [name, number]);
  const published = facts
    .filter(({ parent }) => parent === ".chainguard.capabilities.Capability")
    .map(({ name, number }) => [name, number]);
  expect(new Map(ours as [string, number][])).toEqual(new Map(published as [string, number][]));
});
