import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { builtIn } from "~/domains/access/grants/roles";
import { RoleLink } from "./role-link";

import classes from "./styles.module.css";

/** The built-in roles in one line, above the custom ones of a scope: they can be granted in every scope. */
export function BuiltInRoles(): ReactNode {
  const { rows } = rowsOf(useInfiniteQuery(builtIn).data);
  return (
    <div className={classes["builtIn"]}>
      <span id="built-in-roles">Built-in, in every scope:</span>
      <ul aria-labelledby="built-in-roles">
        {rows.map(({ uid, name }) => (
          <li key={uid}>
            <RoleLink uid={uid} name={name} />
          </li>
        ))}
      </ul>
    </div>
  );
}
