import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type FormEvent, type ReactNode } from "react";

import { thePast } from "~/api/client/moment";
import { serviceTime } from "~/api/client/service-clock";
import "~/ui/controls/button-styles";
import { Check } from "~/ui/controls/check";
import { fieldParts } from "~/ui/form/field-parts";
import { typedTime, wireTime, zoneName } from "~/ui/form/date-time";
import { Dialog } from "~/ui/overlay/dialog";

import { addressAt, latestMoment } from "./address";

const HOUR = 3_600_000;
const AGO = [
  ["An hour ago", HOUR],
  ["Yesterday", 24 * HOUR],
  ["A week ago", 7 * 24 * HOUR],
] as const;

const typedAgo = (ago: number): string => typedTime(new Date(serviceTime() - ago).toISOString());

/** The end of the typed minute: what was done within it counts, unless it has not ended. */
const endOf = (wire: string): string => {
  const end = new Date(Date.parse(wire) + 59_999).toISOString();
  return end < latestMoment() ? end : latestMoment();
};

/** What is wrong with a typed moment; undefined if nothing is. */
function problemOf(wire: string): string | undefined {
  if (wire === "") return "Choose a date and a time";
  return Date.parse(wire) > serviceTime() ? "Must not be in the future" : undefined;
}

interface MomentFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (typed: string) => void;
  readonly problem: string | undefined;
  readonly isFirst?: boolean;
}

function MomentField({ label, value, onChange, problem, isFirst = false }: MomentFieldProps): ReactNode {
  return (
    <TextInput
      mt={12}
      label={`${label} (${zoneName(wireTime(value))})`}
      type="datetime-local"
      value={value}
      error={problem}
      data-autofocus={isFirst || undefined}
      classNames={fieldParts}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface Asked {
  readonly moment: string;
  /** The other moment. */
  readonly other: string;
  readonly isCompared: boolean;
}

function start(): Asked {
  const { moment, comparedWith } = thePast() ?? {};
  return {
    moment: moment === undefined ? typedAgo(HOUR) : typedTime(moment),
    other: comparedWith === undefined ? typedAgo(0) : typedTime(comparedWith),
    isCompared: comparedWith !== undefined,
  };
}

/** Asks for the moment to show, and for one to compare it with; loads the page anew as of then. */
export function MomentDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [asked, setAsked] = useState(start);
  const [isTried, setTried] = useState(false);
  const [moment, other] = [wireTime(asked.moment), wireTime(asked.other)];
  const problem = problemOf(moment);
  const isSame = asked.isCompared && problem === undefined && moment === other;
  const otherProblem = isSame ? "Must be another moment" : asked.isCompared ? problemOf(other) : undefined;
  const change = (some: Partial<Asked>): void => {
    setAsked({ ...asked, ...some });
    setTried(false);
  };
  const go = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined || otherProblem !== undefined) return;
    location.assign(addressAt(endOf(moment), asked.isCompared ? endOf(other) : undefined));
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
        <MomentField
          isFirst
          label="Moment"
          value={asked.moment}
          onChange={(typed) => change({ moment: typed })}
          problem={isTried ? problem : undefined}
        />
        <div role="group" aria-label="Common moments">
          {AGO.map(([label, ago]) => (
            <Button
              key={label}
              variant="default"
              size="compact-sm"
              mt={8}
              mr={8}
              onClick={() => change({ moment: typedAgo(ago) })}
            >
              {label}
            </Button>
          ))}
        </div>
        <div style={{ marginBlockStart: 16 }}>
          <Check
            label="Compare it with another moment"
            checked={asked.isCompared}
            onChange={(isCompared) => change({ isCompared })}
          />
        </div>
        {asked.isCompared && (
          <MomentField
            label="Other moment"
            value={asked.other}
            onChange={(typed) => change({ other: typed })}
            problem={isTried ? otherProblem : undefined}
          />
        )}
      </form>
    </Dialog>
  );
}
