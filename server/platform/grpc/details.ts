import { fromJson, type DescMessage, type JsonObject, type Message } from "@bufbuild/protobuf";

import type { StatusDetail } from "platform-contract/status";

import type { Protos } from "./registry";

/** A detail of an error as the message of its type; undefined if that is unknown. */
export function detailMessage(
  { registry }: Protos,
  { "@type": type, ...fields }: StatusDetail,
): { desc: DescMessage; value: Message } | undefined {
  const desc = registry.getMessage(type.slice(type.lastIndexOf("/") + 1));
  // Details are made of JSON, which their type does not say.
  return desc && { desc, value: fromJson(desc, fields as JsonObject, { ignoreUnknownFields: true }) };
}
