import { Button } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import "~/ui/controls/button-styles";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Expiry } from "~/ui/display/expiry";
import { saveAs } from "~/ui/display/save-as";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import dialog from "~/ui/overlay/dialog.module.css";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { Dialog } from "~/ui/overlay/dialog";

import { KEYS_EXPIRE } from "./data";
import { withKey } from "./keys";
import { newKey, type NewKey } from "./new-key";
import { useKeyChange } from "./use-key-change";

export interface AddKeyProps {
  readonly identity: Identity;
  readonly staticKeys: NonNullable<Identity["staticKeys"]>;
  readonly onClose: () => void;
}

/**
 * Makes a key pair, registers its public half, and offers the private half as a file. That half is only in the memory of
 * this component: never in a request, a storage, a cache or the address.
 */
export function AddKey({ identity, staticKeys, onClose }: AddKeyProps): ReactNode {
  const change = useKeyChange();
  const paused = useWritesPaused();
  const [pair, setPair] = useState<NewKey>();
  const [kid, setKid] = useState("");
  const done = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<"asking" | "adding" | "added" | "saved">("asking");
  const [error, setError] = useState<unknown>();
  const busy = useRef(false);
  const add = async () => {
    if (busy.current) return;
    busy.current = true;
    setState("adding");
    setError(undefined);
    try {
      // A second press after a failure registers the same key: the first may have arrived.
      const made = pair ?? (await newKey());
      setPair(made);
      setKid(made.publicKey.kid ?? "");
      await change(identity, withKey(staticKeys.issuerKeys, made.publicKey));
      setState("added");
    } catch (reason) {
      setError(reason ?? new Error());
      setState("asking");
    } finally {
      busy.current = false;
    }
  };
  const save = async () => {
    if (!pair) return;
    saveAs(
      `${fileName(identity.name)}-${kid.slice(0, 8)}.pem`,
      await pair.privatePem(),
      "application/x-pem-file",
    );
    setPair(undefined);
    setState("saved");
    done.current?.focus();
  };
  const added = state === "added" || state === "saved";
  return (
    <Dialog
      title={
        <>
          {added ? (
            "Key added"
          ) : (
            <>
              Add a key to <bdi>{identity.name}</bdi>
            </>
          )}
        </>
      }
      size="34rem"
      closeOnEscape={state !== "added"}
      closeOnClickOutside={false}
      onClose={() => state !== "adding" && onClose()}
      footer={
        added ? (
          <>
            <Button ref={done} variant="default" onClick={onClose}>
              {state === "saved" ? "Done" : "Close without it"}
            </Button>
            {state === "added" ? (
              <Button data-autofocus onClick={() => void save()}>
                Download private key
              </Button>
            ) : null}
          </>
        ) : (
          <>
            <Button variant="default" onClick={onClose} disabled={state === "adding"}>
              Cancel
            </Button>
            <DisabledReason reason={paused?.reason}>
              <Button
                aria-disabled={state === "adding" || undefined}
                onClick={() => void add()}
                data-autofocus
              >
                {state === "adding" ? "Adding…" : "Make and add key"}
              </Button>
            </DisabledReason>
          </>
        )
      }
    >
      {added ? (
        <>
          <p role="status">
            {state === "saved"
              ? "The private key is in your downloads. This page no longer has it."
              : "Download the private key now. It exists only on this page, and is gone when you close this."}
          </p>
          <DefinitionList
            items={[
              { term: "Key ID (kid)", value: <Code value={kid} what="key ID" />, wide: true },
              { term: "Algorithm (alg)", value: <code>ES256</code>, wide: true },
              {
                term: "Issuer (iss)",
                value: <Code value={staticKeys.issuer} what="issuer" />,
                wide: true,
              },
              {
                term: "Subject (sub)",
                value: <Code value={staticKeys.subject} what="subject" />,
                wide: true,
              },
            ]}
          />
          <p className={dialog["hint"]}>
            The workload signs its tokens with these values. When it uses the new key, retire the old one.
          </p>
        </>
      ) : (
        <>
          <p>
            Your browser makes a key pair. The public half is added to the identity; the private half is for
            you to download once. The present keys stay valid.
          </p>
          <p>
            Like the present keys, it expires <Expiry value={staticKeys.expirationTime} soon={KEYS_EXPIRE} />
          </p>
        </>
      )}
      {error === undefined ? null : (
        <FailedPart title="The key wasn't added" error={error} onRetry={() => void add()} />
      )}
      {state === "added" ? (
        <Notice tone="warning" title="Not downloaded yet">
          Without the private key, nothing can be signed with this key. You can then only retire it.
        </Notice>
      ) : null}
    </Dialog>
  );
}

/** The name of an identity as part of a file name: it has no other characters than these. */
const fileName = (name: string): string => name.replaceAll(/[^a-z0-9._-]+/g, "-");
