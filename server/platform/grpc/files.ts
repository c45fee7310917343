import { create } from "@bufbuild/protobuf";
import {
  EnumDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";

import { camelCase } from "platform-contract/aip";
import type { Endpoint, Schema } from "platform-contract/endpoint";
import { resourceOf } from "platform-contract";
import { capabilities } from "platform-contract/iam/capabilities";
import { TERMS_NOT_ACCEPTED } from "platform-contract/iam/terms-not-accepted";
import { definitionOf, required, shapeOf } from "platform-contract/schema";

import { CAPABILITY, IMAGE_REF, Message, messageType, string, type Scope } from "./messages";
import { fieldName, namingOf, pascalCase, singular, type Naming } from "./names";
import { Numbering } from "./numbers";

const EMPTY = "google.protobuf.Empty";
const COMMON = "chainguard.platform.common";
/** Query parameters `uidp.x` are fields of this shared message. */
const UIDP_FILTER = `${COMMON}.UIDPFilter`;

/** An operation of the contract, with its gRPC names. */
export interface Method {
  readonly endpoint: Endpoint;
  readonly naming: Naming;
}

export interface Files {
  /** Our own files, each after its dependencies. */
  readonly files: readonly FileDescriptorProto[];
  readonly methods: readonly Method[];
  readonly numbering: Numbering;
}

/** Generates proto files for operations: messages from their schemas, services from their names. */
export function protoFiles(endpoints: readonly Endpoint[], numbering: Numbering = new Numbering()): Files {
  const methods = endpoints
    .filter(({ isToken }) => !isToken)
    .map((endpoint) => ({ endpoint, naming: namingOf(endpoint) }));
  const named = namedMessages(methods);
  const common: Scope = { package: COMMON, numbering, enums: new Map(), named };
  const uidp = new Message(common, "UIDPFilter");
  const packages = [...new Set(methods.map(({ naming }) => naming.package))];
  const own = packages.map((name) => {
    const scope: Scope = { package: name, numbering, enums: new Map(), named };
    return packageFile(
      scope,
      methods.filter(({ naming }) => naming.package === name),
      uidp,
    );
  });
  const shared = file(COMMON, [uidp.build()], []);
  return { files: [shared, capabilityFile(numbering), ...own], methods, numbering };
}

/** The enum of capabilities, which is its own package. An unknown value is `UNKNOWN` and never granted. */
function capabilityFile(numbering: Numbering): FileDescriptorProto {
  const dot = CAPABILITY.lastIndexOf(".");
  const names = ["UNKNOWN", ...capabilities.map(({ wire }) => wire)];
  const value = names.map((name) => ({ name, number: numbering.of(CAPABILITY, name, 0) }));
  const type = create(EnumDescriptorProtoSchema, { name: CAPABILITY.slice(dot + 1), value });
  return file(CAPABILITY.slice(0, dot), [], [type]);
}

/** Resources and rows of other lists have a fixed message name wherever they occur. */
function namedMessages(methods: readonly Method[]): ReadonlyMap<Schema, string> {
  const named = new Map<Schema, string>();
  for (const { endpoint, naming } of methods) {
    const resource = resourceOf(endpoint.collection);
    if (endpoint.verb === "list") {
      const row = rowOf(endpoint);
      const name = resource?.type ?? pascalCase(singular(endpoint.collection));
      if (row) named.set(row, `${naming.package}.${name}`);
    } else if (endpoint.answer && resource && naming.answer === resource.type)
      named.set(endpoint.answer, `${naming.package}.${resource.type}`);
  }
  return named;
}

const rowOf = ({ collection, answer }: Endpoint): Schema | undefined => {
  const rows = answer && shapeOf(answer)?.[collection];
  const { element } = rows ? definitionOf(required(rows)) : {};
  return element && required(element);
};

function packageFile(scope: Scope, methods: readonly Method[], uidp: Message): FileDescriptorProto {
  const messages = new Map<string, DescriptorProto>();
  const define = (name: string, fill: (message: Message) => Message) => {
    if (!messages.has(name)) messages.set(name, fill(new Message(scope, name)).build());
  };
  for (const { endpoint, naming } of methods) {
    const resource = resourceOf(endpoint.collection);
    const type = resource?.type;
    if (resource && (endpoint.verb === "list" || [naming.body, naming.answer].includes(type))) {
      const { create: creates } = resource as { create?: Endpoint };
      const shown = shapeOf(creates?.answer ?? resource.answer) ?? {};
      // Settable fields have more precise types, and no response includes all of them.
      const shape = { ...shown, ...resource.settable };
      define(resource.type, (message) => message.addShape(shape, true));
    }
    const row = endpoint.verb === "list" && !resource ? rowOf(endpoint) : undefined;
    if (row)
      define(pascalCase(singular(endpoint.collection)), (message) =>
        message.addShape(shapeOf(row) ?? {}, true),
      );
    define(naming.request, (message) => request(message, endpoint, naming, uidp));
    const answer = endpoint.answer && shapeOf(endpoint.answer);
    if (answer && naming.answer !== undefined)
      define(naming.answer, (message) => message.addShape(answer, true));
  }
  if (IMAGE_REF.startsWith(`${scope.package}.`))
    define("ImageRef", (message) => message.add("repo", string).add("tags", string, { repeated: true }));
  if (TERMS_NOT_ACCEPTED.endsWith(`/${scope.package}.TermsNotAcceptedDetail`)) termsDetail(scope, messages);
  const services = [...new Set(methods.map(({ naming }) => naming.service))].map((name) =>
    create(ServiceDescriptorProtoSchema, {
      name,
      method: methods
        .filter(({ naming }) => naming.service === name)
        .map(({ naming }) => ({
          name: naming.rpc,
          inputType: `.${scope.package}.${naming.request}`,
          outputType: `.${naming.answer === undefined ? EMPTY : `${scope.package}.${naming.answer}`}`,
        })),
    }),
  );
  return file(scope.package, [...messages.values()], [...scope.enums.values()], services);
}

/** Path variables, then the body as one field or as its fields, then the query. */
function request(message: Message, endpoint: Endpoint, naming: Naming, uidp: Message): Message {
  const filled = (nested: Message, shape: Readonly<Record<string, Schema>>) => nested.addShape(shape, true);
  for (const name of Object.keys(endpoint.variables)) {
    const field = naming.variable(name);
    if (field !== undefined) message.add(camelCase(field), string);
  }
  if (naming.body !== undefined)
    message.add(camelName(naming.body), messageType(`${naming.package}.${naming.body}`));
  else if (endpoint.body) message.addShape(shapeOf(endpoint.body) ?? {}, true);
  for (const [key, schema] of Object.entries(endpoint.query)) {
    const [, within, inner = ""] = /^(uidp)\.(\w+)$/.exec(key) ?? [];
    if (within !== undefined) {
      const field = uidp.typeOf(schema, inner, filled);
      if (!uidp.has(inner)) uidp.add(camelCase(inner), field, field);
      if (!message.has(within)) message.add(within, messageType(UIDP_FILTER));
    } else {
      const field = message.typeOf(schema, key, filled);
      message.add(camelCase(key), field, field);
    }
  }
  return message;
}

const camelName = (type: string): string => type.charAt(0).toLowerCase() + type.slice(1);

/** An error detail, which is not in any operation's response. */
function termsDetail(scope: Scope, messages: Map<string, DescriptorProto>): void {
  const missing = new Message(scope, "MissingDocument")
    .add("id", string)
    .add("label", string)
    .add("url", string);
  messages.set("MissingDocument", missing.build());
  const type = messageType(`${scope.package}.MissingDocument`);
  const detail = new Message(scope, "TermsNotAcceptedDetail").add("missing", type, { repeated: true });
  messages.set("TermsNotAcceptedDetail", detail.build());
}

const WELL_KNOWN = ["Duration", "Empty", "FieldMask", "Timestamp"];

function file(
  name: string,
  messageType: DescriptorProto[],
  enumType: EnumDescriptorProto[],
  service: FileDescriptorProto["service"] = [],
): FileDescriptorProto {
  const text = JSON.stringify([messageType, service]);
  const known = WELL_KNOWN.filter((type) => text.includes(`".google.protobuf.${type}"`));
  const dependency = known.map((type) => `google/protobuf/${fieldName(camelName(type))}.proto`);
  for (const shared of [CAPABILITY, UIDP_FILTER])
    if (text.includes(`".${shared}"`)) dependency.unshift(pathOf(shared.slice(0, shared.lastIndexOf("."))));
  return create(FileDescriptorProtoSchema, {
    name: pathOf(name),
    package: name,
    syntax: "proto3",
    dependency,
    messageType,
    enumType,
    service,
  });
}

/** `chainguard.platform.iam.v2` is `chainguard/platform/iam/v2/iam.proto`. */
function pathOf(name: string): string {
  const parts = name.split(".");
  const last = parts.findLast((part) => !/^v\d/.test(part)) ?? "";
  return [...parts, `${last}.proto`].join("/");
}
