import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { reference, resource, type InputOf, type ItemOf } from "../resource";
import { answeredEnum, NAME_BYTES, openEnum, text, withFormat } from "../schema";
import { SERVICE_PRINCIPALS } from "./identities";

const word = () => text({ pattern: /^\S+$/, sentence: "required, without spaces", bytes: NAME_BYTES });

/** A positive int64 as JSON writes it: digits in a string. */
const id = (sentence: string) =>
  withFormat(
    "int64",
    text({ pattern: /^[1-9]\d{0,18}$/, sentence }).check(
      z.refine((digits) => !/^\d{1,19}$/.test(digits) || BigInt(digits) < 2n ** 63n, "must fit in 64 bits"),
    ),
  );

/** A map with at least one entry; the error for an invalid key has the path of its entry. */
const entries = <K extends z.ZodMiniType<string, string>, V extends z.ZodMiniType>(
  key: K,
  value: V,
  { none, wrong }: { none: string; wrong: string },
) =>
  z
    .record(key, value, {
      error: (issue) => (issue.code === "invalid_key" ? wrong : none),
    })
    .check(z.refine((map) => Object.keys(map).length > 0, none));

export const AWS_ACCOUNT = text({ pattern: /^\d{12}$/, sentence: "must be 12 digits" });
export const PROJECT_ID = word();
export const PROJECT_NUMBER = text({ pattern: /^\d{1,20}$/, sentence: "must be digits" });
export const TENANT_ID = text({
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  sentence: "must be a UUID, such as 72f988bf-86f1-41af-91ab-2d7cd011db47",
});
export const CLIENT_ID = word();
export const APP_ID = id("must be digits");
export const INSTALLATION_ID = id("must be digits");
/** Service principals whose identities can be bound. */
export const BOUND_PRINCIPALS = SERVICE_PRINCIPALS.slice(1);

const component = text({ pattern: /\S/, sentence: "must have a name", bytes: NAME_BYTES });
const principal = z.string().check(z.refine((name) => (BOUND_PRINCIPALS as string[]).includes(name)));

/** What platform services use in a group's cloud accounts. One per group, with the group's uid. */
export const accountAssociations = resource({
  kind: KINDS.accountAssociations,
  settable: {
    name: text({ characters: [1, 63], sentence: "must be 1 to 63 characters long" }),
    description: z.optional(text()),
    amazon: z.optional(z.object({ account: AWS_ACCOUNT })),
    google: z.optional(z.object({ projectId: PROJECT_ID, projectNumber: PROJECT_NUMBER })),
    azure: z.optional(
      z.object({
        tenantId: TENANT_ID,
        clientIds: entries(component, CLIENT_ID, {
          none: "at least one client ID is required",
          wrong: "must have a name",
        }),
      }),
    ),
    github: z.optional(
      z.object({
        appInstallations: z.optional(
          entries(
            APP_ID,
            z.object({
              installations: z.optional(
                z
                  .array(
                    z.object(
                      { installationId: INSTALLATION_ID, name: z.optional(text({ bytes: NAME_BYTES })) },
                      "must be an installation",
                    ),
                    "must be a list",
                  )
                  .check(z.maxLength(1_000, "must have at most 1000 entries")),
              ),
            }),
            { none: "must be a map of app ids", wrong: "must be digits" },
          ),
        ),
      }),
    ),
    /** The wire name of the platform's own services. */
    chainguard: z.optional(
      z.object({
        serviceBindings: entries(principal, reference("must be the uid of an identity"), {
          none: "at least one service binding is required",
          wrong: `must be one of ${BOUND_PRINCIPALS.join(", ")}`,
        }),
      }),
    ),
  },
  output: {},
  filters: { name: z.optional(z.string()) },
});

export type AccountAssociation = ItemOf<typeof accountAssociations>;
export type AccountAssociationInput = InputOf<typeof accountAssociations>;

/** The field of an association that each provider's check uses. */
export const PROVIDERS = {
  ACCOUNT_PROVIDER_TYPE_GOOGLE: "google",
  ACCOUNT_PROVIDER_TYPE_AMAZON: "amazon",
  ACCOUNT_PROVIDER_TYPE_AZURE: "azure",
} as const;

export type ProviderType = keyof typeof PROVIDERS;

const CHECK_STATUSES = ["CHECK_STATUS_UNSPECIFIED", "CHECK_STATUS_READY", "CHECK_STATUS_NOT_READY"] as const;

/** Checks whether credentials can be exchanged with a provider. */
export const checkAccountAssociation = endpoint({
  collection: "accountAssociations",
  verb: "checkAccountAssociation",
  withoutValidateOnly: true,
  method: "POST",
  path: "/iam/v2/accountAssociations/{uid}:checkAccountAssociation",
  access: { at: "uid", needs: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_LIST"] },
  body: z.object({ providerType: openEnum(Object.keys(PROVIDERS) as ProviderType[]) }),
  answer: z.looseObject({
    status: z.optional(answeredEnum(CHECK_STATUSES)),
    reason: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
  summary: "Check that credentials can be exchanged with a provider",
});
