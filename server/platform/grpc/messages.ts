import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  MessageOptionsSchema,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
} from "@bufbuild/protobuf/wkt";

import type { Schema } from "platform-contract/endpoint";
import { definitionOf, formatOf, required, strictOf } from "platform-contract/schema";

import { fieldName, pascalCase, singular } from "./names";
import type { Numbering } from "./numbers";

type Shape = Readonly<Record<string, Schema>>;

/** Type of a field: a scalar, or a message or enum by its full name. */
export interface FieldType {
  readonly type: Type;
  readonly typeName?: string;
}

export interface FieldOptions {
  readonly repeated?: boolean;
  /** True if "not set" is distinct from the zero value (AIP-149), as it is in JSON. */
  readonly presence?: boolean;
}

export const string: FieldType = { type: Type.STRING };
export const messageType = (typeName: string): FieldType => ({
  type: Type.MESSAGE,
  typeName: `.${typeName}`,
});
/** The published enum of all capabilities. */
export const CAPABILITY = "chainguard.capabilities.Capability";
/** A repo with its tags; in JSON one string. */
export const IMAGE_REF = "chainguard.platform.advisory.v2.ImageRef";
const FORMATS = {
  timestamp: messageType("google.protobuf.Timestamp"),
  duration: messageType("google.protobuf.Duration"),
  bytes: { type: Type.BYTES },
  int64: { type: Type.INT64 },
  imageRef: messageType(IMAGE_REF),
  capability: { type: Type.ENUM, typeName: `.${CAPABILITY}` },
} as const;

/** State shared by the messages of a package: its enums, message names and field numbers. */
export interface Scope {
  readonly package: string;
  readonly numbering: Numbering;
  readonly enums: Map<string, EnumDescriptorProto>;
  /** Names of named messages, by schema. */
  readonly named: ReadonlyMap<Schema, string>;
}

/** A message under construction; fields stay in insertion order. */
export class Message {
  private readonly fields: FieldDescriptorProto[] = [];
  private readonly nested: DescriptorProto[] = [];
  private readonly enums = new Map<string, EnumDescriptorProto>();
  private readonly oneofs: string[] = [];

  constructor(
    private readonly scope: Scope,
    private readonly name: string,
    /** Full name of the enclosing package or message. */
    private readonly within: string = scope.package,
  ) {}

  private get fullName(): string {
    return `${this.within}.${this.name}`;
  }

  /** `key` is the field's name in JSON. */
  add(key: string, { type, typeName }: FieldType, options: FieldOptions = {}): this {
    const { repeated = false } = options;
    const name = fieldName(key);
    const presence = options.presence === true && !repeated && type !== Type.MESSAGE;
    const init: MessageInitShape<typeof FieldDescriptorProtoSchema> = {
      name,
      number: this.scope.numbering.of(this.fullName, name, 1),
      type,
      label: repeated ? Label.REPEATED : Label.OPTIONAL,
      jsonName: key,
    };
    if (typeName !== undefined) init.typeName = typeName;
    if (presence) {
      // A synthetic oneof, like protoc generates.
      init.proto3Optional = true;
      init.oneofIndex = this.oneofs.push(`_${name}`) - 1;
    }
    this.fields.push(create(FieldDescriptorProtoSchema, init));
    return this;
  }

  has(key: string): boolean {
    return this.fields.some(({ name }) => name === fieldName(key));
  }

  /**
   * Adds all keys of an object schema. Mutually exclusive keys are not a oneof: records from before that rule can have
   * both and must stay readable, and a request with both gets the same error as over HTTP.
   */
  addShape(shape: Shape, presence: boolean): this {
    for (const [key, schema] of Object.entries(shape)) {
      const field = this.typeOf(schema, key, (nested, inner) => nested.addShape(inner, presence));
      this.add(key, field, { repeated: field.repeated, presence });
    }
    return this;
  }

  /** `fill` adds the fields of an anonymous message, which is named after its key. */
  typeOf(
    schema: Schema,
    key: string,
    fill: (nested: Message, shape: Shape) => Message,
  ): FieldType & { repeated: boolean } {
    const given = required(schema);
    const named = this.scope.named.get(given);
    if (named !== undefined) return { ...messageType(named), repeated: false };
    const strict = required(strictOf(given));
    const { type, shape, element, keyType, valueType, entries } = definitionOf(strict);
    const one = (found: FieldType) => ({ ...found, repeated: false });
    if (type === "array" && element) return { ...this.typeOf(element, singular(key), fill), repeated: true };
    if (type === "record" && keyType && valueType) {
      const entry = new Message(this.scope, `${pascalCase(key)}Entry`, this.fullName);
      entry.add("key", this.typeOf(keyType, "key", fill));
      entry.add("value", this.typeOf(valueType, singular(key), fill));
      const built = entry.build();
      built.options = create(MessageOptionsSchema, { mapEntry: true });
      this.nested.push(built);
      return { ...messageType(`${this.fullName}.${built.name}`), repeated: true };
    }
    if (type === "object" && shape) {
      const name = pascalCase(key);
      if (!this.nested.some((other) => other.name === name))
        this.nested.push(fill(new Message(this.scope, name, this.fullName), shape).build());
      return one(messageType(`${this.fullName}.${name}`));
    }
    if (type === "enum" && entries) return one(this.enumType(Object.values(entries)));
    if (type === "boolean") return one({ type: Type.BOOL });
    // A union of number and string is an int64, which servers write either way.
    if (type === "union") return one({ type: Type.INT64 });
    if (type === "number" || type === "int") return one({ type: Type.INT32 });
    if (type !== "string") throw new Error(`${this.fullName}.${key} has no type in protobuf`);
    const format = formatOf(strict) ?? formatOf(given);
    if (format) return one(FORMATS[format]);
    if (key === "updateMask") return one(messageType("google.protobuf.FieldMask"));
    // AIP-142: fields ending in _time are Timestamps.
    return one(key.endsWith("Time") ? FORMATS.timestamp : string);
  }

  /** `ORG_KIND_UNSPECIFIED, ...` becomes the enum OrgKind of the package; `TYPE_...` a Type nested in this message. */
  private enumType(values: readonly string[]): FieldType {
    const prefix = prefixOf(values);
    const name = pascalCase(prefix);
    const [enums, within] =
      prefix === "TYPE" ? [this.enums, this.fullName] : [this.scope.enums, this.scope.package];
    const fullName = `${within}.${name}`;
    const zero = `${prefix}_UNSPECIFIED`;
    const value = [zero, ...values.filter((one) => one !== zero)].map((one) => ({
      name: one,
      number: this.scope.numbering.of(fullName, one, 0),
    }));
    enums.set(name, create(EnumDescriptorProtoSchema, { name, value }));
    return { type: Type.ENUM, typeName: `.${fullName}` };
  }

  build(): DescriptorProto {
    return create(DescriptorProtoSchema, {
      name: this.name,
      field: this.fields,
      nestedType: this.nested,
      enumType: [...this.enums.values()],
      oneofDecl: this.oneofs.map((name) => ({ name })),
    });
  }
}

/** Common prefix of all values, up to an underscore: `ORG_KIND`. */
function prefixOf(values: readonly string[]): string {
  const [first = "", ...others] = values;
  if (first.endsWith("_UNSPECIFIED")) return first.slice(0, -"_UNSPECIFIED".length);
  const words = first.split("_");
  const count = words.findIndex((_, index) => {
    const start = `${words.slice(0, index + 1).join("_")}_`;
    return others.some((other) => !other.startsWith(start));
  });
  return words.slice(0, count < 0 ? words.length - 1 : count).join("_");
}
