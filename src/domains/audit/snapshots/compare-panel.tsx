import { Button } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { JsonFileInput } from "~/ui/form/json-file-input";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { compare, type Comparison } from "./compare";
import { COLLECTIONS, type Collection, type Snapshot } from "./format";
import { About, open, serviceName, type Opened } from "./opened";
import { Reading } from "./parts";
import { Results } from "./results";
import classes from "./styles.module.css";
import { useContents } from "./use-contents";

/** Kinds that can't be compared whatever they are now; the names of groups are shown in any case. */
const unreadable = ({ missing, unknown = [] }: Snapshot): readonly Collection[] =>
  COLLECTIONS.filter((kind) => kind !== "groups" && (unknown.includes(kind) || missing[kind] !== undefined));

/** Reads the current state of a scope, and shows what differs from a file. */
export function CompareSnapshot({ service }: { readonly service: string }): ReactNode {
  const { progress, read, stop } = useContents();
  const [opened, setOpened] = useState<Opened>();
  const [found, setFound] = useState<Comparison>();
  const newest = useRef<File>(undefined);

  const run = async ({ snapshot }: Opened) => {
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
