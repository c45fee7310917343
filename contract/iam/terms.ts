import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { listEndpoint, resource, type InputOf, type ItemOf } from "../resource";
import { NAME_BYTES, text, webAddressText } from "../schema";

/** Documents that a group and everything below it must accept. */
export const terms = resource({
  kind: KINDS.terms,
  settable: {
    // The id under which a document is accepted.
    name: text({
      pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      sentence:
        "must be 1 to 63 letters, digits, dots, underscores or dashes, such as dpa.v1, and start with a letter or digit",
    }),
    label: text({ characters: [1, 200], sentence: "must be 1 to 200 characters long" }),
    url: webAddressText(),
  },
  output: {},
  filters: { name: z.optional(z.string()) },
  sortable: ["uid", "name", "created_at", "updated_at"],
});

export type TermsDocument = ItemOf<typeof terms>;
export type TermsInput = InputOf<typeof terms>;

const acceptance = z.looseObject({
  docId: z.optional(z.string()),
  acceptedBy: z.optional(z.string()),
  orgUid: z.optional(z.string()),
  createTime: z.optional(z.string()),
});

/** Sort fields of acceptances; `name` is the name of the document. */
export const ACCEPTANCE_ORDERS = ["created_at", "name"];

export type TermsAcceptance = z.infer<typeof acceptance>;

/** Acceptances at a group and above it, oldest first, or by the `name` of the document; for the uid of a group, not of a document. */
export const listTermsAcceptances = listEndpoint({
  collection: "termsAcceptances",
  path: "/iam/v2/terms/{uid}",
  access: { at: "uid", needs: ["CAP_TERMS_LIST"] },
  row: acceptance,
  filters: {},
  sortable: ACCEPTANCE_ORDERS,
  shares: "terms.get",
  summary: "List the terms that a group has accepted, its own and inherited",
});

/** Accepts documents by name for a group and everything below it; keeps existing acceptances unchanged. */
export const acceptTerms = endpoint({
  collection: "terms",
  verb: "accept",
  method: "POST",
  path: "/iam/v2/terms/{parent}",
  access: {
    at: "handler",
    needs: ["CAP_TERMS_ACCEPT"],
    because: "the body distinguishes an acceptance from a new document",
  },
  body: z.object({
    documentIds: z
      .array(text({ sentence: "must be the name of a document", pattern: /\S/, bytes: NAME_BYTES }), {
        error: "must be a list of names of documents",
      })
      .check(
        z.minLength(1, "at least one document is required"),
        z.maxLength(100, "at most 100 documents can be accepted at once"),
      ),
  }),
  answer: z.looseObject({ group: z.optional(z.string()), documentIds: z.optional(z.array(z.string())) }),
  shares: "terms.create",
  summary: "Accept terms for a group and everything below it",
});
