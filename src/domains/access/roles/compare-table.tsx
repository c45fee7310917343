import { CheckIcon, XIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { Role } from "platform-contract/iam/roles";
import { IconButton } from "~/ui/controls/icon-button";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { areasOf } from "./areas";
import { kindWord, roleScreens } from "./data";
import classes from "./styles.module.css";

interface CompareTableProps {
  readonly roles: readonly Role[];
  readonly onlyDifferences: boolean;
  readonly onRemove: (uid: string) => void;
}

/** A row for each capability of any of the roles, and a column for each role. */
export function CompareTable({ roles, onlyDifferences, onRemove }: CompareTableProps): ReactNode {
  const sets = roles.map(({ uid, capabilities }) => ({ uid, held: new Set(capabilities) }));
  const all = [...new Set(sets.flatMap(({ held }) => [...held]))];
  const differing = all.filter((wire) => sets.some(({ held }) => !held.has(wire)));
  const areas = areasOf(onlyDifferences ? differing : all);
  return (
    <>
      <p role="status">
        {differing.length === 0 && roles.length > 1
          ? "These roles have the same capabilities."
          : `${formatCount(differing.length)} of ${formatCount(all.length)} capabilities differ.`}
      </p>
      <div className={classes["scroller"]} tabIndex={0} role="region" aria-label="Capabilities by role">
        <table className={classes["matrix"]}>
          <thead>
            <tr>
              <th scope="col">Capability</th>
              {roles.map((role) => (
                <th key={role.uid} scope="col">
                  <span className={classes["column"]}>
                    <AppLink target={roleScreens.link(role.uid)}>
                      <bdi>{roleScreens.nameOf(role)}</bdi>
                    </AppLink>
                    <IconButton
                      label={`Remove ${roleScreens.nameOf(role)}`}
                      tip="Remove"
                      onClick={() => onRemove(role.uid)}
                    >
                      <XIcon size={16} />
                    </IconButton>
                  </span>
                  <span className={classes["note"]}>
                    {kindWord(role)}, {formatCount(role.capabilities?.length ?? 0)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {areas.map(({ title, capabilities }) => (
            <tbody key={title}>
              <tr>
                <th scope="rowgroup" colSpan={roles.length + 1} className={classes["group"]}>
                  <span>{title}</span>
                </th>
              </tr>
              {capabilities.map(({ wire, name, meaning }) => (
                <tr key={wire}>
                  <th scope="row">
                    {meaning} <code className={classes["code"]}>{name}</code>
                  </th>
                  {sets.map(({ uid, held }) => (
                    <td key={uid}>
                      {held.has(wire) ? (
                        <>
                          <CheckIcon size={16} />
                          <VisuallyHidden>Yes</VisuallyHidden>
                        </>
                      ) : (
                        <Dash label="No" />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </>
  );
}
