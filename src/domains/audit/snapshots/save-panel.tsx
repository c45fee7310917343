import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { fileName } from "~/frame/export/export-file";
import { useFile } from "~/frame/export/use-file";
import "~/ui/controls/button-styles";
import { StartStop } from "~/ui/controls/start-stop";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { errorFacts } from "~/ui/feedback/error-facts";

import { snapshotBytes } from "./file";
import { textAt, type Snapshot } from "./format";
import { countsOf, Missing, missingOf, Reading, totalOf } from "./parts";
import { MOST_TAGS } from "./read";
import { SignSnapshot } from "./sign-panel";
import classes from "./styles.module.css";
import { useContents } from "./use-contents";

export interface SaveSnapshotProps {
  readonly scope: Snapshot["scope"];
  readonly service: string;
  /** The service signs snapshots. */
  readonly signs: boolean;
}

/** Reads the current scope and downloads it. An incomplete file is downloaded only on request; its name says so. */
export function SaveSnapshot({ scope, service, signs }: SaveSnapshotProps): ReactNode {
  const { progress, read, stop } = useContents();
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const missing = snapshot ? missingOf(snapshot) : [];
  const partial = missing.length > 0;
  const file = useFile(snapshot !== undefined && !partial, async (signal) => {
    const now = snapshot as Snapshot;
    const about = {
      list: "snapshot",
      scope: scope?.name ?? "everything",
      partial,
      now: new Date(now.time),
    };
    const { file: blob } = await snapshotBytes(now, signal);
    return { blob, name: fileName(about, "json"), rows: totalOf(now) };
  });
  const start = async () => {
    setSnapshot(undefined);
    const time = new Date().toISOString();
    const contents = await read(scope?.uid);
    if (!contents) return;
    // The page can have the name later than the reading, and the file is to have it in any case.
    const own = contents.records.groups.find(({ uid }) => uid === scope?.uid);
    const named = scope && { ...scope, name: textAt(own, "name") || scope.name };
    setSnapshot({ ...contents, scope: named, time, service });
  };
  return (
    <Section
      title="Take a snapshot"
      description={`A JSON file to keep and compare with later, with at most ${formatCount(MOST_TAGS)} tags. It contains no secrets or tokens.`}
    >
      <div className={classes["panel"]}>
        <p>
          Scope: <bdi className={classes["name"]}>{scope?.name ?? "all groups you can see"}</bdi>
          {scope ? " and everything below it" : null}
        </p>
        <div className={classes["buttons"]}>
          <StartStop
            running={progress !== undefined}
            again={snapshot !== undefined}
            onStart={() => void start()}
            onStop={stop}
          >
            {snapshot ? "Take another snapshot" : "Take a snapshot"}
          </StartStop>
          {snapshot && !progress ? (
            <Button variant="default" onClick={file.save}>
              {partial ? "Download incomplete file" : "Download again"}
            </Button>
          ) : null}
        </div>
        {progress ? <Reading {...progress} /> : null}
        {snapshot ? <Missing title="This snapshot is incomplete" kinds={missing} /> : null}
        <p role="status">
          {file.problem !== undefined ? (
            `The file couldn't be created. ${errorFacts(file.problem).message}`
          ) : file.made && snapshot ? (
            <>
              <strong className={classes["name"]}>{file.made.name}</strong> with{" "}
              {formatQuantity(file.made.rows, "record", "records")} downloaded: {countsOf(snapshot)}.
            </>
          ) : snapshot ? (
            `Read: ${countsOf(snapshot)}.`
          ) : null}
        </p>
        {signs && snapshot && file.made ? (
          <SignSnapshot key={snapshot.time} scope={scope} file={file.made} />
        ) : null}
      </div>
    </Section>
  );
}
