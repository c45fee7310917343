import { Button, NativeSelect, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import type { ReactNode } from "react";

import { KINDS } from "platform-contract/registry/tag-names";
import "~/ui/controls/button-styles";
import { Check } from "~/ui/controls/check";
import { saveAs } from "~/ui/display/save-as";
import { fieldGrid, fieldParts } from "~/ui/form/field-parts";
import { JsonFileInput } from "~/ui/form/json-file-input";

import { readRules, RulesProblem, rulesFile, type Line, type Rules } from "./rules";
import classes from "./styles.module.css";

/** Bytes of a file with rules. */
const MOST_BYTES = 10_000;

const LINES: readonly { readonly value: Line; readonly label: string }[] = [
  { value: "minor", label: "Minor version, such as 1.27" },
  { value: "major", label: "Major version, such as 1" },
  { value: "variant", label: "Variant, such as all -dev" },
];
const KIND_LABELS = {
  dates: "Dated tags, such as 1.27-20260811",
  epochs: "Build tags, such as 1.27.3-r2",
  referrers: "Signatures, such as sha256-….sig",
} as const;

interface RulesFormProps {
  readonly rules: Rules;
  readonly problems: Partial<Record<keyof Rules, string>>;
  /** Undefined if the service doesn't count pulls. `unknown`: why this user can't know them. */
  readonly pulls: { readonly unknown: string | undefined } | undefined;
  readonly onChange: (rules: Rules) => void;
  /** The buttons after the fields. */
  readonly children: ReactNode;
}

/** The fields of the rules, and their file. */
export function RulesForm({ rules, problems, pulls, onChange, children }: RulesFormProps): ReactNode {
  const set = (change: Partial<Rules>) => onChange({ ...rules, ...change });
  const text = (name: "names" | "exempt" | "olderThanDays" | "notPulledDays" | "keepNewest") => ({
    value: rules[name],
    error: problems[name],
    autoComplete: "off",
    spellCheck: false,
    classNames: fieldParts,
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  const open = async (file: File) => {
    if (file.size > MOST_BYTES) throw new RulesProblem("This file is too large to have rules.");
    onChange(readRules(await file.text()));
  };
  return (
    <div className={classes["panel"]}>
      <div className={fieldGrid}>
        <TextInput
          {...text("names")}
          label="Names"
          description="Patterns with * for any characters, separated by commas. Empty: all names."
          placeholder="pr-*, *-dev"
        />
        <TextInput
          {...text("exempt")}
          label="Never delete names"
          description="Patterns, as above. They stay whatever else is set."
          placeholder="release-*"
        />
        <TextInput
          {...text("olderThanDays")}
          label="Not updated for (days)"
          description="Counts from the last update of the tag."
          inputMode="numeric"
        />
        {pulls || rules.notPulledDays !== "" ? (
          <TextInput
            {...text("notPulledDays")}
            label="Not pulled for (days)"
            description={
              pulls?.unknown ??
              "A tag that was never pulled counts from its push, or from when counting began if that is later."
            }
            inputMode="numeric"
            disabled={pulls?.unknown !== undefined && rules.notPulledDays === ""}
          />
        ) : null}
        <TextInput
          {...text("keepNewest")}
          label="Keep the newest"
          description="By version; names without a version by their last update."
          inputMode="numeric"
        />
        <NativeSelect
          label="Of each"
          description="The newest are kept of each of these."
          classNames={fieldParts}
          data={LINES}
          value={rules.line}
          onChange={(event) => set({ line: event.currentTarget.value as Line })}
        />
      </div>
      <Check
        label="Only deprecated tags"
        checked={rules.deprecated}
        onChange={(deprecated) => set({ deprecated })}
      />
      {rules.notPulledDays === "" ? null : (
        <Check
          label="Count requests without a download as pulls"
          checked={rules.askedCounts}
          onChange={(askedCounts) => set({ askedCounts })}
        />
      )}
      <fieldset className={classes["kinds"]}>
        <legend>The rules apply to these too</legend>
        {KINDS.map(({ kind }) => (
          <Check
            key={kind}
            label={KIND_LABELS[kind]}
            checked={rules.kinds.includes(kind)}
            onChange={(checked) =>
              set({
                kinds: KINDS.flatMap((each) =>
                  (each.kind === kind ? checked : rules.kinds.includes(each.kind)) ? [each.kind] : [],
                ),
              })
            }
          />
        ))}
      </fieldset>
      <div className={classes["buttons"]}>
        {children}
        <Button
          variant="default"
          onClick={() => saveAs("retention-rules.json", rulesFile(rules), "application/json")}
        >
          Download rules
        </Button>
      </div>
      <JsonFileInput label="Open rules from a file" Problem={RulesProblem} onChoose={open} />
    </div>
  );
}
