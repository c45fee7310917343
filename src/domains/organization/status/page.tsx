import { useRouteContext } from "@tanstack/react-router";
import { ActivityIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { clockDifference } from "~/api/client/service-clock";
import { usePerson, useSession, useSessionEnding } from "~/auth/use-session";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { ActionButton } from "~/ui/controls/action-button";
import { copyText } from "~/ui/display/copy-text";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { Differences } from "./differences";
import {
  browser,
  configuration,
  latencyOf,
  registry,
  reportOf,
  sessionFacts,
  versions,
  type Fact,
} from "./facts";
import { AREA_WORDS, AREAS, measureAll, type Measured } from "./measure";
import { version } from "../../../../package.json";
import classes from "./styles.module.css";

const TITLE = "Platform status";
/** Written by the build, next to the page; relative to its base. */
const NOTICES = "third-party-notices.txt";

/** Measures on mount, and again on request. */
function useMeasurement() {
  const [run, setRun] = useState(0);
  const [measured, setMeasured] = useState<readonly Measured[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const take = (next: Measured) => setMeasured((all) => [...all, next]);
    measureAll(leaving.signal, take).catch((error: unknown) => {
      // Thrown while rendering, so that the route's error view shows it.
      if (!leaving.signal.aborted)
        setMeasured(() => {
          throw error;
        });
    });
    return () => leaving.abort();
  }, [run]);
  const again = () => {
    setMeasured([]);
    setRun(run + 1);
  };
  return { measured, again };
}

const Value = ({ value, wrong }: Omit<Fact, "term">): ReactNode =>
  wrong ? <strong className={classes["wrong"]}>{value}</strong> : value;

/** Shows how the console reaches the service, and what else a problem report needs. Contains no secrets. */
export function StatusPage(): ReactNode {
  useCleanAddress(Object);
  useTitle(TITLE);
  const { config } = useRouteContext({ from: "__root__" });
  const session = useSession();
  const person = usePerson();
  useSessionEnding();
  const { measured, again } = useMeasurement();
  const done = measured.length === AREAS.length;
  const lines = AREAS.map((area, index) => latencyOf(area, measured[index]));
  const unreachable = measured.filter(({ problem }) => problem?.kind === "unreachable");
  const sections = [
    versions(),
    sessionFacts(session, person, clockDifference()),
    registry(config),
    configuration(config),
    browser(),
  ];
  const copy = () => copyText(reportOf(config.title, new Date(), lines, sections), "report");
  return (
    <Page>
      <PageHeader
        icon={ActivityIcon}
        title={TITLE}
        description="Connection to the service, and the details a problem report needs. Tokens aren't included."
        actions={
          <>
            <ActionButton reason={done ? undefined : "Still measuring"} onClick={again}>
              Measure again
            </ActionButton>
            <ActionButton variant="filled" reason={undefined} onClick={() => void copy()}>
              Copy report
            </ActionButton>
          </>
        }
      />
      <VisuallyHidden>
        <p role="status">{done ? "Measured" : `Measured ${measured.length} of ${AREAS.length} areas`}</p>
      </VisuallyHidden>
      <Section title="Latency" description="Response times of five requests to each area of the API.">
        <FactTable
          caption="Latency of each area"
          className={classes["latency"]}
          head={["Area", "Median", "Worst", "Result", "Request"]}
          rows={lines.map(({ name, request, median, worst, result, wrong }) => [
            AREA_WORDS[name] ?? name,
            median,
            worst,
            <Value key="result" value={result} wrong={wrong} />,
            <code key="request">{request}</code>,
          ])}
        />
        {unreachable.length > 0 ? (
          <Notice tone="danger" role="alert" title="The service can't be reached">
            {unreachable.length === AREAS.length
              ? `No area of ${config.apiBaseUrl} responds. Check your network and the address in config.json.`
              : `No response from ${unreachable.map(({ name }) => AREA_WORDS[name] ?? name).join(", ")}. Other areas respond.`}
          </Notice>
        ) : null}
      </Section>
      {config.registryImages ? <Differences /> : null}
      {sections.map(({ title, facts }) => (
        <Section key={title} id={title.toLowerCase()} title={title}>
          <DefinitionList
            items={facts.map(({ term, value, wrong = false }) => ({
              term,
              value: value && <Value value={value} wrong={wrong} />,
            }))}
          />
        </Section>
      ))}
      <Section title="About">
        <p>
          Platform Console {version} is licensed under the Apache License 2.0. It contains software of others
          under{" "}
          <a href={NOTICES} target="_blank" rel="noopener">
            their own licenses
          </a>
          .
        </p>
      </Section>
    </Page>
  );
}
