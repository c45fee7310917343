import { invalidArgument } from "../../status";

/** The header, and the metadata over gRPC (draft-ietf-httpapi-idempotency-key-header). */
export const IDEMPOTENCY_KEY = "idempotency-key";

/** Shorter keys could be guessed, and the kept answers are encrypted with nothing else. */
const FORM = /^[\x21\x23-\x5b\x5d-\x7e]{16,255}$/;

/** Reads a key, as a structured string (`"..."`, RFC 9651) or bare. Throws INVALID_ARGUMENT. */
export function readIdempotencyKey(header: string): string {
  const [, quoted] = /^"(.*)"$/.exec(header) ?? [];
  const key = quoted ?? header;
  if (FORM.test(key)) return key;
  const description = "Idempotency-Key must be 16 to 255 visible ASCII characters, in quotes or without";
  throw invalidArgument([{ field: "Idempotency-Key", description }]);
}
