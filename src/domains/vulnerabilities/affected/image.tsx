import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";

import { affectedItems } from "~/domains/vulnerabilities/advisories/links";
import type { SeenAdvisories } from "~/domains/vulnerabilities/advisories/seen";
import { repoPage, tagPage } from "~/domains/registry/references/repo-links";
import { formatCount } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { imageQuery } from "./questions";
import classes from "./styles.module.css";

const IMAGE_TONES: Readonly<Partial<Record<string, "danger" | "warning" | "success">>> = {
  danger: "danger",
  warning: "warning",
  success: "success",
};

/** How many vulnerabilities to name. */
const NAMED = 5;

/** What is known of an image, with the page that has the details. */
export function ImageAnswer({
  image,
  seen,
}: {
  readonly image: string;
  readonly seen: SeenAdvisories;
}): ReactNode {
  const client = useQueryClient();
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { data, error, refetch } = useQuery(imageQuery(image, registryHost, seen, client));
  if (error && !data)
    return <FailedPart title={`${image} couldn't be looked up`} error={error} onRetry={refetch} />;
  if (!data)
    return (
      <p className={classes["quiet"]} role="status">
        Looking for <bdi>{image}</bdi>…
      </p>
    );
  const { vulnerabilities = [] } = data;
  return (
    <Notice
      tone={IMAGE_TONES[data.tone] ?? "info"}
      title={data.text}
      role="status"
      actions={
        data.tag !== undefined ? (
          <AppLink target={{ ...tagPage(data.tag), search: { tab: "vulnerabilities" } }}>
            Open vulnerabilities
          </AppLink>
        ) : data.repo !== undefined ? (
          <AppLink target={repoPage(data.repo)}>Open repo</AppLink>
        ) : null
      }
    >
      {vulnerabilities.length > 0 ? (
        <>
          By{" "}
          {vulnerabilities.slice(0, NAMED).map((id, index) => (
            <Fragment key={id}>
              {index > 0 ? ", " : ""}
              <AppLink target={affectedItems([{ id }])}>{id}</AppLink>
            </Fragment>
          ))}
          {vulnerabilities.length > NAMED ? ` and ${formatCount(vulnerabilities.length - NAMED)} more` : ""}.
        </>
      ) : data.tone === "success" ? (
        "Its packages were compared with the advisories recorded here, and with nothing else."
      ) : null}
      {data.namesakes && data.namesakes.length > 0 ? (
        <>
          Here is one of this name. To ask about it, write{" "}
          {data.namesakes.map(({ reference }, index) => (
            <Fragment key={reference}>
              {index > 0 ? " or " : ""}
              <AppLink target={affectedItems([{ image: reference }])}>
                <bdi>{reference}</bdi>
              </AppLink>
            </Fragment>
          ))}
          .
        </>
      ) : null}
    </Notice>
  );
}
