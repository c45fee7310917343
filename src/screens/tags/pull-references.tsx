import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { CLIENTS } from "~/features/registry/pull-reference";
import { referenceNames, referencesOf } from "~/features/registry/references";
import { Code } from "~/ui/display/code";
import { FactTable } from "~/ui/display/fact-table";
import { Notice } from "~/ui/feedback/notice";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import classes from "./styles.module.css";

const BARE = { label: "Reference", command: (reference: string) => reference };

const LOADING = <span className={classes["quiet"]}>Loading…</span>;

/** Shows how to pull a tag with each tool, by name and by digest. */
export function PullReferences({ tag }: { readonly tag: Tag }): ReactNode {
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { data: names } = useQuery({
    queryKey: ["tags", "reference names", parentOf(tag.uid)],
    queryFn: ({ client }) => referenceNames(client, tag.uid),
  });
  const references = names && referencesOf(tag, names, registryHost);
  if (typeof references === "string") return <Notice title="No pull command">{references}</Notice>;
  const hosted = registryHost !== undefined;
  return (
    <>
      {hosted ? null : (
        <Notice title="Registry address not set">
          Pull commands appear when an admin sets <code>registryHost</code> in config.json.
        </Notice>
      )}
      <FactTable
        className={`${classes["table"]} ${classes["pull"]}`}
        head={[<VisuallyHidden key="program">Program</VisuallyHidden>, "By tag", "By digest"]}
        rows={(hosted ? [BARE, ...CLIENTS] : [BARE]).map(({ label, command }) => {
          // As high as it will be, so that what follows does not move.
          if (!references) return [label, LOADING, LOADING];
          const { byTag, byDigest } = references;
          return [
            label,
            byTag && <Code key="tag" oneLine value={command(byTag)} what={`${label} by tag`} />,
            byDigest && <Code key="digest" oneLine value={command(byDigest)} what={`${label} by digest`} />,
          ];
        })}
      />
    </>
  );
}
