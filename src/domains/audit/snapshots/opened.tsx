import type { ReactNode } from "react";

import { sha256 } from "~/frame/export/sha256";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Time } from "~/ui/display/time";
import { visible } from "~/ui/display/visible";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import { comparedPart } from "platform-client/snapshots/file";
import type { Snapshot } from "platform-client/snapshots/format";
import { countsOf } from "./parts";

/** Maximum file size in bytes: larger than any scope's snapshot, and still readable as one string. */
const MOST = 200_000_000;

/** A snapshot from a file. */
export interface OpenedSnapshot {
  readonly snapshot: Snapshot;
  /** SHA-256 of the compared part, in hex; undefined for a file whose lines aren't as this console writes them. */
  readonly hash: string | undefined;
}

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "snapshot" });

/** Rejects with a TextProblem. */
export async function open(file: File): Promise<OpenedSnapshot> {
  if (file.size > MOST) throw new TextProblem("This file is larger than 200 MB, too large for a snapshot.");
  const snapshot = await readInWorker<string, Snapshot>({
    start,
    request: await file.text(),
    bytes: file.size,
  });
  const compared = await comparedPart(file);
  return { snapshot, hash: compared && (await sha256(compared)) };
}

/** Names in a file can contain anything: what is invisible or turns the text around it is written out. */
export const scopeName = ({ scope }: Snapshot): string => visible(scope?.name ?? "All visible groups");
export const serviceName = ({ service }: Snapshot): string => visible(service);

/** What is in an opened file. */
export const About = ({ snapshot, hash }: OpenedSnapshot): ReactNode => (
  <DefinitionList
    items={[
      { term: "Scope", value: <bdi>{scopeName(snapshot)}</bdi> },
      { term: "Taken", value: <Time value={snapshot.time} /> },
      { term: "Service", value: <bdi>{serviceName(snapshot)}</bdi> },
      { term: "Records", value: countsOf(snapshot), wide: true },
      ...(hash === undefined
        ? []
        : [{ term: "SHA-256 without the time", value: <Code value={hash} what="SHA-256" />, wide: true }]),
    ]}
  />
);
