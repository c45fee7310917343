import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { useAncestorNames } from "~/frame/scope/use-ancestor-names";
import { startJob } from "~/api/bulk/start-job";
import { TEARDOWN } from "~/api/bulk/teardown";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { ownerOf } from "~/auth/session";
import { isWithin, parentOf } from "platform-contract/aip";
import type { Group } from "platform-contract/iam/groups";
import type { Kind } from "platform-contract/kind";
import { wordsInside } from "platform-contract/kinds";
import { deletableKind } from "platform-contract/resource";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";
import { Footer } from "./footer";
import { blockingKinds, planTeardown, type TeardownStep, type Teardown } from "./plan";
import { listOf, readContents, type Contents } from "./read";
import classes from "./styles.module.css";
import { StepTable } from "../step-table";
import { useRecordLink } from "../use-record-link";
import { wordsOf } from "./words";

const noteOf = ({ refused, own }: TeardownStep): string | undefined =>
  refused ?? (own ? "Your own access" : undefined);

interface TeardownProps {
  /** None is within another. */
  readonly records: readonly Group[];
  readonly onClose: () => void;
  /** Called when the job has started. */
  readonly onStarted: () => void;
}

/** Maximum number of records to name per reason why the plan can't be run. */
const NAMED = 5;

/** Shows what must be deleted before groups, in which order, and runs it as one bulk job after confirmation. */
export function TeardownPlan({ records, onClose, onStarted }: TeardownProps): ReactNode {
  const client = useQueryClient();
  const refusal = useRefusal();
  const { bindings, state, person } = useCurrentUser();
  const [read, setRead] = useState(0);
  const groups = records.map(({ uid, name }) => ({
    uid,
    name: (name || shorten(uid)).replace(/\s+/g, " ").trim(),
  }));
  const uids = groups.map(({ uid }) => uid);
  const { kind, what } = wordsOf(groups);
  const canList = (each: Kind, group: string) => refusal(listOf(each), group) === undefined;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["teardown", uids],
    enabled: state !== "loading",
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      readContents(uids, canList, {
        signal,
        retryPolicy: retryPolicyOf(client),
        tell: setRead,
      }),
  });
  const above = useAncestorNames(records);
  const own = useMemo(() => new Set(bindings.map((each) => each.uid)), [bindings]);
  const plan =
    data &&
    planTeardown({
      groups,
      rows: data.rows,
      own,
      above,
      refusal: (each, at) => each.access.delete && refusal({ access: each.access.delete }, at),
    });
  const unseen = blockingKinds().filter((each) => !uids.every((uid) => canList(each, uid)));
  const endsAccess = uids.some(
    (uid) => !bindings.some((each) => parentOf(each.uid) !== uid && isWithin(uid, parentOf(each.uid))),
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
      title={<>Plan to delete {what}</>}
      onClose={onClose}
      footer={<Footer groups={groups} plan={plan} onClose={onClose} onStart={start} />}
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
          <Counts plan={plan} contents={data}>
            the {what}
          </Counts>
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
                ? ` You have no role above ${uids.length > 1 ? "all of these" : "this"} ${kind}, so you might not be able to finish.`
                : null}
            </Notice>
          ) : null}
          <StepTable steps={plan.steps} note={noteOf} />
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
  /** The groups in words. */
  readonly children: ReactNode;
}

/** Summarizes the order: counts per kind, then the groups. */
function Counts({ plan, contents, children }: CountsProps): ReactNode {
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
        {children}
        {withThem("groups")}
      </li>
    </ol>
  );
}

/** Explains why the plan can't be run: each reason with its records. */
function Refused({ steps }: { readonly steps: readonly TeardownStep[] }): ReactNode {
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
