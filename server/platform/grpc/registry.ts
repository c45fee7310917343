import { create, createFileRegistry, type DescMessage, type FileRegistry } from "@bufbuild/protobuf";
import {
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_timestamp,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

import type { Endpoint } from "platform-contract/endpoint";

import { protoFiles, type Method } from "./files";
import { ERROR_DETAILS, reflectionFile } from "./fixed";

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
