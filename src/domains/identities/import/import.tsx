import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from "react";
import * as z from "zod/mini";

import { useCan } from "~/frame/permissions/use-can";
import { creationPlan, type RecordToCreate } from "~/api/bulk/creation-plan";
import { isChecked } from "~/api/client/check-write";
import { leastTimeFromNow } from "~/api/client/service-clock";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DraftRestored } from "~/ui/form/draft-restored";
import { FileInput } from "~/ui/form/file-input";
import { onDemand } from "~/ui/on-demand";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { checkRows, type RefusedRows } from "./check-rows";
import { readExisting } from "./existing";
import type { Terms } from "./invite-terms";
import { guess, headersOf, rowsOf, toldOf, unused } from "./kinds";
import type { ColumnMapping, ImportKind, ImportRow } from "./kinds";
import type { Sent } from "./outcome";
import classes from "./styles.module.css";
import { MOST_BYTES, type Table } from "./table";

/** With the first file or list. */
const InviteTerms = onDemand(async () => (await import("./invite-terms")).InviteTerms);
const Outcome = onDemand(async () => (await import("./outcome")).Outcome);
const Preview = onDemand(async () => (await import("./preview")).Preview);

interface ImportProps {
  readonly kind: ImportKind;
  /** uid of the group. */
  readonly parent: string;
  /** Its name. */
  readonly where: string;
}

/** What a dry run has found. */
interface Found {
  /** The rows that it was about: others are not checked. */
  readonly of: readonly ImportRow[];
  readonly existing: ReadonlySet<string>;
  readonly refused: RefusedRows;
}

const NONE: RefusedRows = new Map();

const pasted = z.object({ text: z.string() });

export function Import({ kind, parent, where }: ImportProps): ReactNode {
  const { resource, one, many, fields } = kind;
  const id = useId();
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const paused = useWritesPaused();
  const listable = useCan(resource.list, parent);
  const jobOpen = useJobOpen();
  const form = useResourceForm({ schema: pasted, defaultValues: { text: "" }, draft: `import ${many}` });
  const setText = (text: string) => form.setValue("text", text, { shouldDirty: true });
  const [table, setTable] = useState<Table>();
  const [mapping, setMapping] = useState<ColumnMapping>({});
  const [problem, setProblem] = useState<string>();
  const [terms, setTerms] = useState<Terms>();
  const [found, setFound] = useState<Found>();
  /** What the button says meanwhile; undefined if nothing is checked. */
  const [checking, setChecking] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  const invites = resource.collection === "groupInvites";

  const rows = useMemo(
    () => (table ? rowsOf(kind, table, mapping, terms) : []),
    [kind, table, mapping, terms],
  );
  const { existing, refused = NONE } = found?.of === rows ? found : {};
  const isThere = ({ name }: { readonly name: string }): boolean =>
    existing?.has(name.toLowerCase()) ?? false;
  const valid = rows.filter(({ violations }) => violations.length === 0);
  const absent = valid.filter((row) => !isThere(row));
  const ready = absent.filter(({ number }) => !refused.has(number));
  const asks = isChecked(resource.create);

  const stopChecking = () => {
    left.current?.abort();
    setChecking(undefined);
    setFailure(undefined);
  };
  /** Shows another table. */
  const open = async (content: string) => {
    setProblem(undefined);
    stopChecking();
    try {
      const { readTable } = await import("./read-table");
      const read = await readTable(content, headersOf(kind));
      setTable(read);
      setMapping(guess(kind, read));
    } catch (error) {
      setTable(undefined);
      setProblem(() => {
        if (error instanceof TextProblem) return error.message;
        // The code didn't load: for the route's error view, as with onDemand().
        throw error;
      });
    }
  };
  const choose = async (file: File) => {
    if (file.size > MOST_BYTES) return setProblem("This file is larger than 5 MB.");
    const content = await file.text();
    setText(content.length > 100_000 ? "" : content);
    return open(content);
  };
  const check = async () => {
    stopChecking();
    const own = new AbortController();
    const { signal } = own;
    left.current = own;
    setChecking("Checking…");
    try {
      const retryPolicy = retryPolicyOf(client);
      // Without the right to list them, the service shows none, whatever is there.
      const there: ReadonlySet<string> = listable.allowed
        ? await readExisting(kind, parent, { retryPolicy, signal })
        : new Set();
      const asked = valid.filter(({ name }) => !there.has(name.toLowerCase()));
      const tell = (done: number) => {
        if (!signal.aborted) setChecking(`Checked ${formatCount(done)} of ${formatCount(asked.length)}…`);
      };
      const wrong = asks ? await checkRows(kind, parent, asked, { signal, tell }) : NONE;
      signal.throwIfAborted();
      setFound({ of: rows, existing: there, refused: wrong });
    } catch (error) {
      if (!signal.aborted) setFailure(error);
    } finally {
      if (!signal.aborted) setChecking(undefined);
    }
  };
  const create = () => {
    const notBefore = leastTimeFromNow();
    const targets = ready.map(({ name, body }): RecordToCreate => ({
      uid: crypto.randomUUID(),
      name,
      parent,
      body,
      key: crypto.randomUUID(),
      notBefore,
    }));
    startLater({ client, owner }, creationPlan(resource.collection, { one, many }), targets);
    setSent(targets.map(({ uid, name, body }) => ({ uid, name, told: toldOf(kind, body) })));
    setTable(undefined);
    form.reset();
    setFound(undefined);
  };
  const blocked =
    (jobOpen ? "Another job is still running" : undefined) ??
    (ready.length === 0 ? "No row can be created" : undefined) ??
    paused?.reason;
  const idle = table ? unused(kind, table, mapping) : [];
  return (
    <>
      <Section
        title="File or list"
        description="CSV with a header row, a JSON list of records as written by “Export JSON”, or one value per line. Nothing leaves this browser before the dry run."
      >
        <div className={classes["panel"]}>
          {form.restored ? <DraftRestored {...form.restored} secrets={[]} /> : null}
          <FileInput
            label={`File with ${many}`}
            accept=".csv,.json,.txt,text/csv,application/json,text/plain"
            describedBy={`${id}problem`}
            onChoose={(file) => void choose(file)}
          />
          <label className={classes["paste"]}>
            <span>Or paste it here</span>
            <textarea
              className={classes["area"]}
              rows={6}
              spellCheck={false}
              dir="auto"
              placeholder={kind.example}
              aria-describedby={`${id}problem`}
              {...form.register("text")}
            />
          </label>
          <Button variant={table ? "default" : "filled"} onClick={() => void open(form.getValues("text"))}>
            Preview
          </Button>
          <div id={`${id}problem`} role="alert">
            {problem === undefined ? null : (
              <Notice tone="warning" title="This can't be imported">
                {problem}
              </Notice>
            )}
          </div>
        </div>
      </Section>
      {invites && table ? <InviteTerms group={parent} onChange={setTerms} /> : null}
      {table ? (
        <Section
          title="Columns"
          description={idle.length > 0 ? `Not used: ${idle.join(", ")}.` : "Every column is used."}
        >
          <div className={classes["mapping"]}>
            {fields.map(({ path, label }) => (
              <label key={path} className={classes["field"]}>
                <span>{label}</span>
                <select
                  className={classes["select"]}
                  value={mapping[path] ?? ""}
                  onChange={(event) =>
                    setMapping({ ...mapping, [path]: event.currentTarget.value || undefined })
                  }
                >
                  <option value="">Not set</option>
                  {table.columns.map((column) => (
                    <option key={column} value={column}>
                      {column}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
        </Section>
      ) : null}
      {table ? (
        <Section
          title="Preview"
          count={rows.length}
          description={`${formatQuantity(valid.length, "row")} without problems. Nothing has been created.`}
        >
          <Preview rows={rows} isThere={isThere} refused={refused} checked={existing !== undefined} />
          {failure === undefined ? null : (
            <FailedPart
              title={`What ${where} has already couldn't be read`}
              error={failure}
              onRetry={() => void check()}
            />
          )}
          <p role="status">
            {existing ? (
              <>
                {formatQuantity(ready.length, one, many)} would be created in <bdi>{where}</bdi>.{" "}
                {listable.allowed
                  ? `${formatQuantity(
                      valid.length - absent.length,
                      "is there already and is",
                      "are there already and are",
                    )} left out.`
                  : `Your role doesn't let you view ${many}, so we can't tell which are there already.`}{" "}
                {asks
                  ? refused.size > 0
                    ? `The service would refuse ${formatQuantity(refused.size, "row")}, left out too. `
                    : "The service was asked about each of them. "
                  : null}
                {formatQuantity(
                  rows.length - valid.length,
                  "row with problems is left out.",
                  "rows with problems are left out.",
                )}
              </>
            ) : null}
          </p>
          <div className={classes["buttons"]}>
            {existing ? (
              <DisabledReason reason={blocked}>
                <Button variant="filled" onClick={create}>
                  Create {formatQuantity(ready.length, one, many)}
                </Button>
              </DisabledReason>
            ) : (
              <DisabledReason reason={valid.length === 0 ? "Every row has problems" : undefined}>
                <Button variant="filled" onClick={() => void check()}>
                  {checking ?? "Dry run"}
                </Button>
              </DisabledReason>
            )}
            {ready.length > 0 ? (
              <WriteRequests
                requests={() =>
                  ready
                    .slice(0, 20)
                    .map(({ body }) => ({ endpoint: resource.create, path: { parent }, body }))
                }
              />
            ) : null}
          </div>
        </Section>
      ) : null}
      {sent.length > 0 ? <Outcome kind={kind} where={where} sent={sent} /> : null}
    </>
  );
}
