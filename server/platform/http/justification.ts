import { justificationProblem } from "platform-contract/audit/justification";
import type { Endpoint } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";

import { writes } from "../audit/writes";

/** Why a change is made, or what is wrong with the header that should say so. */
export interface Justification {
  readonly text?: string;
  readonly violation?: FieldViolation;
}

/** Field values are ASCII (RFC 9110, section 5.5); a percent sign begins an octet of UTF-8 (RFC 3986, section 2.1). */
const FORM = /^[\x20-\x7e]*$/;

function decoded(header: string): string | undefined {
  if (!FORM.test(header)) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}

/** Reads the Change-Justification of a request; reads have none, whatever they send. */
export function readJustification(
  endpoint: Pick<Endpoint, "id" | "method">,
  header: string | undefined,
): Justification {
  if (header === undefined || !writes(endpoint)) return {};
  const text = decoded(header);
  const description =
    text === undefined
      ? "must be ASCII, with all other characters as percent-encoded UTF-8"
      : justificationProblem(text);
  if (description !== undefined) return { violation: { field: "Change-Justification", description } };
  const said = text?.trim() ?? "";
  return said === "" ? {} : { text: said };
}
