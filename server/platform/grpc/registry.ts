import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescMethod,
  type DescMethodBiDiStreaming,
  type DescMethodUnary,
  type FileRegistry,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import {
  DescriptorProtoSchema,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_timestamp,
  FileDescriptorSetSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";

import type { Endpoint } from "platform-contract/endpoint";

import { protoFiles, type Method } from "./files";

/** `[name, number, type]`; a type in brackets is repeated, a prefix `a|` makes it a member of oneof `a`. */
type Field = readonly [name: string, number: number, type: string];
type Messages = Readonly<Record<string, readonly Field[]>>;

const SCALARS: Readonly<Record<string, Type>> = {
  string: Type.STRING,
  bool: Type.BOOL,
  int32: Type.INT32,
  bytes: Type.BYTES,
};

/** Builds a published file that all clients know: messages with their published numbers. */
function fixedFile(options: {
  name: string;
  package: string;
  messages: Messages;
  dependency?: string[];
  service?: FileDescriptorProto["service"][number];
}): FileDescriptorProto {
  type Nested = MessageInitShape<typeof DescriptorProtoSchema>;
  const messageType = Object.entries(options.messages).map(([name, fields]) => {
    const oneofs = [...new Set(fields.flatMap(([, , type]) => /^(\w+)\|/.exec(type)?.[1] ?? []))];
    const maps = fields.filter(([, , type]) => type === "map");
    return {
      name,
      oneofDecl: oneofs.map((oneof) => ({ name: oneof })),
      nestedType: maps.map(([field]): Nested => ({
        name: entryOf(field),
        options: { mapEntry: true },
        field: [fieldOf(["key", 1, "string"], []), fieldOf(["value", 2, "string"], [])],
      })),
      field: fields.map(([field, number, type]) =>
        type === "map"
          ? fieldOf([field, number, `[.${options.package}.${name}.${entryOf(field)}]`], oneofs)
          : fieldOf([field, number, type], oneofs),
      ),
    };
  });
  // Nest messages with dotted names: `BadRequest.FieldViolation` goes into BadRequest.
  for (const inner of messageType.filter(({ name }) => name.includes("."))) {
    const [outer = "", name = ""] = inner.name.split(".");
    messageType.find((one) => one.name === outer)?.nestedType.push({ ...inner, name });
  }
  const { name, dependency = [], service } = options;
  return create(FileDescriptorProtoSchema, {
    name,
    package: options.package,
    syntax: "proto3",
    dependency,
    messageType: messageType.filter((one) => !one.name.includes(".")),
    service: service ? [service] : [],
  });
}

const entryOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}Entry`;

function fieldOf([name, number, text]: Field, oneofs: readonly string[]) {
  const [, oneof, list, plain = ""] = /^(?:(\w+)\|)?(\[)?([\w.]+)\]?$/.exec(text) ?? [];
  const scalar = SCALARS[plain];
  return {
    name,
    number,
    jsonName: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    label: list === undefined ? Label.OPTIONAL : Label.REPEATED,
    type: scalar ?? Type.MESSAGE,
    ...(scalar === undefined && { typeName: plain }),
    ...(oneof !== undefined && { oneofIndex: oneofs.indexOf(oneof) }),
  };
}

/** Error details (google/rpc/error_details.proto). */
const ERROR_DETAILS = fixedFile({
  name: "google/rpc/error_details.proto",
  package: "google.rpc",
  dependency: ["google/protobuf/duration.proto"],
  messages: {
    ErrorInfo: [
      ["reason", 1, "string"],
      ["domain", 2, "string"],
      ["metadata", 3, "map"],
    ],
    RetryInfo: [["retry_delay", 1, ".google.protobuf.Duration"]],
    BadRequest: [["field_violations", 1, "[.google.rpc.BadRequest.FieldViolation]"]],
    "BadRequest.FieldViolation": [
      ["field", 1, "string"],
      ["description", 2, "string"],
    ],
    PreconditionFailure: [["violations", 1, "[.google.rpc.PreconditionFailure.Violation]"]],
    "PreconditionFailure.Violation": [
      ["type", 1, "string"],
      ["subject", 2, "string"],
      ["description", 3, "string"],
    ],
    ResourceInfo: [
      ["resource_type", 1, "string"],
      ["resource_name", 2, "string"],
      ["owner", 3, "string"],
      ["description", 4, "string"],
    ],
  },
});

/** Server reflection (grpc/reflection/v1/reflection.proto); clients from before 2023 use the identical `v1alpha`. */
const reflectionFile = (version: "v1" | "v1alpha"): FileDescriptorProto => {
  const within = `grpc.reflection.${version}`;
  return fixedFile({
    name: `grpc/reflection/${version}/reflection.proto`,
    package: within,
    messages: {
      ServerReflectionRequest: [
        ["host", 1, "string"],
        ["file_by_filename", 3, "message_request|string"],
        ["file_containing_symbol", 4, "message_request|string"],
        ["file_containing_extension", 5, `message_request|.${within}.ExtensionRequest`],
        ["all_extension_numbers_of_type", 6, "message_request|string"],
        ["list_services", 7, "message_request|string"],
      ],
      ExtensionRequest: [
        ["containing_type", 1, "string"],
        ["extension_number", 2, "int32"],
      ],
      ServerReflectionResponse: [
        ["valid_host", 1, "string"],
        ["original_request", 2, `.${within}.ServerReflectionRequest`],
        ["file_descriptor_response", 4, `message_response|.${within}.FileDescriptorResponse`],
        ["all_extension_numbers_response", 5, `message_response|.${within}.ExtensionNumberResponse`],
        ["list_services_response", 6, `message_response|.${within}.ListServiceResponse`],
        ["error_response", 7, `message_response|.${within}.ErrorResponse`],
      ],
      FileDescriptorResponse: [["file_descriptor_proto", 1, "[bytes]"]],
      ExtensionNumberResponse: [
        ["base_type_name", 1, "string"],
        ["extension_number", 2, "[int32]"],
      ],
      ListServiceResponse: [["service", 1, `[.${within}.ServiceResponse]`]],
      ServiceResponse: [["name", 1, "string"]],
      ErrorResponse: [
        ["error_code", 1, "int32"],
        ["error_message", 2, "string"],
      ],
    },
    service: create(FileDescriptorProtoSchema, {
      service: [
        {
          name: "ServerReflection",
          method: [
            {
              name: "ServerReflectionInfo",
              inputType: `.${within}.ServerReflectionRequest`,
              outputType: `.${within}.ServerReflectionResponse`,
              clientStreaming: true,
              serverStreaming: true,
            },
          ],
        },
      ],
    }).service[0]!,
  });
};

export const isUnary = (method: DescMethod | undefined): method is DescMethodUnary =>
  method?.methodKind === "unary";
export const isBothWays = (method: DescMethod | undefined): method is DescMethodBiDiStreaming =>
  method?.methodKind === "bidi_streaming";

const WELL_KNOWN = [
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_timestamp,
];

/** All messages and services of the API over gRPC, by name. */
export interface Protos {
  readonly registry: FileRegistry;
  readonly methods: readonly Method[];
  /** Throws if the name is unknown. */
  message(name: string): DescMessage;
}

export function createProtos(endpoints: readonly Endpoint[]): Protos {
  const { files, methods } = protoFiles(endpoints);
  const file = [
    ...WELL_KNOWN.map(({ proto }) => proto),
    ERROR_DETAILS,
    ...files,
    reflectionFile("v1"),
    reflectionFile("v1alpha"),
  ];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  return {
    registry,
    methods,
    message(name) {
      const found = registry.getMessage(name);
      if (!found) throw new Error(`There is no message ${name}`);
      return found;
    },
  };
}
