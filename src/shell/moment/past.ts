import { ApiError } from "platform-client/errors";
import { READ_TIME } from "platform-contract/endpoint";

import type { Past } from "~/api/client/moment";

import { MomentBanner } from "./moment-banner";

const PAST = "This is a moment of the past: go back to now to change something";
const READS = /_(?:LIST|GET|READ)$/;

/** The past as of a text of the address; undefined if that is no time. */
export function pastAt(moment: string): Past | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(moment) || Number.isNaN(Date.parse(moment))) return undefined;
  return {
    moment,
    ask(asked) {
      const { endpoint, query = {} } = asked;
      if (endpoint.method !== "GET")
        throw new ApiError("refused", PAST, { unsent: true, status: { code: 9, message: PAST } });
      // What names it is about now.
      const takes = READ_TIME in Object(Object(endpoint)["query"]) && !(READ_TIME in query);
      return takes ? { ...asked, query: { ...query, [READ_TIME]: moment } } : asked;
    },
    refusal: ({ access: { needs } }) =>
      needs.every((capability) => READS.test(capability)) ? undefined : PAST,
    Banner: MomentBanner,
  };
}
