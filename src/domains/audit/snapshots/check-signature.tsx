import { useQuery } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";

import { one } from "~/api/queries/queries";
import { identities } from "platform-contract/iam/identities";
import { identityLink } from "~/frame/record/identity-link";
import { snapshotKeys } from "~/frame/signatures/snapshot-keys";
import { CheckTable, type Check } from "~/ui/display/check-table";
import { DefinitionList } from "~/ui/display/definition-list";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import { FileInput } from "~/ui/form/file-input";
import { AppLink } from "~/ui/layout/link";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { type Snapshot } from "platform-client/snapshots/format";
import { open, scopeName } from "./opened";
import { digestOf, SignatureProblem, type Signature } from "./signature-file";
import classes from "./styles.module.css";

/** What verifies: with the first signature. */
const load = () => import("./signature");

/** Bytes: larger than any signature. */
const MOST = 100_000;

interface OpenedFile {
  readonly snapshot: Snapshot;
  readonly digest: string;
}

async function openFile(file: File): Promise<OpenedFile> {
  const { snapshot } = await open(file);
  return { snapshot, digest: await digestOf(file) };
}

async function openSignature(file: File): Promise<Signature> {
  if (file.size > MOST) throw new SignatureProblem("This file is too large for a signature.");
  const { readSignature } = await load();
  return readSignature(await file.text());
}

const problemOf = (error: unknown): string =>
  error instanceof TextProblem || error instanceof SignatureProblem
    ? error.message
    : "This file couldn't be read.";

/** Says who had a snapshot file signed, and when, if its signature is right. */
export function CheckSignature({ service }: { readonly service: string }): ReactNode {
  const id = useId();
  const [file, setFile] = useState<OpenedFile>();
  const [signed, setSigned] = useState<Signature>();
  const [problem, setProblem] = useState<string>();

  const choose = async <T,>(opening: Promise<T>, set: (opened: T | undefined) => void) => {
    setProblem(undefined);
    set(undefined);
    try {
      set(await opening);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Section
      title="Check a signature"
      description="See who had a snapshot file signed, and when. Both files stay in this browser."
    >
      <div className={classes["panel"]}>
        <FileInput
          label="Signed file"
          accept=".json,application/json"
          describedBy={id}
          onChoose={(chosen) => void choose(openFile(chosen), setFile)}
        />
        <FileInput
          label="Signature (.jws)"
          accept=".jws"
          describedBy={id}
          onChoose={(chosen) => void choose(openSignature(chosen), setSigned)}
        />
        <div id={id} role="alert">
          {problem === undefined ? null : (
            <Notice tone="warning" title="Not checked">
              {problem}
            </Notice>
          )}
        </div>
        {file && signed ? <Result file={file} signature={signed} service={service} /> : null}
      </div>
    </Section>
  );
}

interface ResultProps {
  readonly file: OpenedFile;
  readonly signature: Signature;
  readonly service: string;
}

function Result({ file: { digest, snapshot }, signature, service }: ResultProps): ReactNode {
  const keys = useQuery(snapshotKeys(service));
  const { data: checks } = useQuery({
    queryKey: [
      "checkSignature",
      service,
      signature.jws,
      digest,
      snapshot.scope?.uid,
      keys.dataUpdatedAt,
      keys.isError,
    ],
    queryFn: async () => {
      const { checkSignature } = await load();
      return checkSignature({ signature, digest, group: snapshot.scope?.uid }, service, keys.data);
    },
    enabled: !keys.isPending,
    gcTime: 0,
  });
  return (
    <section className={classes["result"]} aria-label="Result" aria-live="polite">
      {checks ? (
        <>
          <h3>{verdictOf(checks)}</h3>
          <CheckTable checks={checks} />
          {checks.every(({ verdict }) => verdict === "right") ? (
            <Proven by={signature.claims.by} time={signature.claims.time} scope={scopeName(snapshot)} />
          ) : null}
        </>
      ) : (
        <p className={classes["quiet"]}>Checking…</p>
      )}
    </section>
  );
}

function verdictOf(checks: readonly Check[]): string {
  const has = (verdict: Check["verdict"]) => checks.some((each) => each.verdict === verdict);
  return has("wrong")
    ? "This signature isn't valid for this file"
    : has("unknown")
      ? "This signature couldn't be checked"
      : "This signature is valid";
}

/** Only what the signature says, and what it does not. */
function Proven({
  by,
  time,
  scope,
}: {
  readonly by: string;
  readonly time: string;
  readonly scope: string;
}): ReactNode {
  const { data } = useQuery(one(identities.get, { uid: by }));
  return (
    <>
      <DefinitionList
        items={[
          {
            term: "Signed by",
            value: (
              <AppLink target={identityLink(by)}>
                <bdi>{data?.name ?? shorten(by)}</bdi>
              </AppLink>
            ),
          },
          { term: "Signed", value: <Time value={time} /> },
          { term: "Scope", value: <bdi>{scope}</bdi> },
        ]}
      />
      <p>
        It proves that this identity had this file signed at this time, and could then list everything in the
        scope. It doesn&apos;t prove that the content is true: the service signs the digest, and never sees
        the file.
      </p>
    </>
  );
}
