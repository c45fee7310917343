import { Button } from "@mantine/core";
import { useMemo, useRef, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { JsonFileInput } from "~/ui/form/json-file-input";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { compare } from "./compare";

import { About, open, scopeName, serviceName, type OpenedSnapshot } from "./opened";
import { Results } from "./results";
import classes from "./styles.module.css";

const LABELS = ["Earlier snapshot", "Later snapshot"] as const;
const SIDES = { before: "The earlier file", after: "The later file" };

interface Field {
  readonly key: string;
  readonly opened: OpenedSnapshot | undefined;
  readonly choose: (file: File) => Promise<void>;
}

function useField(key: string): Field {
  const [opened, setOpened] = useState<OpenedSnapshot>();
  const newest = useRef<File>(undefined);
  const choose = async (file: File) => {
    newest.current = file;
    setOpened(undefined);
    const chosen = await open(file);
    if (newest.current === file) setOpened(chosen);
  };
  return { key, opened, choose };
}

/** Compares two files with each other, without a request. */
export function CompareFiles(): ReactNode {
  const fields = [useField("one"), useField("other")];
  const [isSwapped, setSwapped] = useState(false);
  // Fields move with their files, so that each keeps showing the name of its file.
  const ordered = isSwapped ? fields.toReversed() : fields;
  const [before, after] = ordered.map(({ opened }) => opened);
  return (
    <Section
      title="Compare two snapshots"
      description="See what changed between two files. Both stay in this browser, and nothing else is read."
    >
      <div className={classes["files"]}>
        {ordered.map(({ key, opened, choose }, index) => (
          <div key={key} className={classes["panel"]}>
            <JsonFileInput label={LABELS[index] ?? ""} Problem={TextProblem} onChoose={choose} />
            {opened ? <About {...opened} /> : null}
          </div>
        ))}
      </div>
      {before && after ? (
        <Compared before={before} after={after} onSwap={() => setSwapped(!isSwapped)} />
      ) : null}
    </Section>
  );
}

interface ComparedProps {
  readonly before: OpenedSnapshot;
  readonly after: OpenedSnapshot;
  readonly onSwap: () => void;
}

function Compared({ before, after, onSwap }: ComparedProps): ReactNode {
  const [earlier, later] = [before.snapshot, after.snapshot];
  const isSameScope = earlier.scope?.uid === later.scope?.uid;
  const isSwapped = Date.parse(earlier.time) > Date.parse(later.time);
  const found = useMemo(
    () => (isSameScope && !isSwapped ? compare(earlier, later, SIDES) : undefined),
    [earlier, later, isSameScope, isSwapped],
  );
  const isWhole = found !== undefined && found.left.length === 0 && found.changes.length === 0;
  const isEqual = before.hash !== undefined && before.hash === after.hash;
  return (
    <div className={classes["compared"]}>
      {earlier.service === later.service ? null : (
        <Notice tone="warning" title="These snapshots are from different services">
          The first was taken at <bdi>{serviceName(earlier)}</bdi>, the second at{" "}
          <bdi>{serviceName(later)}</bdi>. Their records don't match unless the data was moved from one to the
          other.
        </Notice>
      )}
      {isSameScope ? null : (
        <Notice tone="warning" title="Not compared: these snapshots are of different groups">
          The first is of <bdi>{scopeName(earlier)}</bdi>, the second of <bdi>{scopeName(later)}</bdi>. Choose
          two of the same group.
        </Notice>
      )}
      {isSameScope && isSwapped ? (
        <Notice
          tone="warning"
          title="Not compared: the earlier snapshot was taken after the later one"
          actions={
            <Button variant="default" onClick={onSwap}>
              Swap the files
            </Button>
          }
        />
      ) : null}
      {isWhole && isEqual ? (
        <Notice tone="success" title="Nothing changed">
          The files are identical byte for byte, except for the time.
        </Notice>
      ) : null}
      {isWhole && !isEqual ? (
        <p>
          The files aren't identical: they differ in formatting, or in values that aren't compared, such as
          update times.
        </p>
      ) : null}
      <Results found={found} headings={["Earlier", "Later"]} linked={false} />
    </div>
  );
}
