import { useRouteContext } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useQueryClient } from "@tanstack/react-query";

import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";
import "~/ui/layout/print.css";
import { onDemand } from "~/ui/on-demand";
import { useRefusedAt } from "~/frame/permissions/use-can";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { StartStop } from "~/ui/controls/start-stop";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { fieldParts } from "~/ui/form/field-parts";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { readReviewSearch } from "./search";
import { useStoredReview } from "./store";
import { loadSteps, liveKey, useReading } from "./use-reading";
import type { Review } from "./format";
import { OpenFile } from "./open-file";
import classes from "./styles.module.css";

interface BeginProps {
  readonly service: string;
  readonly onOpen: (review: Review) => void;
}

/** Starts a review of the scope, or continues one from its file. */
function Begin({ service, onOpen }: BeginProps): ReactNode {
  const { group: uid, known } = useChosenGroup();
  return (
    <>
      <Section
        title="Start a review"
        description="Lists every role binding in the scope with who granted it, when its identity was last seen, and how it was used according to the audit log."
      >
        {uid === undefined && !known ? null : uid === undefined ? (
          <ChooseGroup>Choose an organization or folder first.</ChooseGroup>
        ) : (
          <Start key={uid} uid={uid} service={service} onOpen={onOpen} />
        )}
      </Section>
      <Section
        title="Continue a review"
        description="Open a review file, yours or one that was sent to you. It stays in this browser."
      >
        <OpenFile label="Access review file" service={service} onOpen={onOpen} />
      </Section>
    </>
  );
}

const titleOf = (scope: string): string =>
  `Access review of ${scope}, ${new Date().toISOString().slice(0, 10)}`;

function Start({ uid, service, onOpen }: BeginProps & { readonly uid: string }): ReactNode {
  const { group } = useGroup(uid);
  const refused = useRefusedAt(roleBindings.list, [uid]);
  const { person } = useCurrentUser();
  const client = useQueryClient();
  const { doing, read, stop } = useReading();
  const [title, setTitle] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const name = group?.name || shorten(uid);
  const suggested = titleOf(name);
  if (refused) return <HiddenByRole {...refused} />;
  const start = async () => {
    setProblem(undefined);
    try {
      const live = await read(uid, []);
      if (!live) return;
      const id = crypto.randomUUID();
      client.setQueryData(liveKey(id), live);
      onOpen({
        id,
        title: title?.trim() || titleOf(live.name),
        scope: { uid, name: live.name },
        service,
        started: { by: person.email ?? person.subject, at: live.time },
        read: live.time,
        gaps: live.gaps,
        items: live.items,
        inherited: live.inherited,
        reviewers: {},
      });
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <div className={classes["panel"]}>
      <p>
        Scope: <bdi className={classes["name"]}>{name}</bdi> and everything below it
      </p>
      <TextInput
        label="Title"
        className={classes["title"] ?? ""}
        classNames={fieldParts}
        value={title ?? suggested}
        maxLength={200}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <StartStop running={doing !== undefined} onStart={() => void start()} onStop={stop}>
        Start review
      </StartStop>
      <p role="status">{doing === undefined ? null : `Reading ${doing}…`}</p>
      {problem === undefined ? null : problem instanceof TextProblem ? (
        <Notice tone="warning" title="This scope is too large" role="alert">
          {problem.message}
        </Notice>
      ) : (
        <FailedPart title="The role bindings couldn't be read" error={problem} onRetry={() => void start()} />
      )}
    </div>
  );
}

const TITLE = "Access review";

const Campaign = onDemand(async () => (await loadSteps()).Campaign);

/** Reviews every role binding of a scope: decided one by one, applied together, and signed off. */
export function AccessReview(): ReactNode {
  const search = useCleanAddress(readReviewSearch);
  useTitle(TITLE);
  const { config } = useRouteContext({ from: "__root__" });
  const { review, set, stored } = useStoredReview();
  return (
    <Page>
      <PageHeader
        icon={iconOf("accessReview")}
        title={review?.title ?? TITLE}
        description={
          review ? (
            <>
              Every role binding in <bdi>{review.scope.name}</bdi> and below.
            </>
          ) : (
            "Decide for each role binding whether it stays, then apply all decisions at once."
          )
        }
      />
      {stored ? null : (
        <Notice tone="warning" title="This browser has no room for the review" role="alert">
          Download the file before you leave, or you lose your decisions.
        </Notice>
      )}
      {review ? (
        <Campaign key={review.id} review={review} set={set} search={search} config={config} />
      ) : (
        <Begin service={config.apiBaseUrl} onOpen={set} />
      )}
    </Page>
  );
}
