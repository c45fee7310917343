import type { Status } from "../status";

/** The published name of the detail, whatever the service's own domain (AIP-193). */
export const TERMS_NOT_ACCEPTED = "type.googleapis.com/chainguard.platform.iam.v2.TermsNotAcceptedDetail";

/** A document that must be accepted first. */
export interface MissingDocument {
  readonly id: string;
  readonly label: string;
  readonly url: string;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The documents of a TermsNotAcceptedDetail; empty if the status has no such detail. */
export const missingDocuments = (status: Status | undefined): MissingDocument[] =>
  (status?.details ?? [])
    .filter((detail) => detail["@type"] === TERMS_NOT_ACCEPTED)
    .flatMap(({ missing }) => (Array.isArray(missing) ? (missing as unknown[]) : []))
    .map((item) => Object(item) as Record<string, unknown>)
    .map(({ id, label, url }) => ({ id: text(id), label: text(label) || text(id), url: text(url) }))
    .filter(({ id }) => id !== "");
