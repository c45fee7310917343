import type { ReactNode } from "react";

import type { VulnerabilityMetadata } from "platform-contract/advisory/metadata";
import { FormattedReadme } from "~/domains/registry/readme/readme";
import { ExternalLink } from "~/ui/display/external-link";

import classes from "./advisories.module.css";
import { SeverityBadge } from "./severity-badge";

const KINDS: Readonly<Record<string, string>> = {
  TYPE_ADVISORY: "Advisory",
  TYPE_ARTICLE: "Article",
  TYPE_DETECTION: "Detection",
  TYPE_DISCUSSION: "Discussion",
  TYPE_REPORT: "Report",
  TYPE_FIX: "Fix",
  TYPE_INTRODUCED: "Introduced by",
  TYPE_PACKAGE: "Package",
  TYPE_EVIDENCE: "Evidence",
  TYPE_WEB: "Web page",
};

const NO_IMAGES: readonly string[] = [];

/**
 * Public metadata of a vulnerability. It is untrusted: the summary is plain text, the details are Markdown for the reader of
 * readmes, and links show their URL.
 */
export function MetadataView({ of }: { readonly of: VulnerabilityMetadata }): ReactNode {
  const { id, summary, details, references = [], severities } = of;
  return (
    <div className={classes["metadata"]}>
      <h3 className={classes["metadataTitle"]}>
        <code>{id}</code>
        {severities?.length ? <SeverityBadge of={severities} /> : null}
      </h3>
      {summary ? (
        <p className={classes["text"]}>
          <bdi>{summary}</bdi>
        </p>
      ) : null}
      {details ? <FormattedReadme key={details} content={details} imageOrigins={NO_IMAGES} /> : null}
      {references.length > 0 ? (
        <ul className={classes["references"]} aria-label={`References of ${id}`}>
          {references.map(({ type = "", url = "" }, index) => (
            <li key={index}>
              <span className={classes["quiet"]}>{KINDS[type] ?? "Link"}</span> <ExternalLink address={url} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
