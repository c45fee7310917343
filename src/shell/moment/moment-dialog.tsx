import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type FormEvent, type ReactNode } from "react";

import { thePast } from "~/api/client/moment";
import "~/ui/controls/button-styles";
import { fieldParts } from "~/ui/form/field-parts";
import { typedTime, wireTime, zoneName } from "~/ui/form/date-time";
import { Dialog } from "~/ui/overlay/dialog";

import { addressAt } from "./address";

const HOUR = 3_600_000;
const AGO = [
  ["An hour ago", HOUR],
  ["Yesterday", 24 * HOUR],
  ["A week ago", 7 * 24 * HOUR],
] as const;

/** The end of the typed minute: what was done within it counts, unless it has not ended. */
const endOf = (wire: string): string =>
  new Date(Math.min(Date.parse(wire) + 59_999, Date.now() - 1_000)).toISOString();

const isFuture = (wire: string): boolean => Date.parse(wire) > Date.now();

/** Asks for the moment to show; loads the page anew as of then. */
export function MomentDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState(() =>
    typedTime(thePast()?.moment ?? new Date(Date.now() - HOUR).toISOString()),
  );
  const wire = wireTime(typed);
  const [problem, setProblem] = useState<string>();
  const go = (event: FormEvent): void => {
    event.preventDefault();
    if (wire === "") return setProblem("Choose a date and a time");
    if (isFuture(wire)) return setProblem("Must not be in the future");
    location.assign(addressAt(endOf(wire)));
  };
  return (
    <Dialog
      title="See the console as of a moment"
      size="md"
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="moment">
            Show
          </Button>
        </>
      }
    >
      <form id="moment" noValidate onSubmit={go}>
        <p>
          Groups, identities, roles, role bindings, repos and tags as they were then, as far as the audit log
          tells. Nothing can be changed meanwhile.
        </p>
        <TextInput
          mt={12}
          label={`Moment (${zoneName(wire)})`}
          type="datetime-local"
          value={typed}
          error={problem}
          data-autofocus
          classNames={fieldParts}
          onChange={({ currentTarget }) => {
            setProblem(undefined);
            setTyped(currentTarget.value);
          }}
        />
        <div role="group" aria-label="Common moments">
          {AGO.map(([label, ago]) => (
            <Button
              key={label}
              variant="default"
              size="compact-sm"
              mt={8}
              mr={8}
              onClick={() => setTyped(typedTime(new Date(Date.now() - ago).toISOString()))}
            >
              {label}
            </Button>
          ))}
        </div>
      </form>
    </Dialog>
  );
}
