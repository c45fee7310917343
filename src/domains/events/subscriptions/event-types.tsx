import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { depthOf } from "platform-contract/aip";
import { ENDING_TYPE, EVENT_TYPES, type EventType } from "platform-contract/events/event-types";
import { kindOf } from "platform-contract/kinds";
import { capitalize } from "~/ui/display/capitalize";
import { FactTable } from "~/ui/display/fact-table";

import { shortType } from "./deliveries-data";
import classes from "./styles.module.css";

/** Groups the event types by kind of record. Merges the meanings of types that occur more than once. */
function byKind(all: readonly EventType[]): [heading: string, types: EventType[]][] {
  const kinds = new Map<string, Map<string, EventType>>();
  for (const type of all) {
    const heading = headingOf(type.collection);
    const known = kinds.get(heading) ?? new Map<string, EventType>();
    const before = known.get(type.type);
    known.set(type.type, before ? { ...before, meaning: `${before.meaning} ${type.meaning}` } : type);
    kinds.set(heading, known);
  }
  return [...kinds].map(([heading, types]) => [heading, [...types.values()]]);
}

const headingOf = (collection: string): string =>
  collection === "termsAcceptances"
    ? "Terms"
    : collection === "endings"
      ? "What ends soon"
      : capitalize(kindOf(collection)?.plural ?? collection);

/** Describes which subscriptions receive it, as seen from one at `group`; "" until a group is chosen. */
function audience({ silent, group: belongs }: EventType, group: string): string {
  if (silent !== undefined) return `Not sent: ${silent}`;
  if (belongs !== "root") return "Its group and above";
  return group !== "" && depthOf(group) > 1
    ? "The organization only, not this folder"
    : "The organization only";
}

/** Lists every event type, its meaning, and who receives it. */
export function EventTypes({ group }: { readonly group: string }): ReactNode {
  const tells = useRouteContext({ strict: false, select: ({ config }) => config?.notices === true });
  return byKind(tells ? [...EVENT_TYPES, ENDING_TYPE] : EVENT_TYPES).map(([heading, types]) => (
    <section key={heading} aria-label={heading}>
      <h3 className={classes["kind"]}>{heading}</h3>
      <FactTable
        caption={`Event types: ${heading}`}
        className={classes["types"]}
        head={["Meaning", "Event type", "Sent to"]}
        rows={types.map((type) => [
          type.meaning,
          <code key="type" dir="ltr" className={classes["type"]}>
            {shortType(type.type)}
          </code>,
          audience(type, group),
        ])}
      />
    </section>
  ));
}
