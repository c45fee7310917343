import { Button } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import { FileInput } from "~/ui/form/file-input";

import { ChangeTable } from "./change-table";
import { compare, type Comparison } from "./compare";
import { COLLECTIONS, readSnapshot, SnapshotProblem, type Collection, type Snapshot } from "./format";
import { countsOf, Missing, Reading } from "./parts";
import classes from "./styles.module.css";
import { useContents } from "./use-contents";

/** Maximum file size in bytes: larger than any scope's snapshot, and still readable as one string. */
const MOST = 200_000_000;

interface Opened {
  readonly name: string;
  readonly snapshot: Snapshot;
}

async function open(file: File): Promise<Opened> {
  if (file.size > MOST)
    throw new SnapshotProblem("This file is larger than 200 MB, too large for a snapshot.");
  return { name: file.name, snapshot: readSnapshot(await file.text()) };
}

const problemOf = (error: unknown): string =>
  error instanceof SnapshotProblem ? error.message : "This file couldn't be read.";

/** Kinds that can't be compared whatever they are now; the names of groups are shown in any case. */
const unreadable = ({ missing, unknown = [] }: Snapshot): readonly Collection[] =>
  COLLECTIONS.filter((kind) => kind !== "groups" && (unknown.includes(kind) || missing[kind] !== undefined));

/** Reads the current state of a scope, and shows what differs from a file. */
export function CompareSnapshot({ service }: { readonly service: string }): ReactNode {
  const id = useId();
  const { progress, read, stop } = useContents();
  const [opened, setOpened] = useState<Opened>();
  const [problem, setProblem] = useState<string>();
  const [found, setFound] = useState<Comparison>();

  const run = async ({ snapshot }: Opened) => {
    setFound(undefined);
    const now = await read(snapshot.scope?.uid, unreadable(snapshot));
    if (now) setFound(compare(snapshot, now, { before: "The snapshot", after: "What could be read now" }));
  };
  const choose = async (file: File) => {
    stop();
    setOpened(undefined);
    setFound(undefined);
    setProblem(undefined);
    try {
      const chosen = await open(file);
      setOpened(chosen);
      await run(chosen);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Section
      title="Compare with a snapshot"
      description="See what was added, removed and changed since, in the file's scope. The file stays in this browser."
    >
      <div className={classes["panel"]}>
        <FileInput
          label="Snapshot file"
          accept=".json,application/json"
          describedBy={`${id}problem`}
          onChoose={(file) => void choose(file)}
        />
        <div id={`${id}problem`} role="alert">
          {problem === undefined ? null : (
            <Notice tone="warning" title="Not compared">
              {problem}
            </Notice>
          )}
        </div>
        {opened ? <About {...opened} service={service} /> : null}
        {opened ? (
          <div className={classes["buttons"]}>
            <Button variant="default" onClick={progress ? stop : () => void run(opened)}>
              {progress ? "Stop" : "Compare again"}
            </Button>
          </div>
        ) : null}
        {progress ? <Reading {...progress} /> : null}
        <p role="status">{found ? summaryOf(found) : null}</p>
        {found ? <Missing title="Not compared" kinds={found.left} /> : null}
      </div>
      {found && found.changes.length > 0 ? <ChangeTable changes={found.changes} /> : null}
    </Section>
  );
}

/** "2 added, 1 removed, 3 changed; 120 records are the same." */
function summaryOf({ changes, same, left }: Comparison): string {
  const count = (how: string) => changes.filter((each) => each.how === how).length;
  const unchanged = `${formatQuantity(same, "record is", "records are")} the same`;
  if (changes.length === 0)
    return left.length > 0 ? `No changes in what was compared; ${unchanged}.` : `No changes; ${unchanged}.`;
  return `${count("added")} added, ${count("removed")} removed, ${count("changed")} changed; ${unchanged}.`;
}

function About({ name, snapshot, service }: Opened & { readonly service: string }): ReactNode {
  const { scope, time, service: from } = snapshot;
  return (
    <>
      <DefinitionList
        items={[
          { term: "File", value: <bdi>{name}</bdi> },
          { term: "Scope", value: <bdi>{scope?.name ?? "All visible groups"}</bdi> },
          { term: "Taken", value: <Time value={time} /> },
          { term: "Service", value: <bdi>{from}</bdi> },
          { term: "Records", value: countsOf(snapshot), wide: true },
        ]}
      />
      {from === service ? null : (
        <Notice tone="warning" title="This snapshot is from another service">
          It was taken at <bdi>{from}</bdi>, but you're comparing it with {service}. Their records don't match
          unless the data was moved from one to the other.
        </Notice>
      )}
    </>
  );
}
