/** The URN of a SCIM error (RFC 7644, section 3.12). */
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "invalidVers"
  | "sensitive";

/** An error for the directory, with the HTTP status and, where RFC 7644 has one, its scimType. */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly scimType?: ScimType,
  ) {
    super(message);
  }

  toBody() {
    return {
      schemas: [ERROR],
      status: String(this.status),
      ...(this.scimType && { scimType: this.scimType }),
      detail: this.message,
    };
  }
}

export const notFound = (): ScimError => new ScimError(404, "there is no such resource");

/** `allow`: the methods that are supported, for the header of that name. */
export const notAllowed = (allow: string): ScimError =>
  Object.assign(new ScimError(405, "the method is not supported here"), { allow });

export const invalidValue = (message: string): ScimError => new ScimError(400, message, "invalidValue");
