import { useQuery } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";

import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { FilterPicker } from "~/ui/controls/filter-picker";
import { shorten } from "~/ui/display/shorten";

import { repoNameQuery } from "./repo-names";
import { RepoSearch } from "./repo-search";

export interface RepoFilterProps {
  /** uid of the chosen repo, with `_` for `/`. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses one of all repos that the user can see, or none. */
export function RepoFilter({ value, onChange }: RepoFilterProps): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const uid = value === undefined ? "" : paramToUid(value);
  const { data } = useQuery({ ...repoNameQuery(uid), enabled: value !== undefined });
  return (
    <FilterPicker
      label="Repo"
      chosen={value === undefined ? undefined : (data?.name ?? shorten(uid))}
      none="all of it"
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <RepoSearch
          label="Find repos"
          ref={search}
          chosen={[]}
          everywhere
          onAdd={(picked) => {
            onChange(uidToParam(picked));
            close();
          }}
        />
      )}
    </FilterPicker>
  );
}
