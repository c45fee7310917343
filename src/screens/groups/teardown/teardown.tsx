import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, type KeyboardEvent, type ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { useRefusal } from "~/access/use-can";
import { isJobOpen, startJob } from "~/api/bulk/start-job";
import { TEARDOWN } from "~/api/bulk/teardown";
import type { Patience } from "~/api/paging/scan-pages";
import { ownerOf } from "~/auth/session";
import { isWithin, parentOf } from "~/contract/aip";
import type { Group } from "~/contract/iam/groups";
import type { Kind } from "~/contract/kind";
import { wordsInside } from "~/contract/kinds";
import { deletableKind } from "~/contract/resource";
import { WriteRequests } from "~/features/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Sheet } from "~/ui/overlay/sheet";
import { typeable } from "~/ui/overlay/typeable";

import { blockingKinds, planTeardown, type Step, type Teardown } from "./plan";
import { listOf, readContents, type Contents } from "./read";
import { StepTable } from "./steps";
import classes from "./styles.module.css";
import { useRecordLink } from "./use-record-link";

interface TeardownProps {
  readonly record: Group;
  readonly onClose: () => void;
  /** Called when the job has started. */
  readonly onStarted: () => void;
}

/** Maximum number of records to name per reason why the plan can't be run. */
const NAMED = 5;

/** Shows what must be deleted before a group, in which order, and runs it as one bulk job after confirmation. */
export function TeardownPlan({ record, onClose, onStarted }: TeardownProps): ReactNode {
  const { uid } = record;
  const client = useQueryClient();
  const refusal = useRefusal();
  const { bindings, state, person } = useCurrentUser();
  const [read, setRead] = useState(0);
  const kind = parentOf(uid) === "" ? "organization" : "folder";
  const name = (record.name || shorten(uid)).replace(/\s+/g, " ").trim();
  const canList = (each: Kind) => refusal(listOf(each), uid) === undefined;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["teardown", uid],
    enabled: state !== "loading",
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      readContents(uid, canList, {
        signal,
        patience: client.getDefaultOptions().queries as Patience,
        tell: setRead,
      }),
  });
  const own = useMemo(() => new Set(bindings.map((each) => each.uid)), [bindings]);
  const plan =
    data &&
    planTeardown({
      group: { uid, name },
      rows: data.rows,
      own,
      refusal: (each, at) => each.access.delete && refusal({ access: each.access.delete }, at),
    });
  const unseen = blockingKinds().filter((each) => !canList(each));
  const endsAccess = !bindings.some(
    (each) => parentOf(each.uid) !== uid && isWithin(uid, parentOf(each.uid)),
  );
  const start = ({ steps }: Teardown) => {
    const targets = steps.map((step) => ({
      uid: step.uid,
      name: `${wordsInside(step.kind)[0]} ${step.name}`,
      collection: step.kind.collection,
    }));
    startJob({ client, owner: ownerOf(person) }, TEARDOWN, targets);
    onStarted();
  };
  return (
    <Sheet
      at="side"
      title={
        <>
          Plan to delete {kind} <bdi>{name}</bdi>
        </>
      }
      onClose={onClose}
      footer={<Footer name={name} plan={plan} onClose={onClose} onStart={start} />}
    >
      {error && !isFetching ? (
        <Notice
          tone="danger"
          role="alert"
          title={`The contents of the ${kind} couldn't be read`}
          actions={
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {errorFacts(error).message}
        </Notice>
      ) : plan === undefined || data === undefined ? (
        <p role="status">
          Reading the contents of the {kind}…{read > 0 ? ` ${formatCount(read)} records so far.` : ""}
        </p>
      ) : (
        <>
          <p>
            Records are deleted one at a time, in this order. If one fails, we stop there. You can resume.
            This can't be undone.
          </p>
          <Counts plan={plan} contents={data} kind={kind} name={name} />
          <Refused steps={plan.steps} />
          {unseen.length > 0 ? (
            <Notice tone="warning" title="You might not see everything">
              You don&apos;t have permission to list {unseen.map(({ plural }) => plural).join(", ")} here. If
              there are any, the plan stops at the group that contains them.
            </Notice>
          ) : null}
          {plan.steps.some((step) => step.own) ? (
            <Notice tone="warning" title="Your own access is deleted last">
              Your own role bindings are deleted right before the group they're in.
              {endsAccess
                ? ` You have no role above this ${kind}, so you might not be able to finish.`
                : null}
            </Notice>
          ) : null}
          <StepTable steps={plan.steps} />
          <WriteRequests
            requests={() =>
              plan.steps.flatMap(({ uid: at, kind: of }) => {
                const endpoint = deletableKind(of)?.delete;
                return endpoint ? [{ endpoint, path: { uid: at } }] : [];
              })
            }
          />
        </>
      )}
    </Sheet>
  );
}

interface CountsProps {
  readonly plan: Teardown;
  readonly contents: Contents;
  readonly kind: string;
  readonly name: string;
}

/** Summarizes the order: counts per kind, then the group. */
function Counts({ plan, contents, kind, name }: CountsProps): ReactNode {
  const withThem = (collection: string): string => {
    const companions = contents.companions.filter(([{ parent }]) => parent === collection);
    const many = companions.map(([{ noun, plural }, count]) => formatQuantity(count, noun, plural));
    return many.length > 0 ? `, with ${many.join(" and ")}` : "";
  };
  return (
    <ol className={classes["counts"]} aria-label="Order">
      {plan.counts.map(([each, count]) => (
        <li key={each.collection}>
          {formatQuantity(count, ...wordsInside(each))}
          {each.collection === "groups" ? null : withThem(each.collection)}
        </li>
      ))}
      <li>
        the {kind} <bdi>{name}</bdi>
        {withThem("groups")}
      </li>
    </ol>
  );
}

/** Explains why the plan can't be run: each reason with its records. */
function Refused({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  const linkTo = useRecordLink();
  const refused = steps.filter((step) => step.refused !== undefined);
  const reasons = [...new Set(refused.map((step) => step.refused))];
  if (refused.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={`${formatQuantity(refused.length, "record", "records")} can't be deleted, so the plan can't be run`}
    >
      {reasons.map((reason) => {
        const about = refused.filter((step) => step.refused === reason);
        return (
          <div key={reason}>
            <p>{reason}:</p>
            <ul className={classes["refused"]}>
              {about.slice(0, NAMED).map((step) => {
                const link = linkTo(step);
                const words = `${wordsInside(step.kind)[0]} ${step.name}`;
                return <li key={step.uid}>{link ? <AppLink target={link}>{words}</AppLink> : words}</li>;
              })}
              {about.length > NAMED ? <li>and {formatCount(about.length - NAMED)} more</li> : null}
            </ul>
          </div>
        );
      })}
    </Notice>
  );
}

interface FooterProps {
  readonly name: string;
  readonly plan: Teardown | undefined;
  readonly onClose: () => void;
  readonly onStart: (plan: Teardown) => void;
}

function Footer({ name, plan, onClose, onStart }: FooterProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [hint, setHint] = useState<string>();
  const heldBack = useWritesPaused();
  const stuck = plan?.steps.some((step) => step.refused !== undefined);
  const reason = !plan
    ? "Still planning"
    : stuck
      ? "Some of these records can't be deleted"
      : isJobOpen()
        ? "Another deletion is still running"
        : heldBack?.reason;
  const run = () => {
    if (!plan || reason !== undefined) return;
    if (typeable(typed) === typeable(name)) onStart(plan);
    else setHint(`Type ${name} to confirm.`);
  };
  // Users press Enter out of habit, so deleting takes a click or Space.
  const noEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    setHint("Press Space to delete.");
  };
  return (
    <>
      {plan && !stuck ? (
        <TextInput
          className={classes["typed"] ?? ""}
          label={
            <>
              Type the name to confirm: <bdi>{name}</bdi>
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      <p role="status" className={classes["hint"]}>
        {hint}
      </p>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <DisabledReason reason={reason}>
        <Button color="danger" onKeyDown={noEnter} onClick={run}>
          {plan ? `Delete ${formatQuantity(plan.steps.length, "record", "records")}` : "Delete"}
        </Button>
      </DisabledReason>
    </>
  );
}
