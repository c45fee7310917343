import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { READ_TIME, type Endpoint } from "platform-contract/endpoint";
import { isObject, sameValue, type Values } from "platform-contract/values";

import { call } from "~/api/client/client";
import { thePast, type RecordDifferenceProps } from "~/api/client/moment";
import { Changes } from "~/domains/audit/log/changes";
import { isGone } from "~/frame/record/record-page";
import { Section } from "~/ui/display/section";
import { exactTime } from "~/ui/display/time-text";
import { Notice } from "~/ui/feedback/notice";

import { takesMoment } from "./takes-moment";

/** A record as of a time; null if it was not there, or nothing of it may be seen. */
const recordAt = (get: Endpoint, uid: string, time: string) =>
  queryOptions({
    queryKey: [get.collection, "get", uid, time] as const,
    queryFn: async ({ signal }): Promise<unknown> => {
      try {
        return await call(get, { path: { uid }, query: { [READ_TIME]: time }, signal });
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });

/** Not part of what a record is. */
const LEFT_OUT = new Set(["uid", "updateTime", "lastSeenTime"]);

/** The fields of a record, those of objects by their paths. */
function leaves(record: Values, above = ""): [path: string, value: unknown][] {
  return Object.entries(record).flatMap(([key, value]): [string, unknown][] => {
    if (LEFT_OUT.has(key)) return [];
    const path = `${above}${key}`;
    return isObject(value) ? leaves(value, `${path}.`) : [[path, value]];
  });
}

/** The fields in which two states of a record differ, with their values as JSON. */
export function changesBetween(earlier: Values, later: Values) {
  const [before, after] = [new Map(leaves(earlier)), new Map(leaves(later))];
  const text = (value: unknown) => (value === undefined ? {} : { text: JSON.stringify(value) });
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => !sameValue(before.get(field), after.get(field)))
    .map((field) => {
      const [{ text: was }, { text: is }] = [text(before.get(field)), text(after.get(field))];
      return { field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
    });
}

const NO_NAMES = {};

/** What differs of a record between the two moments that the page compares; nothing for what the log does not tell. */
export function RecordDifference({ get, uid }: RecordDifferenceProps): ReactNode {
  const { moment = "", comparedWith = "" } = thePast() ?? {};
  const isTold = takesMoment(get);
  const [first = "", last = ""] = [moment, comparedWith].toSorted((a, b) => Date.parse(a) - Date.parse(b));
  const earlier = useQuery({ ...recordAt(get, uid, first), enabled: isTold });
  const later = useQuery({ ...recordAt(get, uid, last), enabled: isTold });
  if (!isTold || earlier.isPending || later.isPending) return null;
  const [from, to] = [first, last].map((time) => exactTime(new Date(time)));
  const failed = earlier.error ?? later.error;
  if (failed)
    return (
      <Notice tone="warning" title={`What changed between ${from} and ${to} couldn't be read`}>
        {failed.message}
      </Notice>
    );
  const [before, after] = [earlier.data, later.data];
  if (!isObject(before) && !isObject(after)) return null;
  // A person is listed by role bindings, and not created here.
  const isListed = get.collection === "identities" && parentOf(uid) === "";
  if (!isObject(before))
    return (
      <Notice title={`${isListed ? "Joined" : "Created"} between ${from} and ${to}`}>
        This page shows it as of {to}.
      </Notice>
    );
  if (!isObject(after))
    return (
      <Notice title={`${isListed ? "Left" : "Deleted"} between ${from} and ${to}`}>
        This page shows it as of {from}.
      </Notice>
    );
  const changes = changesBetween(before, after);
  if (changes.length === 0) return <Notice title={`Nothing of it changed between ${from} and ${to}`} />;
  const title = `Changed between ${from} and ${to}`;
  return (
    <Section title={title}>
      <Changes entry={NO_NAMES} changes={changes} change="updated" label={title} />
    </Section>
  );
}
