import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { useRefusedAt } from "~/access/use-can";
import type { Patience } from "~/api/paging/scan-pages";
import { tags } from "~/contract/registry/tags";
import { repoQuery } from "~/features/registry/repo-query";
import { useGroup } from "~/features/scope/group-ancestry";
import { HiddenByRole } from "~/features/scope/hidden-by-role";
import { useScope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";
import { useTopGroups } from "~/features/scope/top-groups";
import { paramToUid } from "~/features/scope/uid-param";
import { useCleanAddress } from "~/resource/clean-address";
import { iconOf } from "~/resource/kind-icons";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { decide, type Facts } from "./decide";
import { Preview } from "./preview";
import { readFacts, TooMuch } from "./read";
import { problemsOf, type Rules } from "./rules";
import { RulesForm } from "./rules-form";
import { readRetentionSearch } from "./search";
import { useRules } from "./use-rules";
import classes from "./styles.module.css";

const TITLE = "Retention";

/** Deletes the tags of a repo or a scope that rules choose, after a preview. */
export function Retention(): ReactNode {
  const search = useCleanAddress(readRetentionSearch);
  useTitle(TITLE);
  const { group } = useScope();
  const { organizations, folders, more, state } = useTopGroups();
  const repo = search.repo === undefined ? undefined : paramToUid(search.repo);
  // As everywhere, the only organization needs no choice.
  const sole = more || folders.length > 0 || organizations.length !== 1 ? undefined : organizations[0]?.uid;
  const place = repo ?? group ?? sole;
  const { data: record } = useQuery({ ...repoQuery(repo ?? ""), enabled: repo !== undefined });
  const { group: folder } = useGroup(repo === undefined ? place : undefined);
  const refused = useRefusedAt(tags.list, [place]);
  const name = (repo === undefined ? folder?.name : record?.name) ?? (place ? shorten(place) : "");
  return (
    <Page>
      <PageHeader
        icon={iconOf("tags")}
        title={TITLE}
        description={
          place === undefined ? (
            "Delete old tags by rules, after a preview."
          ) : (
            <>
              Delete old tags {repo === undefined ? "in" : "of"} <bdi>{name}</bdi> by rules, after a preview.
            </>
          )
        }
      />
      {place === undefined ? (
        state === "loading" ? null : (
          <Notice>Choose an organization or folder in the tree, or open this from a repo's tags.</Notice>
        )
      ) : refused ? (
        <HiddenByRole {...refused} />
      ) : (
        <Rule key={place} place={place} isRepo={repo !== undefined} />
      )}
    </Page>
  );
}

interface RuleProps {
  /** uid of the repo or group. */
  readonly place: string;
  readonly isRepo: boolean;
}

interface Previewed {
  readonly facts: Facts;
  readonly rules: Rules;
}

function Rule({ place, isRepo }: RuleProps): ReactNode {
  const client = useQueryClient();
  const { rules, setRules, keep } = useRules(place);
  const [problems, setProblems] = useState<Partial<Record<keyof Rules, string>>>({});
  const [doing, setDoing] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [previewed, setPreviewed] = useState<Previewed>();
  const [started, setStarted] = useState(false);
  const [kept, setKept] = useState(true);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const decisions = useMemo(() => previewed && decide(previewed.facts, previewed.rules), [previewed]);

  const change = (next: Rules) => {
    setRules(next);
    setProblems({});
    // A preview of other rules would be deleted by these.
    setPreviewed(undefined);
    setStarted(false);
  };
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
    setDoing(undefined);
  };
  const preview = async () => {
    const wrong = problemsOf(rules);
    setProblems(wrong);
    setPreviewed(undefined);
    setStarted(false);
    setFailure(undefined);
    if (Object.keys(wrong).length > 0) return;
    setKept(keep());
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setDoing("repos");
    try {
      const facts = await readFacts(place, isRepo, {
        patience: client.getDefaultOptions().queries as Patience,
        signal: own.signal,
        tell: (what) => (own.signal.aborted ? undefined : setDoing(what)),
      });
      if (!own.signal.aborted) setPreviewed({ facts, rules });
    } catch (error) {
      if (!own.signal.aborted) setFailure(error);
    } finally {
      if (running.current === own) stop();
    }
  };
  return (
    <>
      <Section
        title="Rules"
        description="A tag is deleted if all rules that are set hold. Always kept: latest, tags that a repo lists as active, names that move with newer versions (1.27 beside 1.27.3), and images that a repo synced from here has."
      >
        <RulesForm rules={rules} problems={problems} onChange={change}>
          {/* One button for both, so that it keeps the focus when pressed. */}
          <Button
            variant={doing === undefined ? "filled" : "default"}
            onClick={doing === undefined ? () => void preview() : stop}
          >
            {doing === undefined ? "Preview" : "Stop"}
          </Button>
        </RulesForm>
        <p className={classes["quiet"]}>
          {kept
            ? "A preview keeps the rules for this place, in this browser only. They never run by themselves."
            : "This browser has no room to keep the rules. Download them instead."}
        </p>
        <p role="status">{doing === undefined ? null : `Reading ${doing}…`}</p>
        {failure === undefined ? null : failure instanceof TooMuch ? (
          <Notice tone="warning" title="Too much for one preview" role="alert">
            {failure.message}
          </Notice>
        ) : (
          <FailedPart title="The tags couldn't be read" error={failure} onRetry={() => void preview()} />
        )}
      </Section>
      {started ? <Notice>The deletion has started below. Preview again to see what is left.</Notice> : null}
      {previewed && decisions ? (
        <Preview
          facts={previewed.facts}
          decisions={decisions}
          onStarted={() => {
            setPreviewed(undefined);
            setStarted(true);
          }}
        />
      ) : null}
    </>
  );
}
