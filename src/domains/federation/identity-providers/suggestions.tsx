import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState, type ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";

import { usePushed } from "./pushed";
import classes from "./styles.module.css";

/** More than this many groups can be searched. */
const FEW = 12;

/** Groups that the directory has pushed, to add to the form's groups. */
export function PushedGroups({ provider }: { readonly provider: string }): ReactNode {
  const [search, setSearch] = useState("");
  const late = useDeferredValue(search.trim());
  const { setValue } = useFormContext<{ groups: string[] }>();
  const chosen = useWatch<{ groups: string[] }, "groups">({ name: "groups" });
  const { data } = useQuery({ ...usePushed(provider, late), placeholderData: keepPreviousData });
  const { groupCount = 0, groups = [] } = data ?? {};
  if (groupCount === 0) return null;
  const left = groups.filter(({ externalGroupId }) => !chosen.includes(externalGroupId));
  return (
    <fieldset className={classes["pushed"]}>
      <legend>Pushed by the directory</legend>
      {groupCount > FEW ? (
        <TextInput
          label="Search pushed groups"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      <div className={classes["choices"]}>
        {left.map(({ externalGroupId, name = externalGroupId, memberCount = 0 }) => (
          <Button
            key={externalGroupId}
            variant="default"
            size="compact-sm"
            onClick={() =>
              setValue("groups", [...chosen, externalGroupId], { shouldDirty: true, shouldValidate: true })
            }
          >
            <bdi className={classes["choice"]}>{name}</bdi>
            <span className={classes["quiet"]}>
              &nbsp;· {formatQuantity(memberCount, "person", "people")}
            </span>
          </Button>
        ))}
        {left.length === 0 ? <p className={classes["quiet"]}>No other groups match</p> : null}
      </div>
    </fieldset>
  );
}
