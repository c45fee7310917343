import { Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useDeferredValue, useState, type ReactNode } from "react";

import { readSigningKeys } from "~/auth/signing-keys";
import { parentOf } from "platform-contract/aip";
import { CheckTable } from "~/ui/display/check-table";
import { DefinitionList } from "~/ui/display/definition-list";
import { fieldParts } from "~/ui/form/field-parts";
import { AppLink } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";

import { aboutLink, meaningOf } from "./deliveries-data";
import { checkRequest, readRequest, type Pasted } from "./read-request";
import classes from "./styles.module.css";

/** Explains a request that a receiver got: what it is about, and whether the receiver must accept it. */
export function CheckRequest({
  uid,
  onClose,
}: {
  readonly uid: string;
  readonly onClose: () => void;
}): ReactNode {
  const [headers, setHeaders] = useState("");
  const [body, setBody] = useState("");
  const text = useDeferredValue(headers);
  const content = useDeferredValue(body);
  const area = {
    autosize: true,
    minRows: 4,
    maxRows: 10,
    // Otherwise a browser may send it to a spelling service, or offer it again after a reload.
    spellCheck: false,
    autoComplete: "off",
    dir: "ltr",
    classNames: { ...fieldParts, input: classes["code"] ?? "" },
  } as const;
  return (
    <Sheet title="Check a request" at="side" onClose={onClose}>
      <p className={classes["quiet"]}>
        Paste a request that your receiver got from this subscription. It stays on this page and is never
        sent.
      </p>
      <Textarea
        {...area}
        data-autofocus
        label="Headers"
        description="Authorization and all that begin with Ce-, one on each line."
        value={headers}
        onChange={(event) => setHeaders(event.currentTarget.value)}
      />
      <Textarea
        {...area}
        label="Body"
        description="Exactly as it arrived."
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      {text.trim() === "" ? null : <Verdict uid={uid} pasted={readRequest(text, content)} />}
    </Sheet>
  );
}

function Verdict({ uid, pasted }: { readonly uid: string; readonly pasted: Pasted }): ReactNode {
  const { oidc } = useRouteContext({ from: "__root__" }).config;
  const keys = useQuery({
    queryKey: ["signingKeys", oidc.authority],
    queryFn: () => readSigningKeys(oidc.authority),
    retry: false,
    staleTime: 60_000,
  });
  const expected = { issuer: oidc.authority, subject: `webhook:${parentOf(uid)}` };
  const { data: checks } = useQuery({
    // Only in memory, and gone with this sheet: the token is a secret for some minutes.
    queryKey: ["checkRequest", expected, [...pasted.headers], pasted.body, keys.dataUpdatedAt, keys.isError],
    queryFn: () => checkRequest(pasted, expected, keys.data, Date.now()),
    enabled: !keys.isPending,
    gcTime: 0,
  });
  if (!checks) return <p className={classes["quiet"]}>Checking…</p>;
  const wrong = checks.filter(({ verdict }) => verdict === "wrong").length;
  const unsure = checks.some(({ verdict }) => verdict === "unknown");
  const late = checks.some(({ verdict }) => verdict === "late");
  return (
    <section aria-label="Result" aria-live="polite">
      <h3 className={classes["kind"]}>
        {wrong > 0
          ? "A receiver must refuse this request"
          : unsure
            ? "Not everything could be checked"
            : late
              ? "This request was valid when it was sent"
              : "A receiver can accept this request"}
      </h3>
      <CheckTable checks={checks} />
      <About pasted={pasted} />
    </section>
  );
}

/** What the event says, which nothing has signed but the body. */
function About({ pasted: { headers } }: { readonly pasted: Pasted }): ReactNode {
  const type = headers.get("ce-type");
  const subject = headers.get("ce-subject");
  if (type === undefined) return null;
  const link = aboutLink({ type, subject });
  return (
    <>
      <h3 className={classes["kind"]}>What it is about</h3>
      <DefinitionList
        items={[
          {
            term: "What happened",
            value: meaningOf(type) ?? "An event of a type that this console doesn't know.",
            wide: true,
          },
          {
            term: "Record",
            value: link === undefined ? subject : <AppLink target={link}>{subject}</AppLink>,
            wide: true,
          },
          { term: "Event id", value: headers.get("ce-id"), wide: true },
        ]}
      />
      <p className={classes["quiet"]}>The signature covers the body. It doesn't cover the Ce- headers.</p>
    </>
  );
}
