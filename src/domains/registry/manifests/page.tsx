import { Button, Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { XIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { repos } from "platform-contract/registry/repos";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import "~/ui/controls/button-styles";
import { IconButton } from "~/ui/controls/icon-button";
import { formatBytes } from "~/ui/display/numbers";
import { Notice } from "~/ui/feedback/notice";
import { FileInput } from "~/ui/form/file-input";
import { useFileDrop } from "~/ui/form/use-file-drop";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";

import type { Source } from "./read";
import classes from "./styles.module.css";

const TITLE = "Check manifests";
const PASTED = "pasted";
/** Bytes of one file. */
const MOST_BYTES = 2_000_000;

/** With the parsers of manifests: loads with the first check. */
const Results = onDemand(async () => (await import("./results")).Results);

const readNothing = () => ({});

/** Says of every image in pasted and dropped manifests whether it is current here. */
export function Manifests(): ReactNode {
  useCleanAddress(readNothing);
  useTitle(TITLE);
  const { allowed, capability } = useCan(repos.list, undefined);
  return (
    <Page>
      <PageHeader
        icon={iconOf("repos")}
        title={TITLE}
        description="See which images of Dockerfiles, Kubernetes YAML, Helm values, Compose files or a plain list are current."
      />
      {allowed ? <Check /> : <HiddenByRole capability={capability} group={undefined} />}
    </Page>
  );
}

function Check(): ReactNode {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly Source[]>([]);
  const [problem, setProblem] = useState<string>();
  const [checked, setChecked] = useState<readonly Source[]>();

  const check = (sources: readonly Source[]) => {
    setProblem(undefined);
    setChecked(sources);
  };
  const sourcesWith = (chosen: readonly Source[]) => [
    ...chosen,
    ...(text.trim() === "" ? [] : [{ name: PASTED, text }]),
  ];
  const add = async (chosen: readonly File[]) => {
    const large = chosen.find(({ size }) => size > MOST_BYTES);
    if (large) return setProblem(`${large.name} is larger than ${formatBytes(MOST_BYTES)}.`);
    const read = await Promise.all(
      chosen.map(async (file) => ({ name: file.name, text: await file.text() })),
    );
    const next = [...files.filter(({ name }) => !read.some((each) => each.name === name)), ...read];
    setFiles(next);
    return check(sourcesWith(next));
  };
  // A file dropped beside the field would replace the console.
  const drop = useFileDrop((dropped) => void add(dropped));
  return (
    <>
      <div className={classes["panel"]} {...drop}>
        <Textarea
          label="Manifest"
          description="It stays in this page: only names, tags and digests are looked up."
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          minRows={8}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes["text"] ?? "" }}
          className={classes["wide"] ?? ""}
        />
        <FileInput label="Files" multiple onChoose={(...chosen) => void add(chosen)} />
        {files.length > 0 ? (
          <ul className={classes["files"]} aria-label="Chosen files">
            {files.map(({ name }) => (
              <li key={name}>
                <bdi>{name}</bdi>
                <IconButton
                  label={`Leave out ${name}`}
                  onClick={() => setFiles(files.filter((file) => file.name !== name))}
                >
                  <XIcon size={14} />
                </IconButton>
              </li>
            ))}
          </ul>
        ) : null}
        <Button
          onClick={() => {
            const sources = sourcesWith(files);
            if (sources.length === 0) setProblem("Paste a manifest, or choose a file.");
            else check(sources);
          }}
        >
          Check images
        </Button>
        <div role="alert">
          {problem === undefined ? null : (
            <Notice tone="warning" title="Not checked">
              {problem}
            </Notice>
          )}
        </div>
      </div>
      {checked ? <Results sources={checked} /> : null}
    </>
  );
}
