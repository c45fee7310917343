import { useRouteContext } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@mantine/core";

import { iconOf } from "~/frame/kind-icons";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { JsonFileInput } from "~/ui/form/json-file-input";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { CheckSignature } from "./check-signature";
import { CompareFiles } from "./compare-files";
import { SaveSnapshot, type SaveSnapshotProps } from "./save-panel";
import { compare, type Comparison } from "./compare";
import { COLLECTIONS, type Collection, type Snapshot } from "platform-client/snapshots/format";
import { About, open, serviceName, type OpenedSnapshot } from "./opened";
import { Reading } from "./parts";
import { Results } from "./results";
import classes from "./styles.module.css";
import { useContents } from "./use-contents";

/** Kinds that can't be compared whatever they are now; the names of groups are shown in any case. */
const unreadable = ({ missing, unknown = [] }: Snapshot): readonly Collection[] =>
  COLLECTIONS.filter((kind) => kind !== "groups" && (unknown.includes(kind) || missing[kind] !== undefined));

/** Reads the current state of a scope, and shows what differs from a file. */
function CompareSnapshot({ service }: { readonly service: string }): ReactNode {
  const { progress, read, stop } = useContents();
  const [opened, setOpened] = useState<OpenedSnapshot>();
  const [found, setFound] = useState<Comparison>();
  const newest = useRef<File>(undefined);

  const run = async ({ snapshot }: OpenedSnapshot) => {
    setFound(undefined);
    const now = await read(snapshot.scope?.uid, unreadable(snapshot));
    if (now) setFound(compare(snapshot, now, { before: "The snapshot", after: "What could be read now" }));
  };
  const choose = async (file: File) => {
    newest.current = file;
    stop();
    setOpened(undefined);
    setFound(undefined);
    const chosen = await open(file);
    if (newest.current !== file) return;
    setOpened(chosen);
    await run(chosen);
  };
  const from = opened?.snapshot.service;
  return (
    <Section
      title="Compare with a snapshot"
      description="See what was added, removed and changed since, in the file's scope. The file stays in this browser."
    >
      <div className={classes["panel"]}>
        <JsonFileInput label="Snapshot file" Problem={TextProblem} onChoose={choose} />
        {opened ? <About {...opened} /> : null}
        {opened === undefined || from === service ? null : (
          <Notice tone="warning" title="This snapshot is from another service">
            It was taken at <bdi>{serviceName(opened.snapshot)}</bdi>, but you're comparing it with {service}.
            Their records don't match unless the data was moved from one to the other.
          </Notice>
        )}
        {opened ? (
          <div className={classes["buttons"]}>
            <Button variant="default" onClick={progress ? stop : () => void run(opened)}>
              {progress ? "Stop" : "Compare again"}
            </Button>
          </div>
        ) : null}
        {progress ? <Reading {...progress} /> : null}
      </div>
      <Results found={found} headings={["In the snapshot", "Now"]} linked={from === service} />
    </Section>
  );
}

/** The page's actions: save, compare with now or with each other, check a signature. */
const SnapshotPanels = (props: SaveSnapshotProps): ReactNode => (
  <>
    {/* Keyed by scope, so that a new scope doesn't show what was read before. */}
    <SaveSnapshot key={props.scope?.uid} {...props} />
    <CompareSnapshot service={props.service} />
    <CompareFiles />
    {props.signs ? <CheckSignature service={props.service} /> : null}
  </>
);

const readNothing = () => ({});

/** Saves a scope as one file, and compares such a file with the current state. */
export function SnapshotsPage(): ReactNode {
  useCleanAddress(readNothing);
  useTitle("Snapshots");
  const { config } = useRouteContext({ from: "__root__" });
  const { group: uid, known } = useChosenGroup();
  const { group } = useGroup(uid);
  const scope = uid === undefined ? null : { uid, name: group?.name || shorten(uid) };
  return (
    <Page>
      <PageHeader
        title="Snapshots"
        icon={iconOf("snapshots")}
        description={`Save the groups, roles, role bindings, identities, repos and tags you can see to a file, and compare later.${config.eligibleGrants ? " What people can switch on isn't in it." : ""}`}
      />
      <p>
        <AppLink target={{ to: "/plan" }}>Plan changes from files</AppLink>: edit what a snapshot says, and
        see what would make it so.
      </p>
      {known ? (
        <SnapshotPanels scope={scope} service={config.apiBaseUrl} signs={config.snapshotSignatures} />
      ) : null}
    </Page>
  );
}
