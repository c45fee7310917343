import { Button } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { FailedPart } from "~/ui/feedback/failed-part";
import { toast } from "~/ui/feedback/toast-store";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Dialog } from "~/ui/overlay/dialog";

import { withoutKey, type HeldKey } from "./keys";
import { keyChange, useKeyChange } from "./use-key-change";

export interface RetireKeyProps {
  readonly identity: Identity;
  readonly staticKeys: NonNullable<Identity["staticKeys"]>;
  readonly retired: HeldKey;
  readonly onClose: () => void;
}

/** Asks before it removes one key: tokens signed with it are refused at once. */
export function RetireKey({ identity, staticKeys, retired, onClose }: RetireKeyProps): ReactNode {
  const change = useKeyChange();
  const paused = useWritesPaused();
  const [error, setError] = useState<unknown>();
  const [sending, setSending] = useState(false);
  const busy = useRef(false);
  const name = retired.kid ?? `number ${retired.index + 1}`;
  const next = withoutKey(staticKeys.issuerKeys, retired);
  const retire = async () => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    setError(undefined);
    try {
      await change(identity, next);
      toast(`Retired key ${name}`);
      onClose();
    } catch (reason) {
      setError(reason ?? new Error());
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return (
    <Dialog
      title={
        <>
          Retire key <bdi>{name}</bdi>?
        </>
      }
      size="28rem"
      onClose={() => !busy.current && onClose()}
      footer={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DisabledReason reason={paused?.reason}>
            <Button color="danger" aria-disabled={sending || undefined} onClick={() => void retire()}>
              {sending ? "Retiring…" : "Retire key"}
            </Button>
          </DisabledReason>
        </>
      }
    >
      <p>
        Tokens signed with it are rejected immediately, as are new ones. The other keys of{" "}
        <bdi>{identity.name}</bdi> stay valid. To use this key again, add its public half in the form of the
        identity.
      </p>
      <WriteRequests requests={() => [keyChange(identity.uid, next)]} />
      {error === undefined ? null : (
        <FailedPart title="The key wasn't retired" error={error} onRetry={() => void retire()} />
      )}
    </Dialog>
  );
}
