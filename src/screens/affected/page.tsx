import { iconOf } from "~/resource/kind-icons";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PrinterIcon, SearchIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { useCan } from "~/access/use-can";
import { ApiError } from "~/api/client/errors";
import { advisories } from "~/contract/vulnerabilities/advisories";
import { Ask } from "~/features/advisories/ask";
import { STATUSES, STATUS_WORDS } from "~/features/advisories/verdict";
import { ExploitedBadge, exploitationText, worstExploitation } from "~/features/advisories/exploitation";
import { useChosenGroup } from "~/features/scope/chosen-group";
import { useGroup } from "~/features/scope/group-ancestry";
import { useScope, type Scope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";
import { useCleanAddress } from "~/resource/clean-address";
import { NoAccessYet } from "~/resource/list/no-access-yet";
import "~/ui/controls/button-styles";
import { HiddenByRole } from "~/features/scope/hidden-by-role";
import { Section } from "~/ui/display/section";
import { exactTime } from "~/ui/display/time-text";
import { Empty, NotFound } from "~/ui/feedback/empty";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { StaleNotice } from "~/ui/feedback/stale-notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { answerQuery, readAffected, type Answer as Answered } from "./data";
import "~/ui/layout/print.css";
import { More } from "./more";
import { judge, summarize, summarizeVersion } from "./summary";
import { StatusTable } from "./status-table";
import classes from "./styles.module.css";

/** Shows whether a vulnerability affects anything in the scope. The address identifies the result. */
export function Affected(): ReactNode {
  const { id, version } = useCleanAddress(readAffected);
  const scope = useScope();
  const chosen = useChosenGroup().group;
  const { group, error } = useGroup(chosen);
  const missing = error instanceof ApiError && error.code === "NOT_FOUND";
  const { state } = useCurrentUser();
  const { allowed, capability } = useCan(advisories.list, scope.group);
  useTitle(id === undefined ? "Are we affected?" : `Are we affected by ${id}?`);
  const where = chosen === undefined ? "all groups you can see" : (group?.name ?? "this group");
  return (
    <Page>
      <PageHeader
        icon={iconOf("advisories")}
        title={id === undefined ? "Are we affected?" : `Are we affected by ${id}?`}
        description={
          <>
            In <bdi>{where}</bdi>
            {chosen !== undefined && scope.reach === "below" ? " and its subfolders" : ""}.
          </>
        }
        actions={
          id === undefined ? undefined : (
            <Button
              variant="default"
              className={classes["noPrint"] ?? ""}
              leftSection={<PrinterIcon size={16} />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )
        }
      />
      <Ask id={id} version={version ?? ""} primary={id === undefined} />
      {state === "nobody" ? (
        <NoAccessYet />
      ) : missing ? (
        <NotFound kind="group" sought={scope.group} />
      ) : !allowed ? (
        <HiddenByRole capability={capability} group={scope.group} place={scope.group} />
      ) : id === undefined ? (
        <p className={classes["quiet"]}>
          Enter an id to see which artifacts are affected, fixed, not affected, or still under investigation.
        </p>
      ) : (
        <Answer key={`${id} ${version} ${scope.group}`} id={id} version={version} scope={scope} />
      )}
    </Page>
  );
}

interface AnswerProps {
  readonly id: string;
  readonly version: string | undefined;
  readonly scope: Scope;
}

function Answer({ id, version, scope }: AnswerProps): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery(answerQuery(scope, id, version));
  if (!data)
    return error ? (
      <FailedPart title={`Advisories about ${id} couldn't be loaded`} error={error} onRetry={refetch} />
    ) : (
      <p className={classes["quiet"]} role="status">
        Looking for {id}…
      </p>
    );
  return (
    <>
      {error ? <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} /> : null}
      {data.advisories.length === 0 ? (
        <Unknown id={id} />
      ) : (
        <Verdicts id={id} version={version} answer={data} />
      )}
      <p className={classes["quiet"]}>
        As of {exactTime(new Date(dataUpdatedAt))}. Groups where you can't list advisories aren't included.
      </p>
      <More id={id} group={scope.group} answer={data} />
    </>
  );
}

/** Distinguishes unknown from "not affected". */
const Unknown = ({ id }: { readonly id: string }): ReactNode => (
  <Empty icon={<SearchIcon size={24} />} title={`No advisory here mentions ${id}`}>
    <p>
      This doesn't mean you aren't affected, only that you can't see an advisory about it. Check the id, the
      scope, and whether your role lets you see advisories.
    </p>
  </Empty>
);

interface VerdictsProps {
  readonly id: string;
  readonly version: string | undefined;
  readonly answer: Answered;
}

function Verdicts({ id, version, answer }: VerdictsProps): ReactNode {
  const { advisories: found, alsoCalled, partial } = answer;
  const judged = judge(found);
  const { tone, title, text } =
    version === undefined ? summarize(id, judged) : summarizeVersion(version, judged);
  const exploited = worstExploitation(found);
  return (
    <>
      <Notice tone={tone} title={title} role="status">
        {text}
        {alsoCalled.length > 0 ? ` Also known as ${alsoCalled.join(", ")}.` : null}
      </Notice>
      {exploited ? (
        <p>
          <ExploitedBadge of={exploited} /> {exploitationText(exploited).join(" ")}
        </p>
      ) : null}
      {partial ? (
        <Notice tone="warning" title="Some advisories aren't included">
          There are too many for this page. Choose a smaller scope.
        </Notice>
      ) : null}
      {STATUSES.map((status) => {
        const some = judged.get(status) ?? [];
        return some.length === 0 ? null : (
          <Section key={status} title={STATUS_WORDS[status]} count={some.length}>
            <StatusTable status={status} of={some} />
          </Section>
        );
      })}
    </>
  );
}
