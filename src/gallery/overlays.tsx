import { Button, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import * as z from "zod/mini";

import "~/ui/controls/button-styles";
import { toast } from "~/ui/feedback/toast-store";
import { fieldParts } from "~/ui/form/field-parts";
import { TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { ActionMenu } from "~/ui/overlay/menu";
import { ConfirmManyDialog } from "~/ui/overlay/confirm-many-dialog";
import { DiscardDialog } from "~/ui/form/discard-dialog";
import { Sheet } from "~/ui/overlay/sheet";

import classes from "./gallery.module.css";
import { HOSTILE, LONG, RTL } from "./names";
import { Specimen } from "./specimen";

const SCHEMA = z.object({ name: z.string().check(z.minLength(3, "Use 3 to 63 characters")) });

const ignore = () => undefined;

function Drawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const form = useResourceForm({ schema: SCHEMA, defaultValues: { name: "" } });
  return (
    <FormDrawer
      title="Create repo"
      opened
      onClose={onClose}
      form={form}
      onSubmit={async () => "created"}
      onSaved={onClose}
      submitLabel="Create repo"
    >
      <TextField name="name" label="Name" required code />
    </FormDrawer>
  );
}

type Shown = "drawer" | "sheet" | "bottom" | "delete" | "many" | "change" | "discard";

/** What opens over a page: a button for each. */
export function Overlays(): ReactNode {
  const [shown, setShown] = useState<Shown>();
  const close = () => setShown(undefined);
  const opens = (what: Shown, text: string) => (
    <Button variant="default" onClick={() => setShown(what)}>
      {text}
    </Button>
  );
  return (
    <Specimen title="Drawer, sheet, dialog, toast, menu">
      <div className={classes["row"]}>
        {opens("drawer", "Open a form")}
        {opens("sheet", "Open a sheet")}
        {opens("bottom", "Open a sheet of phones")}
        {opens("delete", "Open a confirmation")}
        {opens("many", "Confirm many")}
        {opens("change", "Change many")}
        {opens("discard", "Discard changes")}
        <Button variant="default" onClick={() => toast(`Deleted ${LONG}`)}>
          Show a toast
        </Button>
        <ActionMenu
          label="Actions of a record"
          actions={() => [
            { label: "Copy reference", onSelect: ignore },
            { label: "Edit", onSelect: ignore, disabled: "You need permission to edit repos (repo.update)" },
            { label: "Delete", onSelect: ignore, danger: true },
          ]}
        />
      </div>
      {shown === "drawer" ? <Drawer onClose={close} /> : null}
      {shown === "bottom" ? (
        <Sheet at="bottom" title="Filters" onClose={close} footer={<Button onClick={close}>Done</Button>}>
          <p>To reach with one hand.</p>
        </Sheet>
      ) : null}
      {shown === "many" ? (
        <ConfirmManyDialog
          one="identity"
          many="identities"
          records={HOSTILE.map((name) => ({ uid: name, name, where: RTL }))}
          excluded={[{ reason: "You need permission to delete identities (identity.delete)", count: 3 }]}
          consequence="Workloads using these identities will lose access immediately."
          typed
          onClose={close}
          onConfirm={close}
        />
      ) : null}
      {shown === "change" ? (
        <ConfirmManyDialog
          one="repo"
          many="repos"
          change={{ title: "Change catalog tier of", button: "Change", refused: "won't change" }}
          records={HOSTILE.map((name) => ({ uid: name, name, where: RTL }))}
          excluded={[{ reason: "A synced repo takes its tier from its source", count: 3 }]}
          consequence="Their images, tags and access stay the same."
          onClose={close}
          onConfirm={close}
        >
          <TextInput label="New catalog tier" classNames={fieldParts} />
        </ConfirmManyDialog>
      ) : null}
      {shown === "discard" ? <DiscardDialog onDiscard={close} onKeep={close} /> : null}
      {shown === "sheet" ? (
        <Sheet at="side" title={LONG} onClose={close} footer={<Button onClick={close}>Done</Button>}>
          <p>To read next to the page.</p>
        </Sheet>
      ) : null}
      <ConfirmDelete
        opened={shown === "delete"}
        onClose={close}
        kind="repo"
        name={LONG}
        consequence="Nobody will be able to pull from this repo. Its 199 tags are deleted too."
        onDelete={async () => undefined}
        onDeleted={close}
        typeName
      />
    </Specimen>
  );
}
