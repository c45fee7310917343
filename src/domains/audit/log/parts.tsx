import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { UNKNOWN_CAUSE } from "~/ui/feedback/empty";
import { AfterLoad } from "~/ui/layout/after-load";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";

import classes from "./parts.module.css";
import { accessOnDate, type Historical } from "./queries";
import { useHasAuditLog } from "./use-audit-log";

const load = () => import("./history");
const History = onDemand(async () => (await load()).History);
const LastChangedBy = onDemand(async () => (await load()).LastChangedBy);
const Deletion = onDemand(async () => (await load()).Deletion);

/** The history of a record on its page; nothing if the service has no audit log. */
export const RecordHistory = (props: { readonly record: Historical }): ReactNode =>
  useHasAuditLog() ? (
    <AfterLoad>
      <History {...props} />
    </AfterLoad>
  ) : null;

/** Who changed a record last; nothing if the service has no audit log. */
export const ChangedBy = (props: { readonly record: Historical }): ReactNode =>
  useHasAuditLog() ? (
    // A line of its own, with its height from the start: the answer comes late.
    <span className={classes["changedBy"]}>
      <LastChangedBy {...props} />
    </span>
  ) : null;

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
