import * as z from "zod/mini";

import { NAME_BYTES, text, textMap, webAddressText } from "../schema";

const OBJECT = "must be an object";
const LIST = "must be a list";
/** PEM documents and lists of packages are longer than other texts. */
const DOCUMENT_BYTES = 64_000;
const ENTRIES = 1_000;

const short = () => text({ bytes: NAME_BYTES });
const list = (of: z.ZodMiniType<string>) =>
  z.array(of, LIST).check(z.maxLength(ENTRIES, `must have at most ${ENTRIES} entries`));
const required = (sentence = "required", pattern = /\S/) => text({ sentence, pattern, bytes: NAME_BYTES });
const pem = (sentence: string, label: RegExp) =>
  text({ sentence, pattern: new RegExp(`^\\s*-----BEGIN ${label.source}-----`), bytes: DOCUMENT_BYTES });
const numericId = () =>
  z
    .int("must be a whole number")
    .check(z.minimum(0, "must be 0 or more"), z.maximum(2_147_483_647, "is too large"));

/** A map that rejects keys that the platform sets. The message names only the caller's key. */
const mapWithout = (...prefixes: string[]) =>
  textMap().check(({ value, issues }) => {
    const reserved = Object.keys(value).find((key) => prefixes.some((prefix) => key.startsWith(prefix)));
    if (reserved === undefined) return;
    const message = `${reserved} uses a prefix that is reserved for the platform`;
    issues.push({ code: "custom", message, input: value });
  });

const contents = z.object(
  {
    packages: z.optional(list(required("must not be empty"))),
    runtimeRepositories: z.optional(list(webAddressText({ http: "anywhere", bytes: NAME_BYTES }))),
    runtimeKeyring: z.optional(
      z.array(
        z.object(
          {
            name: required(
              "must be a file name of letters, digits, dots and dashes, and must not start with a dot or dash",
              /^[A-Za-z0-9_][\w.-]*$/,
            ),
            content: pem("must be a PEM public key", /(?:RSA )?PUBLIC KEY/),
          },
          OBJECT,
        ),
        LIST,
      ),
    ),
  },
  OBJECT,
);

const accounts = z.object(
  {
    runAs: z.optional(short()),
    users: z.optional(
      z.array(
        z.object(
          {
            username: required(),
            uid: z.optional(numericId()),
            gid: z.optional(numericId()),
            groupName: z.optional(short()),
            shell: z.optional(short()),
            homeDir: z.optional(short()),
          },
          OBJECT,
        ),
        LIST,
      ),
    ),
    groups: z.optional(
      z.array(
        z.object(
          {
            groupname: required(),
            gid: z.optional(numericId()),
            members: z.optional(list(short())),
          },
          OBJECT,
        ),
        LIST,
      ),
    ),
  },
  OBJECT,
);

const certificates = z.object(
  {
    additional: z.optional(
      z.array(
        z.object(
          {
            name: required(),
            content: pem("must be a PEM certificate", /CERTIFICATE/),
          },
          OBJECT,
        ),
        LIST,
      ),
    ),
    providers: z.optional(list(required("must not be empty"))),
  },
  OBJECT,
);

/** Additions to an image when it is rebuilt. */
export const customOverlay = z.object(
  {
    contents: z.optional(contents),
    environment: z.optional(mapWithout("CHAINGUARD_")),
    annotations: z.optional(mapWithout("dev.chainguard.", "org.opencontainers.")),
    accounts: z.optional(accounts),
    certificates: z.optional(certificates),
  },
  OBJECT,
);
