import { isNotFound, linkOptions, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";

import { useCurrentUser, isWithoutAccess } from "~/access/current-user";
import { useConnection } from "~/api/client/connection";
import { ApiError } from "~/api/client/errors";
import { kindOf } from "~/contract/kinds";
import "~/ui/controls/button-styles";
import { NotFound, NotPermitted } from "~/ui/feedback/empty";
import { ErrorView } from "~/ui/feedback/error-view";
import { AppLink } from "~/ui/layout/link";
import { isChunkError } from "~/ui/feedback/chunk-error";
import { Page } from "~/ui/layout/page";
import { NoAccessYet } from "~/resource/no-access-yet";
import { useScope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";

import { ChunkErrorPage } from "./chunk-error-page";
import { useRecord } from "./use-current";

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
  return (
    <Page>
      <Cause error={error} retry={retry} />
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

/** Empty states have an h2; a page needs an h1. */
const Heading = ({ children }: { readonly children: string }): ReactNode => (
  <h1 className="pc-visually-hidden" tabIndex={-1}>
    {children}
  </h1>
);

const detailsOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The browser's message about a chunk that failed to load. */
const causeOf = (error: unknown): string => String((error as Error).cause);

function Cause({ error, retry }: { readonly error: unknown; readonly retry: () => void }): ReactNode {
  const record = useRecord();
  const { group } = useScope();
  const who = useCurrentUser();
  const sought = record?.uid ?? group;
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
    missing
      ? "Not found"
      : forbidden
        ? isWithoutAccess(who)
          ? "No access yet"
          : "Not permitted"
        : unreachable
          ? "Unreachable"
          : "Something went wrong",
  );

  if (isChunkError(error)) return <ChunkErrorPage details={causeOf(error)} />;
  // A user without any role is refused everywhere, with the same remedy on every screen.
  if (forbidden && isWithoutAccess(who))
    return (
      <>
        <Heading>No access yet</Heading>
        <NoAccessYet />
      </>
    );
  if (missing)
    return (
      <>
        <Heading>Not found</Heading>
        <NotFound kind={noun} sought={sought} action={overview} />
      </>
    );
  if (forbidden)
    return (
      <>
        <Heading>Not permitted</Heading>
        <NotPermitted to={`see this ${noun}`} capability={refused.missingCapability} action={overview} />
      </>
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
      requestId={known?.requestId}
      details={known ? undefined : detailsOf(error)}
      onRetry={retry}
      retryAt={known?.retryAt}
      actions={overview}
    />
  );
}

/** Shown for a URL that matches no screen. */
export function NotFoundPage(): ReactNode {
  useTitle("Not found");
  return (
    <Page>
      <Heading>Not found</Heading>
      <NotFound kind="page" action={overview} />
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
