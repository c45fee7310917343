import { byDescending } from "platform-contract/order";
import type { ReactNode } from "react";

import { eventTypeOf, newestEvent, type AdvisoryEvent } from "platform-contract/vulnerabilities/events";

import { dataOf, fixedIn, reasonOf } from "./verdict";
import { affectedText } from "./ranges";
import { ReviewBadge } from "./review-badge";
import { EVENT_WORDS } from "./words";
import { Badge } from "~/ui/display/badge";
import { ExternalLink } from "~/ui/display/external-link";
import { Document, written } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";

import { decodeFindings } from "./findings";
import classes from "./styles.module.css";

/** The events of an advisory, newest first. Marks the newest approved one, which determines the current status. */
export function History({ events }: { readonly events: readonly AdvisoryEvent[] }): ReactNode {
  const stands = newestEvent(events);
  // Of one time, the last in the list is the newest.
  const sorted = events.toReversed().toSorted(byDescending(({ createTime = "" }) => createTime));
  return (
    <Section title="History" count={events.length}>
      {events.length === 0 ? <p className={classes["quiet"]}>No events yet</p> : null}
      <ol className={classes["history"]}>
        {sorted.map((event) => (
          <Step key={event.uid} event={event} current={event === stands} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ event, current }: { readonly event: AdvisoryEvent; readonly current: boolean }): ReactNode {
  const type = eventTypeOf(event);
  const { author, reviewer, reviewState, createTime, issue, sourceId, sourceUrl, withdrawTime } = event;
  const versions = fixedIn(event);
  const reason = reasonOf(event);
  const { note } = dataOf(event);
  return (
    <li className={classes["step"]} data-current={current || undefined}>
      <p className={classes["stepTitle"]}>
        <strong>{type === undefined ? "Unknown event" : EVENT_WORDS[type]}</strong>{" "}
        {versions.length > 0 ? (
          <span>
            in <code>{versions.join(", ")}</code>
          </span>
        ) : null}
        {current ? <Badge tone="accent">Current</Badge> : null}
        {withdrawTime === undefined ? null : <Badge tone="warning">Withdrawn</Badge>}
        <ReviewBadge of={reviewState} />
      </p>
      {reason ? (
        <p>
          {reason.words} <code className={classes["quiet"]}>{reason.vex}</code>
        </p>
      ) : null}
      {affectedText(event).map((line) => (
        <p key={line}>
          Affected: <bdi>{line}</bdi>
        </p>
      ))}
      {withdrawTime === undefined ? null : (
        <p>
          Withdrawn <Time value={withdrawTime} />
          {event.withdrawReason ? `: ${event.withdrawReason}` : null}
        </p>
      )}
      {note ? (
        <p className={classes["text"]}>
          <bdi>{note}</bdi>
        </p>
      ) : null}
      <p className={classes["quiet"]}>
        <Time value={createTime} />
        {author ? (
          <>
            {" by "}
            <bdi>{author}</bdi>
          </>
        ) : null}
        {sourceId ? (
          <>
            {", says "}
            {sourceUrl ? <ExternalLink address={sourceUrl}>{sourceId}</ExternalLink> : <bdi>{sourceId}</bdi>}
          </>
        ) : null}
        {reviewer ? (
          <>
            {", reviewed by "}
            <bdi>{reviewer}</bdi>
          </>
        ) : null}
        {issue ? (
          <>
            {", issue "}
            <bdi>{issue}</bdi>
          </>
        ) : null}
      </p>
      <Said event={event} />
      <Findings of={event.findings} />
    </li>
  );
}

const KEYS: Readonly<Record<string, string>> = {
  scanner: "Scanner",
  scannerVersion: "Scanner version",
  subpackage: "Subpackage",
  subpackageName: "Subpackage",
  component: "Component",
  componentName: "Component",
  componentId: "Component id",
  componentVersion: "Component version",
  componentType: "Component type",
  componentLocation: "Location",
  artifactVersion: "Artifact version",
  grypeDbBuilt: "Database built",
  grypeDbChecksum: "Database checksum",
  cpeSearched: "CPE searched",
  cpeFound: "CPE found",
};
const WAYS: Readonly<Record<string, string>> = {
  nvdapi: "Found through the NVD",
  manual: "Found manually",
  scanv1: "Found by a scanner",
};

/** How it was detected or verified as fixed. Also handles events of documents, where some fields have other names. */
export function Said({ event }: { readonly event: Readonly<Record<string, unknown>> }): ReactNode {
  const { detection, fixed }: Partial<Record<"detection" | "fixed", Readonly<Record<string, unknown>>>> =
    Object(event);
  const way = Object.keys(WAYS).find((key) => detection?.[key] !== undefined);
  const told: Readonly<Record<string, unknown>> = Object(way === undefined ? fixed : detection?.[way]);
  const facts = Object.entries(told).flatMap(([key, value]) =>
    KEYS[key] && typeof value === "string" && value !== "" ? [[KEYS[key], value]] : [],
  );
  return (
    <>
      {way === undefined ? null : <p>{WAYS[way]}</p>}
      {facts.length > 0 ? (
        <dl className={classes["said"]}>
          {facts.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}

function Findings({ of }: { readonly of: string | undefined }): ReactNode {
  if (!of) return null;
  const decoded = decodeFindings(of);
  return (
    <details className={classes["findings"]}>
      <summary>Scanner findings</summary>
      {"problem" in decoded ? <p className={classes["quiet"]}>{decoded.problem}</p> : null}
      <Document text={"problem" in decoded ? decoded.text : written(Object(decoded.json))} what="findings" />
    </details>
  );
}
