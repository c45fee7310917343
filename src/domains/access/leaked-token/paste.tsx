import { Button, Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { identities } from "platform-contract/iam/identities";
import "~/ui/controls/button-styles";
import { Segmented } from "~/ui/controls/segmented";
import { Notice } from "~/ui/feedback/notice";
import { fieldParts } from "~/ui/form/field-parts";
import { onDemand } from "~/ui/on-demand";

import type { Leak } from "./read-leak";
import classes from "./paste.module.css";

// What decodes tokens is loaded with the first letter.
const Read = onDemand(async () => (await import("./leak-report")).Read);
const Answer = onDemand(async () => (await import("./leak-report")).Answer);

const HOUR = 3_600_000;
const PERIODS = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
] as const;

/** Everything that an identity did for so many hours, where the token is not at hand. */
const leakOfIdentity = (uid: string, hours: number): Leak => ({
  jti: undefined,
  token: undefined,
  exchangedFor: uid,
  issued: Date.now() - hours * HOUR,
  ends: undefined,
});

/**
 * Takes the token, which is only in this component's memory: never in a request, storage, a cache, a form draft or the
 * address.
 */
export function Paste({ identity }: { readonly identity: string | undefined }): ReactNode {
  const [text, setText] = useState("");
  const [byId, setById] = useState<Leak>();
  const pasted = useDeferredValue(text);
  const type = (next: string) => {
    setText(next);
    setById(undefined);
  };
  return (
    <>
      <div className={classes["paste"]}>
        <Textarea
          label="Token, its claims, or its ID"
          description="Decoded on this page. The token is never sent or stored, and cleared when you leave; only its claims are used. The ID is its jti claim."
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          rows={4}
          resize="vertical"
          // Otherwise a browser may send it to a spelling service, or offer it again after a reload.
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          data-1p-ignore
          data-lpignore="true"
          dir="ltr"
          classNames={{ ...fieldParts, input: classes["token"] ?? "" }}
        />
        {text === "" ? null : (
          <Button variant="default" onClick={() => type("")}>
            Clear
          </Button>
        )}
      </div>
      {pasted === "" ? null : <Read text={pasted} byId={byId} onId={setById} expected={identity} />}
      {identity !== undefined && text === "" ? <Without identity={identity} onChosen={setById} /> : null}
      {byId && text === "" ? <Answer leak={byId} expected={identity} /> : null}
    </>
  );
}

interface WithoutProps {
  readonly identity: string;
  readonly onChosen: (leak: Leak) => void;
}

/** For an identity whose token nobody has at hand: everything that it did lately. */
function Without({ identity, onChosen }: WithoutProps): ReactNode {
  const [hours, setHours] = useState<(typeof PERIODS)[number]["value"]>("24");
  const { data } = useQuery({
    queryKey: [identities.collection, "get", identity],
    queryFn: ({ signal }) => call(identities.get, { path: { uid: identity }, signal }),
  });
  return (
    <Notice
      title={
        <>
          Don&apos;t have the token of <bdi>{data?.name || "this identity"}</bdi>?
        </>
      }
      actions={
        <>
          <Segmented label="Since" value={hours} options={PERIODS} onChange={setHours} />
          <Button variant="default" onClick={() => onChosen(leakOfIdentity(identity, Number(hours)))}>
            Look at everything it did
          </Button>
        </>
      }
    >
      Then the answer covers every token of it, since the time that you choose.
    </Notice>
  );
}
