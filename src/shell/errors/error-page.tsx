import { isNotFound, linkOptions, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { UserXIcon } from "lucide-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";

import { useCurrentUser, isWithoutAccess } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { useConnection } from "~/api/client/connection";
import { one } from "~/api/queries/queries";
import { ApiError } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { kindOf } from "platform-contract/kinds";
import "~/ui/controls/button-styles";
import { Empty, NotFound } from "~/ui/feedback/empty";
import { ErrorDetails } from "~/ui/feedback/error-details";
import { errorFacts } from "~/ui/feedback/error-facts";
import { ErrorView } from "~/ui/feedback/error-view";
import { AppLink } from "~/ui/layout/link";
import { isChunkError } from "~/ui/feedback/chunk-error";
import { Page } from "~/ui/layout/page";
import { DeletionNote } from "~/domains/audit/log/parts";
import { NoAccessYet } from "~/frame/list/no-access-yet";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useSight } from "~/frame/scope/use-sight";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { LastRemoval } from "~/domains/access/grants/last-removal";
import { grantLink } from "~/domains/access/grants/links";
import { useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";

import styles from "./error-page.module.css";
import { ChunkErrorPage } from "./chunk-error-page";
import { useRecord } from "~/shell/use-current";

const overview = (
  <Button
    variant="default"
    component={AppLink}
    target={linkOptions({ to: "/", search: { group: undefined } })}
  >
    Go to the overview
  </Button>
);

/** Shown in place of a screen that failed; the navigation and everything around it stay usable. */
export function ErrorPage(props: ErrorComponentProps): ReactNode {
  // Thrown by screens whose URL contains no uid. The router only handles it from loaders.
  return isNotFound(props.error) ? <NotFoundPage /> : <Failure {...props} />;
}

function Failure({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const client = useQueryClient();
  const retry = () => {
    // Otherwise the screen would hit the cached error again.
    void client.resetQueries({ predicate: ({ state }) => state.status === "error" });
    reset();
    void router.invalidate();
  };
  useRecovery(retry);
  const record = useRecord();
  return (
    <Page>
      <Cause error={error} retry={retry} />
      {error instanceof ApiError && !isUnseenPerson(record, error) ? (
        <div className={styles["details"]}>
          <ErrorDetails {...errorFacts(error)} />
        </div>
      ) : null}
    </Page>
  );
}

/** Retries once the service is reachable again: the outage caused the failure, or masks whether it persists. */
function useRecovery(retry: () => void): void {
  const down = useConnection().state === "down";
  const wasDown = useRef(down);
  const recover = useEffectEvent(retry);
  useEffect(() => {
    if (wasDown.current && !down) recover();
    wasDown.current = down;
  }, [down]);
}

interface Sought {
  readonly collection: string;
  readonly uid: string;
}

/** The group that contains a record, by its uid, or that it is. */
function groupOf({ collection, uid }: Sought): string {
  const { parent, keyedByParent } = { ...kindOf(collection) };
  if (collection === "groups" || keyedByParent || parent === undefined) return uid;
  return parent === "groups" ? parentOf(uid) : groupOf({ collection: parent, uid: parentOf(uid) });
}

const detailsOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The browser's message about a chunk that failed to load. */
const causeOf = (error: unknown): string => String(Object(error).cause);

/** True if the service refused a person: nobody without a role is shown. That is no error to report. */
const isUnseenPerson = (record: Sought | undefined, error: unknown): record is Sought =>
  record?.collection === "identities" &&
  parentOf(record.uid) === "" &&
  error instanceof ApiError &&
  error.kind === "refused" &&
  (error.code === "NOT_FOUND" || error.code === "PERMISSION_DENIED");

function Cause({ error, retry }: { readonly error: unknown; readonly retry: () => void }): ReactNode {
  const record = useRecord();
  const { group } = useScope();
  const who = useCurrentUser();
  const sought = record?.uid ?? group;
  const place = record ? groupOf(record) : group;
  const noun = record
    ? (kindOf(record.collection)?.noun ?? "record")
    : group === undefined
      ? "page"
      : "group";
  const refused = error instanceof ApiError && error.kind === "refused" ? error : undefined;
  const missing = refused?.code === "NOT_FOUND";
  const forbidden = refused?.code === "PERMISSION_DENIED";
  const unreachable = error instanceof ApiError && error.kind === "unreachable";
  useTitle(
    isUnseenPerson(record, error)
      ? "No access here"
      : missing
        ? "Not found"
        : forbidden
          ? isWithoutAccess(who)
            ? "No access yet"
            : "Hidden by your role"
          : unreachable
            ? "Unreachable"
            : "Something went wrong",
  );

  if (isChunkError(error)) return <ChunkErrorPage details={causeOf(error)} />;
  // A user without any role is refused everywhere, with the same remedy on every screen.
  if (forbidden && isWithoutAccess(who)) return <NoAccessYet group={place} level={1} />;
  if (isUnseenPerson(record, error)) return <UnseenPerson uid={record.uid} retry={retry} />;
  if (missing)
    return (
      <NotFound kind={noun} sought={sought} action={overview} level={1}>
        {record ? <DeletionNote record={record} /> : undefined}
      </NotFound>
    );
  if (forbidden)
    return (
      <HiddenByRole
        capability={refused.missingCapability}
        group={sought}
        place={place}
        action={overview}
        level={1}
      />
    );
  if (unreachable)
    return (
      <ErrorView
        level={1}
        title="Can't reach the service"
        message={`${error.message} Check the connection and try again.`}
        onRetry={retry}
        retryAt={error.retryAt}
        actions={overview}
      />
    );
  const known = error instanceof ApiError ? error : undefined;
  return (
    <ErrorView
      level={1}
      title="This page couldn't be displayed"
      message={known?.message ?? "Something went wrong in the console. Try again, or open another page."}
      details={known ? undefined : detailsOf(error)}
      onRetry={retry}
      retryAt={known?.retryAt}
      actions={overview}
    />
  );
}

/**
 * A person is seen through their role bindings, so the service refuses one without any. That isn't the reader's role,
 * unless it hides all people.
 */
function UnseenPerson({ uid, retry }: { readonly uid: string; readonly retry: () => void }): ReactNode {
  // Asks nothing of its own: a write here, such as an undo, reads it again.
  const { isSuccess } = useQuery({
    ...one(identities.get, { uid }),
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    throwOnError: false,
  });
  const seek = useEffectEvent(retry);
  useEffect(() => {
    if (isSuccess) seek();
  }, [isSuccess]);
  const sight = useSight(identities.list, undefined, true);
  const refusal = useRefusal();
  if (sight.state === "hidden")
    return <HiddenByRole capability={sight.capability} group={undefined} action={overview} level={1} />;
  return (
    <Empty
      icon={<UserXIcon size={24} />}
      title="This person has no access here"
      level={1}
      actions={
        <>
          <DisabledReason reason={refusal(roleBindings.create, undefined)}>
            <Button variant="default" component={AppLink} target={grantLink({ identity: uid })}>
              Grant access
            </Button>
          </DisabledReason>
          {overview}
        </>
      }
    >
      They have no role in a group that you can see.
      <LastRemoval identity={uid} />
    </Empty>
  );
}

/** Shown for a URL that matches no screen. */
export function NotFoundPage(): ReactNode {
  useTitle("Not found");
  return (
    <Page>
      <NotFound kind="page" action={overview} level={1} />
    </Page>
  );
}

/** Shown if not even the shell can render. */
export function ShellError({ error }: ErrorComponentProps): ReactNode {
  if (isChunkError(error))
    return (
      <main>
        <ChunkErrorPage details={causeOf(error)} />
      </main>
    );
  return (
    <main>
      <ErrorView
        level={1}
        title="The console couldn't be displayed"
        message="Something went wrong in the console. Reload the page."
        details={detailsOf(error)}
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
