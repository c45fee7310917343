import { Building2Icon, FolderIcon } from "lucide-react";
import { useMemo, type ReactNode } from "react";

import type { Scan } from "~/api/paging/scan";
import { useScan } from "~/api/paging/use-scan";
import { parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { useUnseen } from "~/frame/scope/use-sight";
import { formatCount } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import { ScanLine } from "~/ui/table/scan-line";

import classes from "./find-group.module.css";
import { groupsNamed, useGroupScan, type FoundGroup } from "./group-names";
import type { LinkTo } from "./tree-row";

/** Rows shown; more would only be scrolled past. */
const SHOWN = 100;
/** Groups read before it asks whether to go on. */
const STEP = 10_000;

interface FoundProps {
  readonly text: string;
  readonly current: string | undefined;
  readonly linkTo: LinkTo;
}

/** The groups whose names contain the text, as far as they are read. */
export function FoundGroups(props: FoundProps): ReactNode {
  const scan = useGroupScan();
  return scan ? <Results {...props} scan={scan} /> : null;
}

function Results({ text, current, linkTo, scan }: FoundProps & { readonly scan: Scan<Group> }): ReactNode {
  const { rows, state, read, total, error, outdated, stop, resume, restart } = useScan(scan, STEP);
  const unseen = useUnseen(groups.list, "groups", undefined);
  const { shown, count } = useMemo(() => groupsNamed(text, rows, SHOWN), [text, rows]);
  return (
    <>
      <div className={classes["progress"]}>
        <ScanLine
          state={state === "idle" ? "reading" : state}
          what="groups"
          one="group"
          found={count}
          read={read}
          total={total}
          outdated={outdated}
          error={error}
          onStop={stop}
          onResume={resume}
          onRestart={restart}
        />
      </div>
      {shown.length > 0 ? (
        <ul className={classes["found"]} aria-label="Groups found">
          {shown.map((group, index) => (
            <li key={group.uid}>
              <FoundLink group={group} here={group.uid === current} first={index === 0} linkTo={linkTo} />
            </li>
          ))}
        </ul>
      ) : null}
      {state === "done" && count === 0 && unseen !== undefined ? (
        <p className={classes["note"]}>{unseen}</p>
      ) : null}
      {count > SHOWN ? (
        <p className={classes["note"]}>
          The first {formatCount(SHOWN)} are listed. Type more of the name to narrow.
        </p>
      ) : null}
    </>
  );
}

interface FoundLinkProps {
  readonly group: FoundGroup;
  readonly here: boolean;
  readonly first: boolean;
  readonly linkTo: LinkTo;
}

function FoundLink({ group: { uid, name, place }, here, first, linkTo }: FoundLinkProps): ReactNode {
  const Glyph = parentOf(uid) === "" ? Building2Icon : FolderIcon;
  return (
    <AppLink
      target={linkTo(uid)}
      preload={false}
      data-uid={uid}
      data-found=""
      aria-current={here ? "true" : undefined}
      // The arrow keys go through the rest.
      tabIndex={first ? 0 : -1}
      className={classes["group"]}
      title={place === "" ? name : `${place} / ${name}`}
    >
      <Glyph size={14} />
      <span className={classes["texts"]}>
        <bdi className={classes["name"]}>{name}</bdi>
        {place === "" ? null : <bdi className={classes["place"]}>{place}</bdi>}
      </span>
    </AppLink>
  );
}
