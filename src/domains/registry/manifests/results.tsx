import { Button } from "@mantine/core";
import { FileSearchIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { tagPage, repoPage } from "~/domains/registry/references/repo-links";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { Badge, type BadgeTone } from "~/ui/display/badge";
import { copyText } from "~/ui/display/copy-text";
import { Dash } from "~/ui/display/dash";
import { formatQuantity } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { shortDigest } from "~/ui/display/shorten";
import { Empty } from "~/ui/feedback/empty";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import type { LinkTarget } from "~/ui/layout/link";
import type { MenuAction } from "~/ui/overlay/menu";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";
import { STATES, type State } from "./check";
import type { Manifest, Source, Use } from "./read";
import classes from "./styles.module.css";
import { patchOf, suggestion } from "./suggest";
import { READING, useVerdicts, type ManifestRow } from "./verdicts";
import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "manifests" });

/** Reads manifests away from the page. Rejects with a TextProblem. */
const readManifests = (sources: readonly Source[], signal: AbortSignal): Promise<readonly Manifest[]> =>
  readInWorker({
    start,
    request: sources,
    bytes: sources.reduce((sum, { text }) => sum + text.length, 0),
    signal,
  });

/** Images that are checked at once. */
const MOST_USES = 2000;

const LOOKS: Readonly<Record<State, readonly [word: string, tone: BadgeTone]>> = {
  unknown: ["Unknown", "warning"],
  behind: ["Behind its tag", "warning"],
  deprecated: ["Deprecated", "danger"],
  current: ["Current", "success"],
  elsewhere: ["Elsewhere", "neutral"],
};

function StateBadge({ verdict, error }: ManifestRow): ReactNode {
  if (!verdict) return error ? <Badge tone="danger">Not checked</Badge> : <span>Checking…</span>;
  const [word, tone] = LOOKS[verdict.state];
  return <Badge tone={tone}>{word}</Badge>;
}

const whyOf = ({ verdict, error }: ManifestRow): string =>
  verdict?.why ?? (error ? errorFacts(error).message : "");

/** An image of this registry without its address and with a short digest: what tells rows apart. */
function shownImage({ use: { reference, text }, verdict }: ManifestRow): string {
  if (!reference || verdict?.state === "elsewhere") return text;
  const { path, tag, digest } = reference;
  const name = path.join("/");
  return `${name}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${shortDigest(digest)}`}`;
}

const columns: readonly Column<ManifestRow>[] = [
  {
    id: "image",
    header: "Image",
    width: "minmax(12rem, 2fr)",
    cell: (row) => <bdi>{shownImage(row)}</bdi>,
  },
  { id: "state", header: "State", width: "8.5rem", cell: (row) => <StateBadge {...row} />, hideBelow: 480 },
  { id: "why", header: "Why", width: "minmax(12rem, 2fr)", cell: whyOf, hideBelow: 800 },
  {
    id: "affected",
    header: "Vulnerabilities",
    width: "minmax(11rem, 2fr)",
    cell: ({ affected, affectedText }) =>
      affected ? <Badge tone="danger">{affectedText}</Badge> : affectedText || <Dash />,
    hideBelow: 700,
  },
  {
    id: "place",
    header: "Place",
    width: "minmax(7rem, 1fr)",
    cell: ({ file, use }) => <bdi>{`${file}:${use.line}`}</bdi>,
    hideBelow: 600,
  },
];

const linkOf = ({ verdict }: ManifestRow): LinkTarget | undefined =>
  verdict?.tag ? tagPage(verdict.tag.uid) : verdict?.repo ? repoPage(verdict.repo) : undefined;

function actionsOf({ use, verdict }: ManifestRow): MenuAction[] {
  const next = verdict && suggestion(use, verdict);
  return [
    { label: "Copy image", onSelect: () => void copyText(use.text, "image") },
    ...(next === undefined
      ? []
      : [{ label: "Copy suggestion", onSelect: () => void copyText(next, "suggestion") }]),
  ];
}

/** "12 images: 2 behind their tag, 1 deprecated, 9 current; 3 are affected by vulnerabilities." */
function summaryOf(rows: readonly ManifestRow[]): string {
  const waiting = rows.filter(({ verdict, error }) => !verdict && !error).length;
  if (waiting > 0) return `Checking ${formatQuantity(waiting, "image", "images")}…`;
  const failed = rows.filter(({ verdict }) => !verdict).length;
  const states = STATES.flatMap((state) => {
    const count = rows.filter(({ verdict }) => verdict?.state === state).length;
    return count === 0 ? [] : [`${count} ${LOOKS[state][0].toLowerCase()}`];
  });
  if (failed > 0) states.unshift(`${failed} not checked`);
  return `${formatQuantity(rows.length, "image", "images")}: ${states.join(", ")}${affectedText(rows)}.`;
}

/** Says nothing of vulnerabilities before all images are read, and never only how many are affected. */
function affectedText(rows: readonly ManifestRow[]): string {
  const asked = rows.filter(({ verdict }) => verdict?.state !== "elsewhere");
  if (asked.some((row) => row.affectedText === READING)) return "; reading their vulnerabilities";
  const affected = asked.filter((row) => row.affected).length;
  const unknown = asked.filter((row) => row.affected === undefined).length;
  if (affected === 0 && unknown === asked.length) return "";
  const said = [
    ...(affected > 0 ? [`${affected} affected by known vulnerabilities`] : []),
    ...(unknown > 0 ? [`vulnerabilities of ${unknown} unknown`] : []),
  ];
  return said.length === 0 ? "" : `; ${said.join(", ")}`;
}

/** What was found in the sources, and what would make it current. */
export function Results({ sources }: { readonly sources: readonly Source[] }): ReactNode {
  const [read, setRead] = useState<{
    readonly of: readonly Source[];
    readonly manifests: readonly Manifest[] | TextProblem;
  }>();
  useEffect(() => {
    const left = new AbortController();
    const show = (manifests: readonly Manifest[] | TextProblem) => {
      if (!left.signal.aborted) setRead({ of: sources, manifests });
    };
    readManifests(sources, left.signal).then(show, (error: unknown) =>
      show(error instanceof TextProblem ? error : new TextProblem("This couldn't be read.")),
    );
    return () => left.abort();
  }, [sources]);
  if (read?.of !== sources) return <p role="status">Reading…</p>;
  const { manifests } = read;
  if (manifests instanceof TextProblem)
    return (
      <Notice tone="warning" title="Not checked" role="alert">
        {manifests.message}
      </Notice>
    );
  return <Read manifests={manifests} />;
}

function Read({ manifests }: { readonly manifests: readonly Manifest[] }): ReactNode {
  const count = manifests.reduce((sum, { uses }) => sum + uses.length, 0);
  return count > MOST_USES ? (
    <Notice tone="warning" title="Not checked" role="alert">
      These name {count} images, and {MOST_USES} can be checked at once. Leave some out.
    </Notice>
  ) : (
    <Checked manifests={manifests} />
  );
}

function Checked({ manifests }: { readonly manifests: readonly Manifest[] }): ReactNode {
  const { rows, retry } = useVerdicts(manifests);
  const problems = manifests.flatMap(({ source, problems: of }) =>
    of.map((each) => `${source.name}: ${each}`),
  );
  const verdicts = new Map<Use, ManifestRow["verdict"]>(rows.map(({ use, verdict }) => [use, verdict]));
  const patch = patchOf(manifests, (use) => verdicts.get(use));
  return (
    <>
      {problems.length > 0 ? (
        <Notice tone="warning" title="Some of it couldn't be read">
          <ul className={classes["plain"]}>
            {problems.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <Section title="Images" count={rows.length}>
        <p role="status">{rows.length > 0 ? summaryOf(rows) : null}</p>
        {rows.some(({ error }) => error) ? (
          <Notice
            tone="danger"
            title="Some images couldn't be checked"
            actions={
              <Button variant="default" onClick={retry}>
                Try again
              </Button>
            }
          />
        ) : null}
        {rows.length === 0 ? (
          <Empty icon={<FileSearchIcon size={24} />} title="No images found">
            This looks for FROM and COPY --from, the keys image, repository and newTag, and one image per
            line.
          </Empty>
        ) : (
          // As high as its rows, which are two lines in a narrow window.
          <div className={classes["table"]} style={{ maxHeight: `${rows.length * 3.75 + 6}rem` }}>
            <ListTable
              label="Images"
              query={READ}
              rows={rows}
              total={rows.length}
              rowKey={({ id }) => id}
              rowName={({ use }) => use.text}
              rowLink={linkOf}
              rowActions={actionsOf}
              aside={(row) => <StateBadge {...row} />}
              summary={(row) =>
                [whyOf(row), row.affected ? `${row.affectedText} vulnerabilities` : ""]
                  .filter(Boolean)
                  .join(" ")
              }
              columns={columns}
              emptyState={null}
            />
          </div>
        )}
      </Section>
      {patch === "" ? null : (
        <Section
          title="Suggested changes"
          description="A unified diff. Read it before you apply it: a newer tag can behave differently."
          actions={
            <>
              <Button variant="default" onClick={() => void copyText(patch, "diff")}>
                Copy diff
              </Button>
              <Button variant="default" onClick={() => saveAs("images.patch", patch, "text/x-diff")}>
                Save diff
              </Button>
            </>
          }
        >
          <pre className={classes["diff"]} dir="ltr" tabIndex={0} aria-label="Diff">
            {patch}
          </pre>
        </Section>
      )}
    </>
  );
}
