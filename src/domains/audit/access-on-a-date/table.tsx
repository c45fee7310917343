import { Button } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { HeldRole } from "platform-contract/audit/access";
import { identityLink } from "~/frame/record/identity-link";
import { NO_EFFECT } from "~/domains/access/grants/no-effect";
import { reaches } from "~/domains/access/grants/reach";
import { RoleLink } from "~/domains/access/roles/role-link";
import { ancestorsWithNames } from "~/frame/scope/ancestors";
import { groupPage } from "~/frame/scope/group-link";
import { GroupPath } from "~/frame/scope/group-path";
import { useAncestorNames } from "~/frame/scope/use-ancestor-names";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { exactTime, readTime } from "~/ui/display/time-text";
import { AppLink } from "~/ui/layout/link";

import classes from "./styles.module.css";

/** Rows until the user wants all. */
const SHOWN = 100;

interface AccessTableProps {
  readonly held: readonly HeldRole[];
  /** The column "From", of a whole day. */
  readonly period: boolean;
}

/** "14:05:07 UTC": the day is that of the page. */
function clockOf(text: string | undefined): ReactNode {
  const time = readTime(text);
  return time ? <time dateTime={time.toISOString()}>{time.toISOString().slice(11, 19)} UTC</time> : undefined;
}

/** What became of it after the day or moment. */
function Since({ text }: { readonly text: string | undefined }): ReactNode {
  const time = readTime(text);
  return time ? <time dateTime={time.toISOString()}>{exactTime(time)}</time> : <span>Still held</span>;
}

/** Who had which role, granted where. */
export function AccessTable({ held, period }: AccessTableProps): ReactNode {
  const [all, setAll] = useState(false);
  const shown = useMemo(() => (all ? held : held.slice(0, SHOWN)), [all, held]);
  const hidden = held.length - shown.length;
  const names = useAncestorNames(useMemo(() => shown.map(({ roleBinding: uid }) => ({ uid })), [shown]));
  return (
    <>
      <table className={classes["held"]} aria-label="Roles held">
        <thead>
          <tr>
            <th scope="col">Identity</th>
            <th scope="col">Role</th>
            <th scope="col">Granted in</th>
            {period ? <th scope="col">From</th> : null}
            <th scope="col">Until</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={`${one.roleBinding} ${one.startTime}`}>
              <th scope="row">
                <AppLink target={identityLink(one.identity)}>
                  <bdi>{one.identityName ?? shorten(one.identity)}</bdi>
                </AppLink>
              </th>
              <td>
                <RoleLink uid={one.role} name={one.roleName ?? shorten(one.role)} />
                {reaches(one.identity, one.group) ? null : (
                  <>
                    {" "}
                    <Badge tone="warning">{NO_EFFECT}</Badge>
                  </>
                )}
                {one.changeUnknown ? (
                  <span className={classes["quiet"]}>
                    {" "}
                    The role or the holder might have been different then
                  </span>
                ) : null}
                {one.startUnknown ? (
                  <span className={classes["quiet"]}> Might have been granted later</span>
                ) : null}
              </td>
              <td>
                {parentOf(one.group) === "" ? null : (
                  <span className={classes["quiet"]}>
                    <GroupPath places={ancestorsWithNames(one.group, names)} /> /{" "}
                  </span>
                )}
                <AppLink target={groupPage(one.group)}>
                  <bdi>{one.groupName ?? shorten(one.group)}</bdi>
                </AppLink>
              </td>
              {period ? (
                <td data-label="From">
                  {clockOf(one.startTime) ?? (
                    <span>{one.startUnknown ? "Before the log began" : "Before that day"}</span>
                  )}
                </td>
              ) : null}
              <td data-label="Until">{clockOf(one.endTime) ?? <Since text={one.endSinceTime} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 ? (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            Show {formatQuantity(hidden, "more role", "more roles")}
          </Button>
        </div>
      ) : null}
    </>
  );
}
