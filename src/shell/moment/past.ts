import { ApiError } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import { COMPARE_TIME, READ_TIME } from "platform-contract/endpoint";
import type { ListAnswer, ListedDifference } from "platform-contract/resource";

import type { Past, RowDifference } from "~/api/client/moment";
import { isGone } from "~/frame/record/record-page";
import { fieldWords } from "~/frame/record/field-words";
import { Store } from "~/store";
import { exactTime } from "~/ui/display/time-text";

import { MomentBanner } from "./moment-banner";
import { RecordDifference } from "./record-difference";
import { takesComparison, takesMoment } from "./takes-moment";

const PAST = "This is a moment of the past: go back to now to change something";
const READS = /_(?:LIST|GET|READ)$/;

const momentOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;

const CHANGES: Readonly<Record<string, Omit<RowDifference, "tip">>> = {
  RECORD_CHANGE_CREATED: { word: "Created", tone: "success" },
  RECORD_CHANGE_UPDATED: { word: "Changed", tone: "warning" },
  RECORD_CHANGE_DELETED: { word: "Deleted", tone: "danger" },
};

/** People are not created here: they are listed by their role bindings. */
const OF_PEOPLE: typeof CHANGES = {
  ...CHANGES,
  RECORD_CHANGE_CREATED: { word: "Joined", tone: "success" },
  RECORD_CHANGE_DELETED: { word: "Left", tone: "danger" },
};

/** The past as of a text of the address, compared with another; undefined if the first is no time. */
export function pastAt(asOf: string, compareWith?: string): Past | undefined {
  const moment = momentOf(asOf);
  const comparedWith = momentOf(compareWith);
  if (moment === undefined) return undefined;
  const unknown = new Store<readonly string[]>(() => []);
  const differences = new Map<string, ListedDifference>();
  const people = new Set<string>();
  const isFirst = comparedWith !== undefined && Date.parse(moment) < Date.parse(comparedWith);
  /** What happens to a record that is there only at the other moment. */
  const onlyElsewhere = isFirst ? "RECORD_CHANGE_CREATED" : "RECORD_CHANGE_DELETED";
  const between = [moment, comparedWith ?? moment]
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
    .map((time) => exactTime(new Date(time)))
    .join(" and ");
  return {
    moment,
    comparedWith,
    ask(asked) {
      const { endpoint, query = {} } = asked;
      if (endpoint.method !== "GET")
        throw new ApiError("refused", PAST, { unsent: true, status: { code: 9, message: PAST } });
      // What names it is about now.
      return takesMoment(endpoint) && !(READ_TIME in query)
        ? { ...asked, query: { ...query, [READ_TIME]: moment } }
        : asked;
    },
    refusal: ({ access: { needs } }) =>
      needs.every((capability) => READS.test(capability)) ? undefined : PAST,
    comparing: (list) =>
      comparedWith !== undefined && takesComparison(list) ? { [COMPARE_TIME]: comparedWith } : {},
    through: (endpoint, exchange) => async (input) => {
      try {
        const answer = await exchange(input);
        const found: Partial<ListAnswer<unknown>> = Object(answer);
        for (const one of found.differences ?? []) {
          differences.set(one.uid, one);
          if (endpoint.collection === "identities" && parentOf(one.uid) === "") people.add(one.uid);
        }
        const more = found.unknownOrganizations?.filter((uid) => !unknown.get().includes(uid)) ?? [];
        if (more.length > 0) unknown.set([...unknown.get(), ...more]);
        return answer;
      } catch (error) {
        const query = Object(input.query);
        if (!isGone(error) || comparedWith === undefined || !takesMoment(endpoint) || READ_TIME in query)
          throw error;
        return exchange({ ...input, query: { ...query, [READ_TIME]: comparedWith } });
      }
    },
    wasThere: (uid) => differences.get(uid)?.change !== onlyElsewhere,
    differenceOf(uid) {
      const { change, fields = [] } = differences.get(uid) ?? {};
      const found = (people.has(uid) ? OF_PEOPLE : CHANGES)[change ?? ""];
      if (!found) return undefined;
      const what = fields.length > 0 ? `: ${fields.map(fieldWords).join(", ")}` : "";
      return { ...found, tip: `${found.word} between ${between}${what}` };
    },
    unknownOrganizations: unknown,
    Banner: MomentBanner,
    RecordDifference,
  };
}
