import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { StartStop } from "~/ui/controls/start-stop";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { onDemand } from "~/ui/on-demand";

import type { Decision, Facts } from "./decide";
import { problemsOf, type Rules } from "./rules";
import { RulesForm } from "./rules-form";
import classes from "./styles.module.css";
import { TooMuch } from "./too-much";
import { useRules } from "./use-rules";

/** Most of it is what lists load with their first selected row. */
const load = () => import("./parts");
const Preview = onDemand(async () => (await load()).Preview);

interface PlaceRulesProps {
  /** uid of the repo or group. */
  readonly place: string;
  readonly isRepo: boolean;
}

interface Previewed {
  readonly facts: Facts;
  readonly decisions: readonly Decision[];
}

/** The rules of one place and what they would do. */
export function PlaceRules({ place, isRepo }: PlaceRulesProps): ReactNode {
  const client = useQueryClient();
  const { rules, set, stored } = useRules(place);
  const [problems, setProblems] = useState<Partial<Record<keyof Rules, string>>>({});
  const [doing, setDoing] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [previewed, setPreviewed] = useState<Previewed>();
  const [started, setStarted] = useState(false);
  const running = useRef<AbortController>(undefined);
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
      const { decide, readFacts } = await load();
      const facts = await readFacts(place, isRepo, {
        retryPolicy: retryPolicyOf(client),
        signal: own.signal,
        tell: (what) => (own.signal.aborted ? undefined : setDoing(what)),
      });
      if (!own.signal.aborted) setPreviewed({ facts, decisions: decide(facts, rules) });
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
        description="A tag is deleted if all rules that are set hold. Always kept: latest, tags that a repo lists as active, names that move with newer versions (1.27 beside 1.27.3), and images that a repo synced from here has, if you can see that repo."
      >
        <RulesForm rules={rules} problems={problems} onChange={change}>
          <StartStop running={doing !== undefined} onStart={() => void preview()} onStop={stop}>
            Preview
          </StartStop>
        </RulesForm>
        <p className={classes["quiet"]}>
          {stored
            ? "The rules of this place stay in this browser only, and never run by themselves."
            : "This browser has no room to store the rules. Download them instead."}
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
