import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { parentOf } from "~/contract/aip";
import { tags, type Tag } from "~/contract/registry/tags";
import { repoTags } from "~/features/registry/repo-links";
import { RecordScreen } from "~/resource/record-screen";
import { useView } from "~/resource/use-view";
import type { PageView } from "~/resource/define";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { onDemand } from "~/ui/on-demand";

import { AlsoTagged } from "./also-tagged";
import { compareOf, tagScreens } from "./data";
import { ImageTable } from "./image-table";
import { Deprecated, RepoLink } from "./parts";
import { PullReferences } from "./pull-references";
import classes from "./styles.module.css";

const TagDrawers = onDemand(async () => (await import("./drawers")).TagDrawers);

/** One tag: its image, the other tags of that image, and how to pull it. */
export function TagPage(): ReactNode {
  const navigate = useNavigate();
  const { open } = useView<PageView>();
  const refusal = useRefusal();
  return (
    <RecordScreen
      of={tagScreens}
      drawers={TagDrawers}
      badges={({ deprecated }) => (deprecated ? <Deprecated /> : null)}
      actions={({ uid }) => [
        { label: "Copy pull command…", onSelect: () => open("pull") },
        { label: "Compare with another tag", link: compareOf(uid) },
      ]}
      onDeleted={(uid) => void navigate({ ...repoTags(parentOf(uid)), replace: true })}
      primary={({ uid }) => (
        <ActionButton reason={refusal(tags.create, uid)} onClick={() => open("create")}>
          Move tag
        </ActionButton>
      )}
    >
      {(tag) => (
        <>
          <TagFacts tag={tag} />
          <ImageTable repo={parentOf(tag.uid)} digest={tag.digest} />
          <AlsoTagged tag={tag} />
          <Section title="Pull">
            <PullReferences tag={tag} />
          </Section>
        </>
      )}
    </RecordScreen>
  );
}

function TagFacts({ tag }: { readonly tag: Tag }): ReactNode {
  const { uid, digest, deprecated, bundles = [], updateTime } = tag;
  return (
    <DefinitionList
      items={[
        { term: "Digest", value: digest && <Code value={digest} what="digest" />, wide: true },
        { term: "Repo", value: <RepoLink uid={parentOf(uid)} /> },
        { term: "Updated", value: <Time value={updateTime} /> },
        {
          term: "State",
          value: deprecated
            ? "Deprecated: past end of life. End-of-life dates are only available in API v1."
            : "Active",
        },
        {
          term: "Bundles",
          value:
            bundles.length > 0 ? (
              <span className={classes["chips"]}>
                {bundles.map((bundle) => (
                  <Badge key={bundle}>{bundle}</Badge>
                ))}
              </span>
            ) : undefined,
        },
      ]}
    />
  );
}
