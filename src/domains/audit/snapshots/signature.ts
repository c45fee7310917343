import { decodeJwt, decodeProtectedHeader } from "jose";

import { SIGNATURE_TYPE } from "platform-contract/snapshots/signatures";
import { checkKey, checkThat } from "~/frame/signatures/check-key";
import type { Check } from "~/ui/display/check-table";

import { SignatureProblem, type Signature } from "./signature-file";

/** Reads the text of a signature file. Throws a SignatureProblem. */
export function readSignature(text: string): Signature {
  const jws = text.trim();
  try {
    const { typ } = decodeProtectedHeader(jws);
    if (typ !== SIGNATURE_TYPE)
      throw new SignatureProblem("This file is signed, but it isn't the signature of a snapshot.");
    const { iss, sub, iat, group, digest } = decodeJwt(jws);
    const texts: readonly unknown[] = [iss, sub, group, digest];
    if (!texts.every((one) => typeof one === "string") || typeof iat !== "number")
      throw new SignatureProblem("This signature is incomplete.");
    const [service = "", by = "", of = "", hash = ""] = texts;
    return {
      jws,
      claims: { service, by, group: of, digest: hash, time: new Date(iat * 1000).toISOString() },
    };
  } catch (error) {
    if (error instanceof SignatureProblem) throw error;
    throw new SignatureProblem(
      "This file isn't a signature. Choose the .jws file that was saved with the snapshot.",
    );
  }
}

interface Signed {
  readonly signature: Signature;
  /** Of the snapshot file. */
  readonly digest: string;
  /** uid of the group that the file says it covers; undefined if it covers everything that was visible. */
  readonly group: string | undefined;
}

/** Checks a signature against a file. `keys` are those of the service; undefined if they could not be read. */
export async function checkSignature(
  { signature: { jws, claims }, digest, group }: Signed,
  service: string,
  keys: readonly object[] | undefined,
): Promise<Check[]> {
  return [
    await checkKey(jws, keys),
    checkThat(
      "Service",
      claims.service === service,
      "It is this platform.",
      `It says ${claims.service}, but you are at ${service}.`,
    ),
    checkThat(
      "File",
      claims.digest === digest,
      "It is exactly the file that was signed.",
      "It isn't the file that was signed: it has been changed, or the signature belongs to another file.",
    ),
    checkThat(
      "Scope",
      claims.group === group,
      "The file covers the group that it was signed for.",
      "The file covers another group than the one that it was signed for.",
    ),
  ];
}
