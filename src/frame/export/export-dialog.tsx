import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { scan as makeScan } from "~/api/paging/scan";
import type { PagedItem, PagedList } from "~/api/paging/scan-pages";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { useScan } from "~/api/paging/use-scan";
import "~/ui/controls/button-styles";
import { useSecondsLeft, Wait } from "~/ui/feedback/countdown";
import { keptAs, readChoice, columnsForFile } from "~/ui/table/column-choice";
import type { Column } from "~/ui/table/types";
import { errorFacts } from "~/ui/feedback/error-facts";
import { readPreference } from "~/ui/preferences";
import { formatCount } from "~/ui/display/numbers";
import { OUTDATED } from "~/ui/table/scan-text";
import { Sheet } from "~/ui/overlay/sheet";
import { useGroup } from "~/frame/scope/group-ancestry";

import classes from "./export-dialog.module.css";
import {
  csvFile,
  fileColumns,
  fileName,
  isLeftOut,
  jsonFile,
  type ExportFormat,
  type FileFormat,
} from "./export-file";
import { useFile } from "./use-file";

export interface ExportDialogProps<T extends PagedItem> {
  format: ExportFormat | FileFormat<T>;
  /** Further formats of this list. */
  formats?: readonly FileFormat<T>[] | undefined;
  /** The label of the list's table: "Identities". */
  label: string;
  columns: readonly Column<T>[];
  /** From `infinite()`, with `page_size: 200`, the scope, the filters that the service supports, and an order. */
  list: PagedList;
  /** The filters that the service lacks; undefined if none of them is active. */
  matches?: ((row: T) => boolean) | undefined;
  /** uid of the group that the list is limited to, even if the URL does not contain it. */
  group: string | undefined;
  /** Resolves to more complete columns, once the rows are known. */
  columnsOf?: ((rows: readonly T[]) => Promise<readonly Column<T>[]>) | undefined;
  /** Sorts the rows as on screen, if `list` returns them in another order. */
  arranged?: ((rows: readonly T[]) => Promise<readonly T[]>) | undefined;
  /** True if filters limit the list besides its scope: the file is named so. */
  filtered?: boolean | undefined;
  /** How a row of the file differs from one of the list, in a sentence. */
  note?: string | undefined;
  onClose: () => void;
}

const all = (): boolean => true;

/**
 * Reads a whole list with its filters and order, and saves it as a file. An incomplete file is always marked as
 * partial, in the dialog and in the file name.
 */
export function ExportDialog<T extends PagedItem>(props: ExportDialogProps<T>): ReactNode {
  const {
    format,
    label,
    columns,
    list,
    matches,
    group,
    columnsOf,
    arranged,
    note,
    filtered = false,
    onClose,
  } = props;
  const client = useQueryClient();
  const [scan] = useState(() => makeScan<T>(list, matches ?? all, retryPolicyOf(client)));
  const found = useScan(scan);
  const { group: scope } = useGroup(group);
  const state = found.state === "idle" ? "reading" : found.state;
  // Resume automatically once the wait that the service requested is over.
  const wait = useSecondsLeft(found.error ? errorFacts(found.error).retryAt : undefined, found.resume);
  const [choice] = useState(() => readChoice(readPreference(keptAs(label))));
  const wanted = columnsForFile(columns, choice);

  const file = useFile(state === "done", async (signal) => {
    const { rows: read, state: now, outdated } = scan.get();
    const about = {
      list: label,
      scope: scope?.name ?? group ?? "everything",
      filtered,
      partial: now !== "done" || outdated,
      now: new Date(),
    };
    const rows = arranged ? await arranged(read) : read;
    const known = format === "csv" && columnsOf ? columnsForFile(await columnsOf(rows), choice) : wanted;
    const blob = await (typeof format === "object"
      ? format.write(rows, about.scope).then((text) => new Blob([text], { type: "application/json" }))
      : format === "csv"
        ? csvFile(rows, known, signal)
        : jsonFile(rows, signal));
    const extension = typeof format === "object" ? format.extension : format;
    return { blob, name: fileName(about, extension), rows: rows.length };
  });
  const reading = state === "reading";
  const what = label.toLowerCase();
  const next = {
    reading: { label: "Stop", act: found.stop },
    stopped: { label: "Resume", act: found.resume },
    failed: { label: "Continue", act: found.resume },
    done: { label: "Download again", act: file.save },
  }[state];
  return (
    <Sheet
      at="centre"
      title={`Export ${what} as ${typeof format === "object" ? format.label : format.toUpperCase()}`}
      onClose={onClose}
      footer={
        <>
          {/* One button for every label, so that it keeps the focus when pressed. */}
          <Button variant={state === "done" ? "default" : "filled"} onClick={next.act}>
            {next.label}
            {wait > 0 ? (
              <>
                &nbsp;in&nbsp;
                <Wait seconds={wait} />
              </>
            ) : null}
          </Button>
          {!reading && state !== "done" && found.read > 0 ? (
            <Button variant="default" onClick={file.save}>
              Download partial file
            </Button>
          ) : null}
          <Button variant="default" onClick={onClose}>
            {state === "done" ? "Close" : "Cancel"}
          </Button>
        </>
      }
    >
      {typeof format === "object" ? (
        <p>All rows that match the current filters. {format.about}</p>
      ) : format === "csv" ? (
        <AboutCsv columns={wanted} note={note} />
      ) : (
        <AboutJson note={note} />
      )}
      <div>
        <p role="status" className={classes["state"]} data-state={state}>
          {reading ? null : <Ended {...found} state={state} whole={matches === undefined} />}
        </p>
        {reading ? <p className={classes["state"]}>{readText(found, matches === undefined)}</p> : null}
        <progress
          className={classes["progress"]}
          aria-label={`Reading ${what}`}
          max={found.total === undefined ? undefined : Math.max(found.total, 1)}
          value={
            state === "done" ? Math.max(found.read, 1) : found.total === undefined ? undefined : found.read
          }
        />
      </div>
      <p role="status">
        {file.problem === undefined ? (
          file.made && (
            <>
              <strong className={classes["name"]}>{file.made.name}</strong> with{" "}
              {file.made.rows === 1 ? "1 row" : `${formatCount(file.made.rows)} rows`} downloaded.
            </>
          )
        ) : (
          <>The file couldn't be created. {errorFacts(file.problem).message}</>
        )}
      </p>
    </Sheet>
  );
}

interface Progress {
  readonly rows: readonly unknown[];
  readonly read: number;
  readonly total: number | undefined;
}

/** "1,200 of 4,500 rows read, 37 match". `isRead`: all of them. */
function readText({ rows, read, total }: Progress, whole: boolean, isRead = true): string {
  const of = total === undefined ? "" : ` of ${formatCount(total)}`;
  const matching = isRead || rows.length > 0 ? `${formatCount(rows.length)} match` : "no match in these";
  return `${formatCount(read)}${of} rows read${whole ? "" : `, ${matching}`}`;
}

/** How the read ended, and what that means for the file. */
function Ended(
  props: Progress & { state: string; outdated: boolean; error: Error | null; whole: boolean },
): ReactNode {
  const { state, read, outdated, error, whole } = props;
  if (state === "done" && !outdated) return `${readText(props, whole)}.`;
  if (state === "done")
    return `${readText(props, whole)}; ${OUTDATED}. The file is partial, as its name says.`;
  const why = error ? ` ${errorFacts(error).message}` : "";
  if (read === 0) return `Stopped before the first row.${why}`;
  return `Stopped: ${readText(props, whole, false)}.${why} You can download these rows as a partial file.`;
}

const headersOf = (columns: readonly Column<never>[]): string =>
  columns.map(({ header }) => header).join(", ");

interface AboutProps {
  note: string | undefined;
}

function AboutCsv<T extends PagedItem>({
  columns,
  note,
}: AboutProps & { columns: readonly Column<T>[] }): ReactNode {
  const left = columns.filter((column) => isLeftOut(column));
  return (
    <>
      <p>
        All rows that match the current filters, in the current order. Columns:{" "}
        {headersOf(fileColumns(columns))}.
        {left.length > 0 ? ` Not included, because the list loads it row by row: ${headersOf(left)}.` : null}
      </p>
      {note === undefined ? null : <p>{note}</p>}
      <p className={classes["note"]}>Values that look like formulas are prefixed with an apostrophe.</p>
    </>
  );
}

const AboutJson = ({ note }: AboutProps): ReactNode => (
  <>
    <p>All rows that match the current filters, in the current order, as a JSON array of complete records.</p>
    {note === undefined ? null : <p>{note}</p>}
  </>
);
