import * as z from "zod/mini";

import { endpoint } from "../endpoint";

/** Connectivity check; like every request it needs a token. */
export const ping = endpoint({
  collection: "ping",
  verb: "ping",
  method: "GET",
  path: "/ping/v2/ping",
  access: { at: "anyone", needs: [] },
  answer: z.looseObject({ response: z.optional(z.string()) }),
  summary: "Check that the service responds",
});
