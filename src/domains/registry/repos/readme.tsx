import { useQuery } from "@tanstack/react-query";
import { CatchBoundary, useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { updateReadme, type Repo } from "platform-contract/registry/repos";
import { ActionButton } from "~/ui/controls/action-button";
import { FailedPart } from "~/ui/feedback/failed-part";
import { isChunkError } from "~/ui/feedback/chunk-error";
import { Section } from "~/ui/display/section";

import { isSynced, readmeQuery, SYNCED_README } from "./data";
import { FormattedReadme } from "~/domains/registry/readme/readme";
import { UnformattedReadme } from "~/domains/registry/readme/readme-states";
import classes from "./styles.module.css";

/** Shows the readme of a repo. */
export function Readme({ repo, onEdit }: { readonly repo: Repo; readonly onEdit: () => void }): ReactNode {
  const { uid } = repo;
  const query = useQuery(readmeQuery(uid));
  const { reason } = useCan(updateReadme, uid);
  const content = query.data?.content ?? "";
  return (
    <Section
      title="Readme"
      actions={
        <ActionButton reason={isSynced(repo) ? SYNCED_README : reason} onClick={onEdit}>
          {query.data && content === "" ? "Write readme" : "Edit readme"}
        </ActionButton>
      }
    >
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.isError ? (
        <FailedPart title="The readme couldn't be loaded" error={query.error} onRetry={query.refetch} />
      ) : null}
      {query.data ? <ReadmeText content={content} /> : null}
    </Section>
  );
}

/** Renders a readme, or its source if it cannot be formatted. */
export function ReadmeText({ content }: { readonly content: string }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  if (content.trim() === "") return <p className={classes["quiet"]}>No readme yet</p>;
  return (
    <CatchBoundary
      getResetKey={() => content}
      errorComponent={({ error }) => {
        // The page handles chunk load errors.
        if (isChunkError(error)) throw error;
        return <UnformattedReadme content={content} />;
      }}
    >
      <div className={classes["readme"]}>
        <FormattedReadme key={content} content={content} imageOrigins={config.readmeImageOrigins} />
      </div>
    </CatchBoundary>
  );
}
