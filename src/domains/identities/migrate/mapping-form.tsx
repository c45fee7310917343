import { NativeSelect, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { GITHUB_ISSUER } from "~/domains/identities/identities/github";
import { issuerOf } from "~/domains/identities/identities/change-issuer";
import { formatQuantity } from "~/ui/display/numbers";
import { fieldGrid, fieldParts } from "~/ui/form/field-parts";

import { fixed } from "./fixed";
import type { Mapping, Move } from "./proposal";
import { startOf } from "./use-draft";

const LABELS: Record<Move, string> = {
  gitlab: "From GitHub Actions to GitLab CI",
  owner: "The owner was renamed",
  issuer: "The issuer has moved",
};

interface MappingFormProps {
  readonly identities: readonly Identity[];
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
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
export function MappingForm({ identities, mapping, onChange }: MappingFormProps): ReactNode {
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
        onChange={(event) => choose(event.currentTarget.value as Move)}
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
          description="As subjects name it: the first part of owner/repository."
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
              : "In the same place of subjects and claims."
          }
        />
      )}
      <TextInput
        {...text("suffix")}
        label="End of new names"
        description="Added to the name of each identity."
      />
    </div>
  );
}
