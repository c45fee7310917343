import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { useUsageKnown } from "~/domains/registry/usage/use-usage-known";
import { WithoutRegistry } from "~/domains/registry/usage/without-registry";
import { useCan } from "~/frame/permissions/use-can";
import type { Decision, TagFacts } from "platform-contract/registry/retention-decision";
import { getRegistryUsage } from "platform-contract/registry/usage";
import { StartStop } from "~/ui/controls/start-stop";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { onDemand } from "~/ui/on-demand";

import { problemsOf, type Rules, NO_RULES, valuesOf } from "./rules";
import { RulesForm } from "./rules-form";
import classes from "./styles.module.css";
import { TooMuch } from "./too-much";

const Preview = onDemand(async () => (await import("./preview")).Preview);

interface PlaceRulesProps {
  /** uid of the repo or group. */
  readonly place: string;
  readonly isRepo: boolean;
}

interface Previewed {
  readonly facts: TagFacts;
  readonly decisions: readonly Decision[];
}

/** The rules of one place and what they would do, where the service runs none. */
export function PlaceRules({ place, isRepo }: PlaceRulesProps): ReactNode {
  const client = useQueryClient();
  const [rules, set] = useState(NO_RULES);
  const [problems, setProblems] = useState<Partial<Record<keyof Rules, string>>>({});
  const [doing, setDoing] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [previewed, setPreviewed] = useState<Previewed>();
  const [started, setStarted] = useState(false);
  const running = useRef<AbortController>(undefined);
  const { reason } = useCan(getRegistryUsage, place);
  const pulls = useUsageKnown() ? { unknown: reason } : undefined;
  useEffect(() => () => running.current?.abort(), []);

  const change = (next: Rules) => {
    set(next);
    setProblems({});
    // It is of the rules before.
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
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setDoing("repos");
    try {
      const [{ decide }, { readFacts }] = await Promise.all([
        import("platform-contract/registry/retention-decision"),
        import("./read"),
      ]);
      const facts = await readFacts(place, isRepo, {
        retryPolicy: retryPolicyOf(client),
        signal: own.signal,
        withUsage: rules.notPulledDays !== "",
        tell: (what) => (own.signal.aborted ? undefined : setDoing(what)),
      });
      if (!own.signal.aborted) setPreviewed({ facts, decisions: decide(facts, valuesOf(rules)) });
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
        description="A tag is deleted if it meets every rule that is set. Always kept: latest, tags that a repo lists as active, names that move with newer versions (1.27 beside 1.27.3), and images that a repo synced from here has, if you can see that repo."
      >
        <RulesForm rules={rules} problems={problems} pulls={pulls} onChange={change}>
          <StartStop running={doing !== undefined} onStart={() => void preview()} onStop={stop}>
            Preview
          </StartStop>
        </RulesForm>
        {pulls ? null : <WithoutRegistry>No rule by the last pull</WithoutRegistry>}
        <p className={classes["quiet"]}>
          This service runs no retention rules: tags are deleted only when you delete them here. Download the
          rules to keep them.
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
      {started ? <Notice>Preview again to see what is left.</Notice> : null}
      {previewed ? (
        <Preview
          {...previewed}
          onStarted={() => {
            setPreviewed(undefined);
            setStarted(true);
          }}
        />
      ) : null}
    </>
  );
}
