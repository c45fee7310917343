import { Button } from "@mantine/core";
import { useState, type ReactNode, useRef } from "react";
import { useMutation } from "@tanstack/react-query";

import { fileName } from "~/frame/export/export-file";
import { useFile } from "~/frame/export/use-file";
import "~/ui/controls/button-styles";
import { StartStop } from "~/ui/controls/start-stop";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { errorFacts } from "~/ui/feedback/error-facts";
import { useRefusal } from "~/frame/permissions/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { signSnapshot } from "platform-contract/snapshots/signatures";
import { ActionButton } from "~/ui/controls/action-button";
import { Notice } from "~/ui/feedback/notice";

import { snapshotBytes } from "platform-client/snapshots/file";
import { textAt, type Snapshot } from "platform-client/snapshots/format";
import { countsOf, Missing, missingOf, Reading, totalOf } from "./parts";
import { MOST_TAGS } from "platform-client/snapshots/lists";
import classes from "./styles.module.css";
import { useContents } from "./use-contents";
import { digestOf, signatureName } from "./signature-file";

interface SignSnapshotProps {
  readonly scope: Snapshot["scope"];
  /** The snapshot file that was downloaded. */
  readonly file: { readonly blob: Blob; readonly name: string };
}

/** Has the service sign the digest of a snapshot file, and downloads the signature. */
function SignSnapshot({ scope, file }: SignSnapshotProps): ReactNode {
  if (scope === null)
    return (
      <p className={classes["quiet"]}>
        To sign a snapshot, choose an organization or folder before you take it.
      </p>
    );
  return <SignScope group={scope.uid} file={file} />;
}

function SignScope({
  group,
  file: { blob, name },
}: Pick<SignSnapshotProps, "file"> & { readonly group: string }): ReactNode {
  const refusal = useRefusal();
  const press = useRef<string>(undefined);
  const sign = useMutation({
    // A press that is repeated after a failure gets one signature.
    mutationFn: async () =>
      callOnce(
        signSnapshot,
        { path: { uid: group }, body: { digest: await digestOf(blob) } },
        (press.current ??= crypto.randomUUID()),
      ),
    onSuccess: () => {
      press.current = undefined;
    },
  });
  const { data } = sign;
  const trouble = sign.error ? errorFacts(sign.error) : undefined;
  const saved = useFile(data !== undefined, () =>
    Promise.resolve({
      blob: new Blob([data?.signature ?? ""], { type: "application/jose" }),
      name: signatureName(name),
      rows: 1,
    }),
  );
  return (
    <>
      <div className={classes["buttons"]}>
        <ActionButton
          reason={refusal(signSnapshot, group)}
          onClick={() => {
            if (data) saved.save();
            else if (!sign.isPending) sign.mutate();
          }}
        >
          {data ? "Download signature again" : "Sign snapshot"}
        </ActionButton>
      </div>
      {trouble ? (
        <Notice
          tone="danger"
          role="alert"
          title={
            trouble.outcome === "unknown"
              ? "We couldn't confirm whether the snapshot was signed"
              : "The snapshot wasn't signed"
          }
        >
          {trouble.message}
        </Notice>
      ) : null}
      <p role="status">
        {saved.made ? (
          <>
            <strong className={classes["name"]}>{saved.made.name}</strong> downloaded. Keep it beside the
            snapshot: it proves that you had this file signed, and when. It doesn&apos;t prove that the
            content is true.
          </>
        ) : sign.isPending ? (
          "Signing…"
        ) : null}
      </p>
    </>
  );
}

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
    if (!snapshot) throw new Error("There is no snapshot");
    const now = snapshot;
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
