import { Button } from "@mantine/core";
import { RefreshCwIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { FormProvider, useForm } from "react-hook-form";

import "~/ui/controls/button-styles";
import { FilterPicker } from "~/ui/controls/filter-picker";
import { IconButton } from "~/ui/controls/icon-button";
import { CopyButton } from "~/ui/display/copy-button";
import { ExternalLink } from "~/ui/display/external-link";
import { Wait } from "~/ui/feedback/countdown";
import { RequestId } from "~/ui/feedback/request-id";
import { WritesPausedNotice } from "~/ui/feedback/writes-paused-notice";
import { DraftRestored } from "~/ui/form/draft-restored";
import { TextField } from "~/ui/form/fields";
import { RowsField } from "~/ui/form/rows-field";
import { RowCheckbox } from "~/ui/table/row-checkbox";
import { ScanLine } from "~/ui/table/scan-line";

import classes from "./gallery.module.css";
import { LONG, MARKUP, RTL } from "./names";
import { Specimen } from "./specimen";

const ignore = () => undefined;
const SCANS = ["reading", "stopped", "failed", "done"] as const;

function Rows({ users }: { readonly users: readonly { readonly username: string }[] }): ReactNode {
  const form = useForm({ defaultValues: { users: [...users] } });
  return (
    <FormProvider {...form}>
      <form className={classes["form"]} noValidate onSubmit={(event) => event.preventDefault()}>
        <RowsField name="users" label="Users" one="user" hint="Added to the image." blank={{ username: "" }}>
          {(at) => <TextField name={`${at}.username`} label="User name" code />}
        </RowsField>
      </form>
    </FormProvider>
  );
}

function Pickers(): ReactNode {
  const [chosen, setChosen] = useState<string | undefined>(LONG);
  const panel = (close: () => void) => (
    <Button
      variant="default"
      onClick={() => {
        setChosen(RTL);
        close();
      }}
    >
      Choose
    </Button>
  );
  return (
    <div className={classes["row"]}>
      <FilterPicker label="Repo" chosen={undefined} onClear={ignore}>
        {panel}
      </FilterPicker>
      <FilterPicker label="Folder" chosen={chosen} onClear={() => setChosen(undefined)}>
        {panel}
      </FilterPicker>
    </div>
  );
}

/** Parts of parts: what the others are made of, in states that few pages reach. */
export const SmallParts = (): ReactNode => (
  <>
    <Specimen title="IconButton, CopyButton: enabled, open, disabled">
      <div className={classes["row"]}>
        <IconButton label="Refresh">
          <RefreshCwIcon size={16} />
        </IconButton>
        <IconButton label="Refresh, open" aria-expanded>
          <RefreshCwIcon size={16} />
        </IconButton>
        <IconButton label="Refresh, disabled" aria-disabled>
          <RefreshCwIcon size={16} />
        </IconButton>
        <CopyButton value={LONG} what="name" />
      </div>
    </Specimen>
    <Specimen title="FilterPicker: none chosen, a long name chosen">
      <Pickers />
    </Specimen>
    <Specimen title="ExternalLink: address, label with host, not an address">
      <p>
        <ExternalLink address={`https://docs.example/${LONG}`} />
      </p>
      <p>
        <ExternalLink address="https://docs.example/">{RTL}</ExternalLink>
      </p>
      <p>
        <ExternalLink address={MARKUP} />
      </p>
    </Specimen>
    <Specimen title="RowCheckbox: clear, checked, mixed">
      <div className={classes["row"]}>
        <RowCheckbox label="Select a" checked={false} onPick={ignore} />
        <RowCheckbox label="Select b" checked onPick={ignore} />
        <RowCheckbox label="Select all" checked={false} mixed onPick={ignore} />
      </div>
    </Specimen>
    <Specimen title="ScanLine: reading, stopped, failed, done" use="A filter that the service lacks.">
      {SCANS.map((state) => (
        <ScanLine
          key={state}
          state={state}
          what={state === "failed" ? LONG : "tags"}
          one="tag"
          read={1_200}
          found={12}
          total={state === "stopped" ? undefined : 2_002}
          outdated={state === "done"}
          error={state === "failed" ? new Error("The service can't be reached.") : undefined}
          onStop={ignore}
          onResume={ignore}
          onRestart={ignore}
        />
      ))}
    </Specimen>
    <Specimen title="RowsField: filled in, empty">
      <Rows users={[{ username: LONG }, { username: RTL }]} />
      <Rows users={[]} />
    </Specimen>
    <Specimen title="DraftRestored, WritesPausedNotice, Wait, RequestId">
      <DraftRestored secrets={["clientSecret"]} discard={ignore} />
      <WritesPausedNotice reason="You're offline. Changes are paused." tryNow={ignore} />
      <p>
        Retrying in <Wait seconds={90} />. <RequestId value="0123456789abcdef" />
      </p>
    </Specimen>
  </>
);
