import * as z from "zod/mini";

import type { Kind } from "../kind";
import { listEndpoint, resource } from "../resource";
import { base64Text, durationText, int64Text, text, textMap } from "../schema";

const kind = {
  collection: "oddGadgets",
  area: "iam",
  type: "OddGadget",
  noun: "odd gadget",
  plural: "odd gadgets",
  domain: "Workshop",
  parent: "groups",
  withParent: "blocks",
  screens: true,
  access: {
    list: { at: "visible", needs: ["CAP_IAM_GROUPS_LIST"] },
    get: { at: "uid", needs: ["CAP_IAM_GROUPS_LIST"] },
    create: { at: "parent", needs: ["CAP_IAM_GROUPS_CREATE"] },
    update: { at: "uid", needs: ["CAP_IAM_GROUPS_UPDATE"] },
  },
} as const satisfies Kind;

/** A resource for tests, with a field of every kind that no real one has yet. */
export const oddGadgets = resource({
  kind,
  settable: {
    name: text({ characters: [1, 63] }),
    ttl: durationText(60, 2_592_000),
    oidc: z.optional(
      z.object({
        clientId: text(),
        clientSecret: z.optional(text()),
        correlationRule: z.optional(text()),
      }),
    ),
    externalGroupId: z.optional(text()),
    findings: z.optional(base64Text(6)),
    installationId: z.optional(int64Text()),
    labels: z.optional(textMap()),
    accounts: z.optional(z.record(z.string(), z.object({ account: text({ pattern: /^\d{12}$/ }) }))),
  },
  output: { code: z.optional(z.string()), expirationTime: z.optional(z.string()) },
  behavior: {
    inputOnly: ["ttl"],
    secret: ["oidc.clientSecret"],
    createOnly: ["oidc.correlationRule", "externalGroupId"],
    shownOnce: ["code"],
  },
  filters: {},
});

/** A list of things that are not resources, below a record without a uid. */
export const gadgetVersions = listEndpoint({
  collection: "versions",
  path: "/libraries/v2/artifacts/{artifactId}/versions",
  variables: {
    artifactId: { pattern: /^[a-z]+:[^/]+$/, sentence: "must be an artifact", description: "The artifact" },
  },
  access: { at: "anyone", needs: [] },
  row: z.looseObject({ version: z.string() }),
  filters: { query: z.optional(z.string()) },
  summary: "List the versions of an artifact",
});
