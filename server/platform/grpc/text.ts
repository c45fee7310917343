import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";

import type { Method } from "./files";
import type { Numbering } from "./numbers";

const SCALARS: Readonly<Partial<Record<Type, string>>> = {
  [Type.STRING]: "string",
  [Type.BOOL]: "bool",
  [Type.INT32]: "int32",
  [Type.INT64]: "int64",
  [Type.BYTES]: "bytes",
};

const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === "" ? "" : `  ${line}`));

const namesWithin = (message: DescriptorProto): string[] => [
  ...message.enumType.map(({ name }) => name),
  ...message.nestedType.flatMap((one) => [one.name, ...namesWithin(one)]),
];

/** Prints a file in protoc's syntax. Names and numbers no longer in use stay reserved. */
export function protoText(
  file: FileDescriptorProto,
  methods: readonly Method[],
  numbering: Numbering,
): string {
  const within = file.package;
  const nested = new Set(file.messageType.flatMap(namesWithin));
  // A name that a message also has within itself would mean that one there.
  const typeName = (name = ""): string => {
    if (!name.startsWith(`.${within}.`)) return name.slice(1);
    const short = name.slice(within.length + 2);
    return nested.has(short.split(".", 1)[0] ?? "") ? name : short;
  };

  function field(one: FieldDescriptorProto, entries: readonly DescriptorProto[]): string {
    const entry = entries.find(({ name }) => one.typeName?.endsWith(`.${name}`));
    const [key, value] = entry?.field ?? [];
    const plain = (of: FieldDescriptorProto): string => SCALARS[of.type] ?? typeName(of.typeName);
    const type = key && value ? `map<${plain(key)}, ${plain(value)}>` : plain(one);
    const repeated = one.label === Label.REPEATED && !entry ? "repeated " : "";
    const optional = one.proto3Optional ? "optional " : "";
    const usual = one.name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const json = one.jsonName === usual ? "" : ` [json_name = "${one.jsonName}"]`;
    return `${repeated}${optional}${type} ${one.name} = ${one.number}${json};`;
  }

  function reserved(owner: string, names: readonly string[]): string[] {
    const retired = numbering.retired(owner, names);
    if (retired.length === 0) return [];
    return [
      `reserved ${retired.map(([, number]) => number).join(", ")};`,
      `reserved ${retired.map(([name]) => `"${name}"`).join(", ")};`,
    ];
  }

  function message(one: DescriptorProto, owner: string): string[] {
    const full = `${owner}.${one.name}`;
    const entries = one.nestedType.filter(({ options }) => options?.mapEntry);
    const fields = one.field.toSorted((a, b) => a.number - b.number);
    const lines = [
      ...reserved(
        full,
        one.field.map(({ name }) => name),
      ),
      ...fields.map((of) => field(of, entries)),
      ...one.enumType.flatMap((of) => enumeration(of, full)),
      ...one.nestedType.filter((of) => !entries.includes(of)).flatMap((of) => message(of, full)),
    ];
    return lines.length === 0 ? [`message ${one.name} {}`] : [`message ${one.name} {`, ...indent(lines), "}"];
  }

  function enumeration(one: EnumDescriptorProto, owner: string): string[] {
    const full = `${owner}.${one.name}`;
    const names = one.value.map(({ name }) => name);
    const values = one.value
      .toSorted((a, b) => a.number - b.number)
      .map(({ name, number }) => `${name} = ${number};`);
    return [`enum ${one.name} {`, ...indent([...reserved(full, names), ...values]), "}"];
  }

  const services = file.service.flatMap(({ name, method }) => [
    "",
    `service ${name} {`,
    ...indent(
      method.flatMap(({ name: rpc, inputType, outputType }) => {
        const found = methods.find(({ naming }) => naming.package === within && naming.rpc === rpc);
        const { summary, method: verb, path } = found?.endpoint ?? { summary: "", method: "", path: "" };
        return [
          `// ${summary}: ${verb} ${path}`,
          `rpc ${rpc}(${typeName(inputType)}) returns (${typeName(outputType)});`,
        ];
      }),
    ),
    "}",
  ]);
  return `${[
    "// Written by `npm run proto` from contract; not to be edited.",
    'syntax = "proto3";',
    "",
    `package ${within};`,
    ...(file.dependency.length > 0 ? ["", ...file.dependency.map((path) => `import "${path}";`)] : []),
    ...services,
    ...file.messageType.flatMap((one) => ["", ...message(one, within)]),
    ...file.enumType.flatMap((one) => ["", ...enumeration(one, within)]),
  ].join("\n")}\n`;
}
