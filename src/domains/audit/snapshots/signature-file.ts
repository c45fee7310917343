import { sha256 } from "~/frame/export/sha256";

/** The name of the file that is kept beside a snapshot file. */
export const signatureName = (file: string): string => `${file}.jws`;

/** As the service signs it. */
export const digestOf = async (file: Blob): Promise<string> => `sha256:${await sha256(file)}`;

/** The file has no signature of a snapshot; the message says why. */
export class SignatureProblem extends Error {}

export interface Signature {
  readonly jws: string;
  /** What it claims, which is worth nothing until it has been checked. */
  readonly claims: {
    readonly service: string;
    /** uid of the identity that asked for it. */
    readonly by: string;
    readonly group: string;
    readonly digest: string;
    /** RFC 3339. */
    readonly time: string;
  };
}
