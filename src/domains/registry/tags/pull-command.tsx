import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useId, useState, useSyncExternalStore, type ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import { decisionPage } from "~/domains/access/decisions/links";
import { pullTokenFor } from "~/domains/identities/pull-token/links";
import { CLIENTS } from "~/domains/registry/references/pull-reference";
import { referenceNames, referencesOf } from "~/domains/registry/references/references";
import { SharedReference } from "~/domains/registry/references/shared-reference";
import { Segmented } from "~/ui/controls/segmented";
import { CopyButton } from "~/ui/display/copy-button";
import { AppLink } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";
import { readPreference, subscribePreferences, writePreference } from "~/ui/preferences";

import classes from "./styles.module.css";

const PREFERENCE = "pull-tool";
const BARE = { id: "reference", label: "Reference only", command: (reference: string) => reference };
const TOOLS = [...CLIENTS, BARE];

const BY = [
  { value: "tag", label: "By tag" },
  { value: "digest", label: "By digest" },
] as const;

/** The tool that the user chose last; it applies to every tag. */
const useTool = () => useSyncExternalStore(subscribePreferences, () => readPreference(PREFERENCE));

/** What to do for a machine, and where a pull is denied. */
function PullHelp({ repo }: { readonly repo: string }): ReactNode {
  const { registryAudience, accessDecisions } = useRouteContext({ from: "__root__" }).config;
  if (registryAudience === undefined && !accessDecisions) return null;
  return (
    <p className={classes["note"]}>
      {registryAudience === undefined ? null : (
        <>
          From a machine? <AppLink target={pullTokenFor(parentOf(repo), repo)}>Create a pull token</AppLink>
          .{" "}
        </>
      )}
      {accessDecisions ? (
        <>
          Pull denied? <AppLink target={decisionPage({ on: repo })}>Find out why</AppLink>.
        </>
      ) : null}
    </p>
  );
}

/** Shows how to pull a tag: one command, for a tool, by tag or by digest. */
export function PullCommand({ tag }: { readonly tag: Tag }): ReactNode {
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { data: names } = useQuery({
    queryKey: ["tags", "reference names", parentOf(tag.uid)],
    queryFn: ({ client }) => referenceNames(client, tag.uid),
  });
  const id = useId();
  const chosen = useTool();
  const [by, setBy] = useState<"tag" | "digest">("tag");
  const references = names && referencesOf(tag, names, registryHost);
  if (typeof references === "string") return <Notice title="No pull command">{references}</Notice>;
  const hosted = registryHost !== undefined;
  const tool = (hosted && TOOLS.find((each) => each.id === chosen)) || (hosted ? TOOLS[0] : BARE);
  const reference = by === "digest" ? references?.byDigest : references?.byTag;
  const text = reference && tool?.command(reference);
  return (
    <>
      {hosted ? null : (
        <Notice title="Registry address not set">
          Pull commands appear when an admin sets <code>registryHost</code> in config.json.
        </Notice>
      )}
      {names?.repo === undefined ? null : (
        <SharedReference at={tag.uid} name={names.repo} uid={parentOf(tag.uid)} />
      )}
      <div className={classes["pull"]}>
        <div className={classes["choices"]}>
          {hosted ? (
            <>
              <label htmlFor={id} className="pc-visually-hidden">
                Tool
              </label>
              <select
                id={id}
                className={classes["tool"]}
                value={tool?.id}
                onChange={(event) => writePreference(PREFERENCE, event.currentTarget.value)}
              >
                {TOOLS.map(({ id: value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </>
          ) : null}
          <Segmented label="Pull by" value={by} options={BY} onChange={setBy} />
        </div>
        {/* As high as it will be, so that what follows does not move. */}
        <div className={classes["command"]}>
          {/* Exact: a terminal runs what a line break follows at once. */}
          <code dir="ltr" data-exact={text}>
            {text ?? (references ? `This tag has no ${by === "tag" ? "name" : "digest"}.` : "Loading…")}
          </code>
          {text ? <CopyButton value={text} what={tool === BARE ? "reference" : "command"} /> : null}
        </div>
      </div>
      <PullHelp repo={parentOf(tag.uid)} />
    </>
  );
}
