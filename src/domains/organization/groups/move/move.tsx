import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouteContext, useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { copyPlan, type RecordToCopy } from "~/api/bulk/copy-plan";
import { startJob } from "~/api/bulk/start-job";
import { leastTimeFromNow } from "~/api/client/service-clock";
import { ownerOf } from "~/auth/session";
import { heldAt } from "~/domains/access/grants/roles";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { PickGroup } from "~/frame/group-tree/pick-group";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { isUidParam } from "~/frame/scope/address";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import { GroupPath } from "~/frame/scope/group-path";
import { nameOf } from "~/frame/scope/group-words";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import { isWithin, parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import type { Kind } from "platform-contract/kind";
import { wordsInside } from "platform-contract/kinds";
import "~/ui/controls/button-styles";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Sheet } from "~/ui/overlay/sheet";

import { StepTable } from "../step-table";
import classes from "../styles.module.css";
import { listOf } from "../teardown/read";
import { LeftOutTable } from "./left-out";
import { planCopy, type CopyPlan, type CopyStep } from "./plan";
import { contentsQuery, namesakeQuery } from "./read";

interface MoveView {
  readonly drawer?: string | undefined;
  /** uid of the new place, with `_` for `/`. */
  readonly item?: string | undefined;
}

interface MoveProps {
  readonly folder: Group;
  readonly onClose: () => void;
}

/** Asks for the new place of a folder, shows what is created there and what is not, and starts the job that does it. */
export function MoveFolder({ folder, onClose }: MoveProps): ReactNode {
  const client = useQueryClient();
  const { person } = useCurrentUser();
  const refusal = useRefusal();
  const { show } = useView<MoveView>();
  const item: unknown = useSearch({ strict: false, select: (search: MoveView) => search.item });
  const to = isUidParam(item) ? paramToUid(item) : undefined;
  const [choosing, setChoosing] = useState(to === undefined);
  const { steps } = usePath(to);
  const { group } = useGroup(to);
  const problem =
    to === undefined
      ? "Choose the new place first"
      : isWithin(to, folder.uid)
        ? "A folder can't be in itself"
        : to === parentOf(folder.uid)
          ? "It is in this place already"
          : refusal(groups.create, to)?.replace(/ here$/, " there");
  const plan = useCopyPlan(folder, problem === undefined ? to : undefined, group);
  const place = group && nameOf(group);
  const jobOpen = useJobOpen();
  const heldBack = useWritesPaused();
  const reason =
    problem ??
    (plan.made === undefined
      ? "Still reading the folder"
      : jobOpen
        ? "Another job is still running"
        : heldBack?.reason);
  const start = () => {
    if (!plan.made || to === undefined || place === undefined || reason !== undefined) return;
    const data = { root: folder.uid, to, place, left: plan.made.left };
    startJob({ client, owner: ownerOf(person) }, copyPlan(data), plan.made.steps.map(recordToCopy));
  };
  return (
    <Sheet
      at="side"
      title={
        <>
          Move <bdi>{nameOf(folder)}</bdi>: copy it, then delete the old one
        </>
      }
      onClose={onClose}
      footer={
        <>
          <DisabledReason reason={reason}>
            <Button onClick={start}>
              Copy{problem === undefined && place !== undefined ? ` to ${place}` : ""}
            </Button>
          </DisabledReason>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <p>
        The API can&apos;t move a folder: its ID contains the IDs of the folders above it. The first step
        copies the folder to the new place, with the same names, descriptions, roles and rules, and with new
        IDs. Nothing is deleted: the second step is to delete the old folder, once nothing uses it any more.
      </p>
      <Section
        title="New place"
        actions={
          choosing ? undefined : (
            <Button variant="default" onClick={() => setChoosing(true)}>
              Change
            </Button>
          )
        }
      >
        {to === undefined ? null : (
          <p className={classes["parent"]}>
            <GroupPath places={[...steps, { uid: to, name: group?.name }]} />
          </p>
        )}
        {choosing ? (
          <PickGroup
            label="All groups"
            current={to}
            onPick={(uid) => {
              setChoosing(false);
              show({ drawer: "move", item: uidToParam(uid) }, true);
            }}
          />
        ) : null}
        {to !== undefined && problem !== undefined ? (
          <Notice tone="warning" role="alert">
            {problem}.
          </Notice>
        ) : null}
      </Section>
      {problem === undefined ? <Planned {...plan} place={place ?? "the new place"} folder={folder} /> : null}
    </Sheet>
  );
}

const recordToCopy = ({
  uid,
  name,
  kind,
  collection,
  where,
  parent,
  body,
  readme,
}: CopyStep): RecordToCopy => ({
  uid,
  name: `${wordsInside(kind)[0]} ${name}`,
  facts: { folder: where },
  collection,
  parent,
  body,
  readme,
  key: crypto.randomUUID(),
  notBefore: leastTimeFromNow(),
});

interface Planning {
  readonly made: CopyPlan | undefined;
  readonly namesake: boolean;
  readonly read: number;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Reads the folder once a place is chosen, and plans. */
function useCopyPlan(folder: Group, to: string | undefined, group: Group | undefined): Planning {
  const client = useQueryClient();
  const refusal = useRefusal();
  const who = useCurrentUser();
  const oneName = useRouteContext({ strict: false, select: ({ config }) => config?.registryImages === true });
  const [read, setRead] = useState(0);
  const [now] = useState(() => Date.now());
  const unread = (kind: Kind) => refusal(listOf(kind), folder.uid);
  const { data, error, isFetching, refetch } = useQuery({
    ...contentsQuery(client, folder.uid, (kind) => unread(kind) === undefined, setRead),
    enabled: to !== undefined && who.state !== "loading",
  });
  const { data: namesake = false } = useQuery({
    ...namesakeQuery(to ?? "", folder),
    enabled: to !== undefined,
  });
  const made =
    data &&
    to !== undefined &&
    group &&
    planCopy({
      ...data,
      folder,
      to,
      place: nameOf(group),
      unread,
      refusal: (endpoint) => refusal(endpoint, to),
      held: heldAt(who, to),
      oneName,
      now,
    });
  return {
    made: made || undefined,
    namesake,
    read,
    error: isFetching ? null : error,
    onRetry: () => void refetch(),
  };
}

type PlannedProps = Planning & { readonly place: string; readonly folder: Group };

function Planned({ made, namesake, read, error, onRetry, place, folder }: PlannedProps): ReactNode {
  if (error)
    return (
      <Notice
        tone="danger"
        role="alert"
        title="The contents of the folder couldn't be read"
        actions={
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {errorFacts(error).message}
      </Notice>
    );
  if (!made)
    return (
      <p role="status">
        Reading the contents of the folder…{read > 0 ? ` ${formatCount(read)} records so far.` : ""}
      </p>
    );
  const kinds = [...new Set(made.steps.map(({ kind }) => kind))];
  return (
    <>
      {namesake ? (
        <Notice tone="warning" title={`${place} has a folder named ${nameOf(folder)} already`}>
          Whether it came from here isn&apos;t known. What it has under the same names stays as it is and
          counts as copied; the rest is added to it. If it is another folder, rename one of them first.
        </Notice>
      ) : null}
      <Section title="Copied" count={made.steps.length} description="One at a time, in this order.">
        <ol className={classes["order"]} aria-label="Order">
          {kinds.map((kind) => {
            const some = made.steps.filter((step) => step.kind === kind);
            const readmes = some.some(({ readme }) => readme)
              ? ", with settings and readme, without images"
              : "";
            return (
              <li key={kind.collection}>
                {formatQuantity(some.length, ...wordsInside(kind))}
                {readmes}
              </li>
            );
          })}
        </ol>
      </Section>
      <LeftOutTable left={made.left} />
      <Section title="Different afterwards">
        <ul className={classes["order"]} aria-label="Different afterwards">
          {made.differs.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </Section>
      <StepTable steps={made.steps} />
    </>
  );
}
