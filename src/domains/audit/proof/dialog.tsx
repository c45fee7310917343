import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { fileName } from "~/frame/export/export-file";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useGroup } from "~/frame/scope/group-ancestry";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { saveBlob } from "~/ui/display/save-as";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { Sheet } from "~/ui/overlay/sheet";

import type { ProofSubject } from "~/frame/proof/ask";
import classes from "./dialog.module.css";
import { makeProof, type Proof } from "./make-proof";

interface ProofDialogProps {
  readonly subject: ProofSubject;
  readonly onClose: () => void;
}

type State =
  | { readonly at: "start" }
  | { readonly at: "reading"; readonly read: number; readonly total: number | undefined }
  | { readonly at: "failed"; readonly error: unknown }
  | { readonly at: "done"; readonly proof: Proof; readonly name: string };

/** Says what a proof has and can't prove, makes it, and downloads it. */
export function ProofDialog({ subject: { ask, name, organization }, onClose }: ProofDialogProps): ReactNode {
  const client = useQueryClient();
  const address = useRouteContext({ strict: false, select: ({ config }) => config?.apiBaseUrl ?? "" });
  const { identityUid, person } = useCurrentUser();
  const { group } = useGroup(organization);
  const [state, setState] = useState<State>({ at: "start" });
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);

  const start = async () => {
    const own = new AbortController();
    work.current = own;
    const { signal } = own;
    setState({ at: "reading", read: 0, total: undefined });
    const place = group?.name ?? organization;
    const scope = name.startsWith(place) ? name : `${place} ${name}`;
    const file = fileName(
      {
        list: `proof ${ask.kind}`,
        scope,
        partial: false,
        dated: ask.kind === "access" || ask.kind === "retention",
        now: new Date(),
      },
      "zip",
    );
    try {
      const proof = await makeProof(
        {
          ask,
          organization: { uid: organization, name: place },
          by: { uid: identityUid, name: person.email ?? person.name ?? person.subject },
          address,
          folder: file.replace(/\.zip$/, ""),
        },
        {
          signal,
          retry: retryPolicyOf(client),
          onProgress: (read, total) => setState({ at: "reading", read, total }),
        },
      );
      saveBlob(file, proof.blob);
      setState({ at: "done", proof, name: file });
    } catch (error) {
      if (!signal.aborted) setState({ at: "failed", error });
    }
  };
  const stop = () => {
    work.current?.abort();
    setState({ at: "start" });
  };
  const next = {
    start: { label: "Make proof", act: () => void start() },
    reading: { label: "Stop", act: stop },
    failed: { label: "Try again", act: () => void start() },
    done: {
      label: "Download again",
      act: () => (state.at === "done" ? saveBlob(state.name, state.proof.blob) : undefined),
    },
  }[state.at];
  return (
    <Sheet
      at="centre"
      title="Make a proof"
      onClose={onClose}
      footer={
        <>
          <Button variant={state.at === "done" ? "default" : "filled"} onClick={next.act}>
            {next.label}
          </Button>
          <Button variant="default" onClick={onClose}>
            {state.at === "done" ? "Close" : "Cancel"}
          </Button>
        </>
      }
    >
      {state.at === "done" ? <Made proof={state.proof} name={state.name} /> : <About />}
      {state.at === "reading" ? (
        <div>
          <p className={classes["quiet"]}>
            {state.total === undefined
              ? "Reading the log…"
              : `${formatQuantity(state.read, "entry", "entries")} of ${formatQuantity(state.total, "entry", "entries")} read`}
          </p>
          <progress
            className={classes["progress"]}
            aria-label="Reading the log"
            {...(state.total !== undefined && { max: Math.max(state.total, 1), value: state.read })}
          />
        </div>
      ) : null}
      {state.at === "failed" ? (
        <Notice tone="danger" role="alert" title="The proof wasn't made">
          {errorFacts(state.error).message}
        </Notice>
      ) : null}
    </Sheet>
  );
}

const About = (): ReactNode => (
  <>
    <p>
      A zip file with the question, the answer, the log entries that it follows from, the log&apos;s signed
      end, and a program that checks them without this console.
    </p>
    <Notice tone="warning" title="It contains the organization's whole audit log">
      Each entry is tied to the one before it, so none can be left out. Give the file only to people who may
      read all of them.
    </Notice>
    <p className={classes["quiet"]}>
      What the log doesn&apos;t have stays unknown: what was before its first entry, and who asked. The file
      lists what it can&apos;t prove.
    </p>
  </>
);

function Made({ proof, name }: { readonly proof: Proof; readonly name: string }): ReactNode {
  const { entries, unknown } = proof;
  return (
    <>
      <p role="status">
        <strong className={classes["name"]}>{name}</strong> with {formatQuantity(entries, "entry", "entries")}{" "}
        downloaded.
      </p>
      <p>
        To check it, unpack it and run <code>node verify.mjs</code> in its folder. README.txt says how to do
        it with other tools, and how to compare the key.
      </p>
      {unknown.length > 0 ? (
        <Notice tone="warning" title="It doesn't prove everything on this page">
          <ul className={classes["unknown"]}>
            {unknown.slice(0, MOST).map((one) => (
              <li key={one}>
                <bdi>{one}</bdi>
              </li>
            ))}
          </ul>
          {unknown.length > MOST
            ? `${formatQuantity(unknown.length - MOST, "more line", "more lines")} in README.txt.`
            : null}
        </Notice>
      ) : null}
    </>
  );
}

/** Lines that the dialog shows. */
const MOST = 5;
