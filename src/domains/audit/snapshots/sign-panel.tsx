import { useMutation } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { signSnapshot } from "platform-contract/snapshots/signatures";
import { useFile } from "~/frame/export/use-file";
import { ActionButton } from "~/ui/controls/action-button";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";

import type { Snapshot } from "./format";
import { digestOf, signatureName } from "./signature-file";
import classes from "./styles.module.css";

interface SignSnapshotProps {
  readonly scope: Snapshot["scope"];
  /** The snapshot file that was downloaded. */
  readonly file: { readonly blob: Blob; readonly name: string };
}

/** Has the service sign the digest of a snapshot file, and downloads the signature. */
export function SignSnapshot({ scope, file }: SignSnapshotProps): ReactNode {
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
