import { NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { repos, type Repo } from "platform-contract/registry/repos";
import { ActButton } from "~/frame/bulk-delete/act-button";
import { ConfirmChange } from "~/frame/bulk-delete/confirm-change";
import type { ActsProps } from "~/frame/bulk-delete/use-selectable";
import { NO_TIER, TIERS } from "~/domains/registry/references/tiers";
import { fieldParts } from "~/ui/form/field-parts";

import { isSynced } from "./data";

/** What can be done with selected repos besides deleting them. */
export const RepoActs = (selected: ActsProps<Repo>): ReactNode => (
  <ActButton {...selected} dialog={(ends) => <ChangeTier records={selected.records} {...ends} />}>
    Change catalog tier
  </ActButton>
);

interface ChangeTierProps extends ActsProps<Repo> {
  readonly onClose: () => void;
}

function ChangeTier({ records, onClose, onStarted }: ChangeTierProps): ReactNode {
  const [tier, setTier] = useState("");
  const refusal = useRefusal();
  return (
    <ConfirmChange
      resource={repos}
      many="repos"
      words={{
        title: "Change catalog tier of",
        button: "Change",
        refused: "won't change",
        missing: tier === "" ? "Choose a tier" : undefined,
      }}
      records={records}
      refusal={(repo) =>
        isSynced(repo)
          ? "A synced repo takes its tier from its source"
          : (repo.catalogTier || NO_TIER) === tier
            ? "It already has this tier"
            : refusal(repos.update, repo.uid)
      }
      changeOf={({ catalogTier }) => ({
        mask: ["catalogTier"],
        before: catalogTier ? { catalogTier } : {},
        body: tier === NO_TIER ? {} : { catalogTier: tier },
      })}
      consequence="Their images, tags and access stay the same."
      onClose={onClose}
      onStarted={onStarted}
    >
      <NativeSelect
        label="New catalog tier"
        value={tier}
        onChange={({ currentTarget }) => setTier(currentTarget.value)}
        data={[
          { value: "", label: "Choose a tier" },
          ...TIERS.map(({ tier: value, label }) => ({ value, label })),
        ]}
        classNames={fieldParts}
      />
    </ConfirmChange>
  );
}
