import { toBinary } from "@bufbuild/protobuf";

import type { Status, StatusDetail } from "platform-contract/status";

import { detailMessage } from "./details";
import type { Protos } from "./registry";

/** Bytes of an error's metadata. Clients accept 8 kB by default, including the headers of proxies. */
const LIMIT = 6_500;
/** Characters of each text, if that is what makes an error too large. */
const TEXT = 300;

/** The fields of error details that are lists. */
const LISTS = ["fieldViolations", "violations", "missing"] as const;

/** What the message and the details (a base64 text that repeats the message) take as metadata. */
function sizeOf({ message, details = [] }: Status, protos: Protos): number {
  const packed = details.map((detail) => {
    const found = detailMessage(protos, detail);
    return found ? detail["@type"].length + toBinary(found.desc, found.value).length + 16 : 0;
  });
  const bytes = Buffer.byteLength(message) + packed.reduce((sum, size) => sum + size, 16);
  return encodeURIComponent(message).length + Math.ceil(bytes / 3) * 4;
}

const cut = (text: string): string =>
  text.length > TEXT ? `${text.slice(0, TEXT).replace(/[\uD800-\uDBFF]$/, "")}...` : text;

/** Cuts all texts in a detail's fields. */
const cutAll = (value: unknown): unknown =>
  typeof value === "string"
    ? cut(value)
    : Array.isArray(value)
      ? value.map(cutAll)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutAll(item)]))
        : value;

const listIn = (detail: StatusDetail): (typeof LISTS)[number] | undefined =>
  LISTS.find((key) => Array.isArray(detail[key]));

/** The message for the violations that are left; `left` were left out, in addition to those the message left out. */
function messageOf(message: string, violations: readonly Record<string, unknown>[], left: number): string {
  const [start = ""] = /^[^:]*: /.exec(message) ?? [];
  const before = Number(/and (\d+) more$/.exec(message)?.[1] ?? 0);
  const sentences = violations.map(({ field, description, label }) =>
    [field, description ?? label].filter(Boolean).join(": "),
  );
  return `${start}${[...sentences.map(cut), `and ${left + before} more`].join("; ")}`;
}

/** An error that clients accept as metadata: leaves out violations from the end until it is small enough, and counts them. */
export function shortened(status: Status, protos: Protos): Status {
  if (sizeOf(status, protos) <= LIMIT) return status;
  const details = (cutAll(status.details ?? []) as StatusDetail[]).map((detail) => ({ ...detail }));
  const short = { ...status, details, message: status.message };
  const lists = details.flatMap((detail) => {
    const key = listIn(detail);
    return key ? [{ detail, key, all: detail[key] as Record<string, unknown>[] }] : [];
  });
  const [first = []] = lists.map(({ all }) => all);
  // The message of a single violation can be too long as well.
  for (let kept = Math.max(0, ...lists.map(({ all }) => all.length)); ; kept -= 1) {
    short.message =
      kept < first.length
        ? messageOf(status.message, first.slice(0, kept), first.length - kept)
        : lists.length > 0 && kept > 1
          ? status.message
          : cut(status.message);
    for (const { detail, key, all } of lists) detail[key] = all.slice(0, kept);
    if (kept <= 1 || sizeOf(short, protos) <= LIMIT) return short;
  }
}
