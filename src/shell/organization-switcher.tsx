import { CheckIcon, Building2Icon, PlusIcon, ChevronDownIcon } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { isWithin, rootOf } from "~/contract/aip";
import { useGroup, usePath } from "~/features/scope/group-ancestry";
import { useTopGroups } from "~/features/scope/top-groups";

import styles from "./header.module.css";
import { useScopeLink } from "./links";
import { HeaderPopover } from "./popover";
import { useCurrentGroup } from "./use-current";

/** The name of the organization on screen; if that is not readable, of the topmost folder that is. */
export function useOrganizationName(): string | undefined {
  const { group: current } = useCurrentGroup();
  const root = current === undefined ? undefined : rootOf(current);
  const { organizations, folders, more, state } = useTopGroups();
  const { steps } = usePath(current);
  // An organization is not among its own ancestors; request it only if the list does not contain it.
  const listed = organizations.find(({ uid }) => uid === root)?.name || steps[0]?.name;
  const { group } = useGroup(root === current && !listed && state !== "loading" ? root : undefined);
  if (current !== undefined)
    return listed || group?.name || folders.find(({ uid }) => isWithin(current, uid))?.name;
  const [sole, second] = [...organizations, ...folders];
  return second || more ? undefined : sole?.name;
}

/** Shows the current organization, and switches to another one. */
export function OrganizationSwitcher(): ReactNode {
  const { organizations, folders, state } = useTopGroups();
  const { group: current } = useCurrentGroup();
  const linkTo = useScopeLink();
  const name = useOrganizationName();
  const fallback =
    state === "loading"
      ? "\u2026"
      : organizations.length + folders.length === 0
        ? "No organization"
        : "All groups";
  const shown = name ?? fallback;

  return (
    <HeaderPopover
      label="Organizations"
      title={`Organization: ${shown}`}
      side="start"
      button={
        <>
          <Building2Icon size={16} />
          <span className={`${styles["text"]} ${styles["strong"]}`}>{shown}</span>
          <ChevronDownIcon size={16} className={styles["caret"] ?? ""} />
        </>
      }
    >
      {(close) => (
        <>
          <ul className={styles["choices"]}>
            {[...organizations, ...folders].map(({ uid, name: each }) => {
              const here = current !== undefined && isWithin(current, uid);
              return (
                <li key={uid}>
                  <Link
                    {...linkTo(uid)}
                    className={styles["choice"]}
                    data-here={here || undefined}
                    onClick={close}
                  >
                    <span className={styles["tick"]}>{here && <CheckIcon size={16} />}</span>
                    <span className={styles["text"]}>{each}</span>
                  </Link>
                </li>
              );
            })}
          </ul>
          <ul className={styles["choices"]}>
            <li>
              <Link to="/groups" search={{ group: undefined }} className={styles["choice"]} onClick={close}>
                <span className={styles["tick"]} />
                All groups
              </Link>
            </li>
            <li>
              <Link
                to="/groups"
                search={{ group: undefined, drawer: "create" }}
                className={styles["choice"]}
                onClick={close}
              >
                <span className={styles["tick"]}>
                  <PlusIcon size={16} />
                </span>
                Create an organization
              </Link>
            </li>
          </ul>
        </>
      )}
    </HeaderPopover>
  );
}
