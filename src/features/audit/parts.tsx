import { Button } from "@mantine/core";
import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import type { Definition } from "~/ui/display/definition-list";
import { Time } from "~/ui/display/time";
import { UNKNOWN_CAUSE } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";

import classes from "./parts.module.css";
import { accessOnDate, type Historical } from "./queries";
import { useHasAuditLog } from "./use-audit-log";

const load = () => import("./history");
const History = onDemand(async () => (await load()).History);
const LastChangedBy = onDemand(async () => (await load()).LastChangedBy);
const Deletion = onDemand(async () => (await load()).Deletion);

/** Milliseconds without a first request after which a page counts as loaded: one can follow another. */
const QUIET_MS = 150;

/** The history of a record on its page; nothing if the service has no audit log. */
export const RecordHistory = (props: { readonly record: Historical }): ReactNode =>
  useHasAuditLog() ? <Settled key={props.record.uid} {...props} /> : null;

/** Appears once what is above it has loaded, so that it does not move. */
function Settled(props: { readonly record: Historical }): ReactNode {
  const loading = useIsFetching({ predicate: ({ state }) => state.status === "pending" }) > 0;
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = loading ? undefined : setTimeout(() => setSettled(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  return (
    <div className={settled ? undefined : classes["waiting"]}>
      <History {...props} />
    </div>
  );
}

interface ChangedProps {
  readonly record: Historical;
  readonly time: string | undefined;
}

function Changed({ record, time }: ChangedProps): ReactNode {
  const hasLog = useHasAuditLog();
  return (
    <>
      <Time value={time} absent="never" />{" "}
      {hasLog && time !== undefined ? (
        // A line of its own, with its height from the start: the answer comes late.
        <span className={classes["changedBy"]}>
          <LastChangedBy record={record} />
        </span>
      ) : null}
    </>
  );
}

/** The fact that says when a record was last changed, and by whom. */
export const updatedFact = (
  collection: string,
  record: { readonly uid: string; readonly updateTime?: string | undefined } | undefined,
): Definition => ({
  term: "Updated",
  value: record && <Changed record={{ collection, uid: record.uid }} time={record.updateTime} />,
});

/** A button to who had access to a group, or to the roles of an identity, on a date. */
export const OnADate = ({ about }: { readonly about: Parameters<typeof accessOnDate>[0] }): ReactNode =>
  useHasAuditLog() ? (
    <Button variant="default" component={AppLink} target={accessOnDate(about)}>
      On a date
    </Button>
  ) : null;

/** What became of a record that wasn't found. */
export const DeletionNote = ({ record }: { readonly record: Historical }): ReactNode =>
  useHasAuditLog() ? <Deletion record={record} /> : UNKNOWN_CAUSE;
