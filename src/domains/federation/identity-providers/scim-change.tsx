import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { revokeScimToken, setScimEnabled } from "platform-contract/iam/scim";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Sheet } from "~/ui/overlay/sheet";

import { useScimWrite } from "./use-scim-write";

interface ChangeProps {
  readonly record: IdentityProvider;
  readonly onClose: () => void;
}

/** Asks before all tokens end. */
export function RevokeToken({ record, onClose }: ChangeProps): ReactNode {
  const write = useScimWrite(revokeScimToken, record, () => {
    toast("Revoked the token");
    onClose();
  });
  return (
    <Ask
      title="Revoke the token?"
      verb="Revoke token"
      failed="The token wasn't revoked"
      isDanger
      write={write}
      onConfirm={() => write.mutate({})}
      onClose={onClose}
    >
      The directory can't push anymore, with this token or an earlier one. People and their roles stay as they
      are until it pushes again with a new token.
    </Ask>
  );
}

/** Asks before pushes are accepted, or refused. */
export function SwitchScim({ record, onClose }: ChangeProps): ReactNode {
  const { enabled = false, etag = "" } = record.scim ?? {};
  const write = useScimWrite(setScimEnabled, record, () => {
    toast(enabled ? "Turned directory sync off" : "Turned directory sync on");
    onClose();
  });
  return (
    <Ask
      title={enabled ? "Turn directory sync off?" : "Turn directory sync on?"}
      verb={enabled ? "Turn off" : "Turn on"}
      failed={enabled ? "Directory sync is still on" : "Directory sync is still off"}
      isDanger={enabled}
      write={write}
      onConfirm={() => write.mutate({ enabled: !enabled, etag })}
      onClose={onClose}
    >
      {enabled
        ? "The directory's requests are refused until you turn it on again. People keep the roles that they have now, and whoever was deactivated still can't sign in."
        : "The directory can then create, change and deactivate people of this identity provider, and move them between groups that are mapped to roles."}
    </Ask>
  );
}

interface AskProps {
  readonly title: string;
  readonly verb: string;
  readonly failed: string;
  readonly isDanger: boolean;
  readonly write: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const Ask = ({ title, verb, failed, isDanger, write, onConfirm, onClose, children }: AskProps): ReactNode => (
  <Sheet
    title={title}
    onClose={onClose}
    at="centre"
    footer={
      <>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button {...(isDanger && { color: "red" })} loading={write.isPending} onClick={onConfirm}>
          {verb}
        </Button>
      </>
    }
  >
    <p>{children}</p>
    {write.error ? (
      <Notice tone="danger" role="alert" title={failed}>
        {errorFacts(write.error).message}
      </Notice>
    ) : null}
  </Sheet>
);
