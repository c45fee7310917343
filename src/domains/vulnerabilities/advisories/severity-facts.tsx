import type { ReactNode } from "react";

import type { Severity } from "platform-contract/vulnerabilities/severity";
import { Code } from "~/ui/display/code";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";

import classes from "./advisories.module.css";
import { metricsOf, rate } from "./cvss";
import { RatedBadge } from "./severity-view";

/** Severities, with their vectors explained metric by metric. */
export const SeverityFacts = ({ of }: { readonly of: readonly Severity[] }): ReactNode => (
  <Section title="Severity">
    {of.map((severity, index) => (
      <Facts key={index} severity={severity} />
    ))}
  </Section>
);

function Facts({ severity }: { readonly severity: Severity }): ReactNode {
  const rated = rate(severity);
  if (!rated)
    return (
      <p className={classes["text"]}>
        Not scored: <code>{severity.score || "no score"}</code> is not a CVSS vector, number or word.
      </p>
    );
  const { vector, version } = rated;
  const name = version === "" ? "Stated by the source" : `CVSS ${version}`;
  return (
    <div className={classes["metadata"]}>
      <h3 className={classes["metadataTitle"]}>
        {name} <RatedBadge {...rated} />
      </h3>
      {vector === undefined ? null : (
        <>
          <Code value={vector} what="vector" />
          <details>
            <summary className={classes["quiet"]}>What each metric means</summary>
            <FactTable
              caption={`Metrics of ${name}`}
              head={["Metric", "Value", "Meaning"]}
              rows={metricsOf(vector).map(({ name: metric, value, means }) => [metric, value, means])}
            />
          </details>
        </>
      )}
    </div>
  );
}
