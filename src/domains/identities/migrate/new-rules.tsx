import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import "@mantine/core/styles/Input.css";

import { issuerOf } from "~/domains/identities/identities/change-issuer";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { onDemand } from "~/ui/on-demand";
import type { Identity } from "platform-contract/iam/identities";
import { GITHUB_ISSUER } from "~/domains/identities/identities/github";
import { fieldGrid, fieldParts } from "~/ui/form/field-parts";

import { fixed } from "./fixed";
import type { RuleMapping, Move } from "./proposal";
import type { MigrationPlace } from "./read";
import classes from "./styles.module.css";
import { useDraft, startOf } from "./use-draft";
import { isKeyOf } from "~/ui/keys";

const LABELS: Record<Move, string> = {
  gitlab: "From GitHub Actions to GitLab CI",
  owner: "The owner was renamed",
  issuer: "The issuer has moved",
};

interface MappingFormProps {
  readonly identities: readonly Identity[];
  readonly mapping: RuleMapping;
  readonly onChange: (mapping: RuleMapping) => void;
}

/** The issuers of a place, the most frequent first. */
function issuersIn(identities: readonly Identity[]): readonly (readonly [issuer: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const identity of identities) {
    const issuer = fixed(identity) === undefined ? issuerOf(identity) : undefined;
    if (issuer !== undefined) counts.set(issuer, (counts.get(issuer) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** What moves where. */
function MappingForm({ identities, mapping, onChange }: MappingFormProps): ReactNode {
  const { move, issuer } = mapping;
  const issuers = issuersIn(identities);
  const labelOf = ([value, count]: readonly [string, number]) => ({
    value,
    label: `${value} (${formatQuantity(count, "identity", "identities")})`,
  });
  const known = issuers.some(([value]) => value === issuer);
  const text = (name: "newIssuer" | "owner" | "newOwner" | "suffix") => ({
    value: mapping[name],
    autoComplete: "off",
    spellCheck: false,
    classNames: fieldParts,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...mapping, [name]: event.currentTarget.value }),
  });
  const choose = (next: Move) => {
    const has = (wanted: string) => issuers.some(([value]) => value === wanted);
    const first =
      next === "gitlab" && has(GITHUB_ISSUER) ? GITHUB_ISSUER : has(issuer) ? issuer : issuers[0]?.[0];
    onChange(startOf(next, first));
  };
  return (
    <div className={fieldGrid}>
      <NativeSelect
        label="What changes"
        classNames={fieldParts}
        value={move}
        data={Object.entries(LABELS).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => isKeyOf(LABELS, value) && choose(value)}
      />
      <NativeSelect
        label="Issuer now"
        description="The identities with exactly this issuer."
        classNames={fieldParts}
        value={issuer}
        data={[...issuers, ...(known ? [] : [[issuer, 0] as const])].map(labelOf)}
        onChange={(event) => onChange({ ...mapping, issuer: event.currentTarget.value })}
      />
      {move === "owner" ? (
        <TextInput
          {...text("owner")}
          label="Owner now"
          description="The part before the slash in owner/repository."
        />
      ) : (
        <TextInput
          {...text("newIssuer")}
          label={move === "gitlab" ? "GitLab address" : "New issuer"}
          description={
            move === "gitlab" ? "The instance's external URL." : "As the iss claim of the new tokens has it."
          }
        />
      )}
      {move === "issuer" ? null : (
        <TextInput
          {...text("newOwner")}
          label={move === "gitlab" ? "Group on GitLab" : "New owner"}
          description={
            move === "gitlab"
              ? "In place of the owner on GitHub. Empty: the same path."
              : "Replaces the old owner in subjects and claims."
          }
        />
      )}
      <TextInput
        {...text("suffix")}
        label="Suffix of new names"
        description="Added to the name of each identity."
      />
    </div>
  );
}

/** With the first identity that moves. */
const Rules = onDemand(async () => (await import("./rules")).Rules);

export interface StepProps {
  /** uid of the group. */
  readonly group: string;
  readonly place: MigrationPlace;
  /** True while it is read again. */
  readonly reading: boolean;
  readonly onReadAgain: () => void;
}

/** What is still missing in the mapping; undefined if it can be tried. */
function missing({ move, newIssuer, owner, newOwner, suffix }: RuleMapping): string | undefined {
  if (move !== "owner" && newIssuer.trim() === "") return "Enter the new issuer to see the new rules.";
  if (move === "owner" && (owner.trim() === "" || newOwner.trim() === ""))
    return "Enter both owners to see the new rules.";
  return suffix.trim() === ""
    ? "Enter a suffix for the new names: two of the same name are hard to tell apart."
    : undefined;
}

/** What moves, and the new rule of each identity beside the old one. */
export function NewRules({ group, place, reading, onReadAgain }: StepProps): ReactNode {
  const { mapping, edits, set } = useDraft(group);
  const [started, setStarted] = useState(false);
  const hint = missing(mapping);
  const count = place.identities.filter((identity) => issuerOf(identity) === mapping.issuer).length;
  const others = place.identities.flatMap(({ uid, name, ...identity }) => {
    const why = fixed({ uid, name, ...identity });
    return why === undefined ? [] : [{ uid, name, why }];
  });
  const unmovable =
    others.length > 0 ? (
      <details className={classes["quiet"]}>
        <summary>
          {formatQuantity(others.length, "other identity", "other identities")} here can't move
        </summary>
        <ul className={classes["notes"]}>
          {others.slice(0, 200).map(({ uid, name, why }) => (
            <li key={uid}>
              <bdi>{name}</bdi>: {why}.
            </li>
          ))}
        </ul>
      </details>
    ) : null;
  return (
    <>
      <Section
        title="What moves"
        description="A new identity is created beside each old one, with the same roles. Both can sign in until you retire the old."
      >
        <MappingForm
          identities={place.identities}
          mapping={mapping}
          onChange={(next) => {
            set({ mapping: next, edits: next.move === mapping.move ? edits : {} });
            setStarted(false);
          }}
        />
      </Section>
      {started ? (
        <Notice>
          The panel below shows the progress. Change the jobs next; once they have signed in with the new
          rules, go on to “Retire the old”.
        </Notice>
      ) : null}
      <Section
        title="Old and new rules"
        count={hint === undefined ? count : 0}
        description={hint ?? "Nothing is created before you press the button."}
        actions={
          <Button variant="default" onClick={onReadAgain}>
            {reading ? "Reading…" : "Read again"}
          </Button>
        }
      >
        {hint !== undefined ? (
          unmovable
        ) : count === 0 ? (
          <>
            <p role="status">No identity here has this issuer.</p>
            {unmovable}
          </>
        ) : (
          <Rules
            place={place}
            mapping={mapping}
            edits={edits}
            reading={reading}
            onEdit={(uid, edit) => set({ mapping, edits: { ...edits, [uid]: { ...edits[uid], ...edit } } })}
            onStarted={() => setStarted(true)}
          >
            {unmovable}
          </Rules>
        )}
      </Section>
    </>
  );
}
