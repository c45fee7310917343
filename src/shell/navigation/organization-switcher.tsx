import { CheckIcon, Building2Icon, PlusIcon, ChevronDownIcon } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

import { isWithin, rootOf } from "platform-contract/aip";
import { FindGroup } from "~/frame/group-tree/find-group";
import type { LinkTo } from "~/frame/group-tree/group-tree";
import { useRecentGroups } from "~/frame/group-tree/recent-groups";
import { placeText } from "~/frame/scope/ancestors";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import { useTopGroups } from "~/frame/scope/top-groups";
import { useAncestorNames } from "~/frame/scope/use-ancestor-names";

import styles from "~/shell/header.module.css";
import { useScopeLink } from "~/shell/links";
import { HeaderPopover } from "~/shell/popover";
import { useCurrentGroup } from "~/shell/use-current";

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

/** True for a click that follows a link to a group in this tab. */
const leadsAway = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  !ctrlKey && !metaKey && !shiftKey && target instanceof Element && target.closest("a[data-uid]") !== null;

interface PlacesProps {
  /** uid of the group on screen. */
  readonly current: string | undefined;
  readonly linkTo: LinkTo;
}

/** The topmost groups, and the folders that were chosen last. */
function Places({ current, linkTo }: PlacesProps): ReactNode {
  const { organizations, folders } = useTopGroups();
  const tops = [...organizations, ...folders];
  const recent = useRecentGroups().filter(({ uid }) => !tops.some((top) => top.uid === uid));
  const names = useAncestorNames(recent);
  return (
    <>
      <ul className={styles["choices"]} aria-label="Organizations">
        {tops.map(({ uid, name }) => {
          const here = current !== undefined && isWithin(current, uid);
          return (
            <li key={uid}>
              <Link
                {...linkTo(uid)}
                className={styles["choice"]}
                data-uid={uid}
                data-here={here || undefined}
              >
                <span className={styles["tick"]}>{here && <CheckIcon size={16} />}</span>
                <span className={styles["text"]}>{name}</span>
              </Link>
            </li>
          );
        })}
      </ul>
      {recent.length > 0 ? (
        <>
          <p className={styles["choicesHead"]}>Recent folders</p>
          <ul className={styles["choices"]} aria-label="Recent folders">
            {recent.map(({ uid, name }) => (
              <li key={uid}>
                <Link {...linkTo(uid)} className={styles["choice"]} data-uid={uid}>
                  <span className={styles["tick"]} />
                  <span className={styles["text"]}>
                    {name} <small>{placeText({ collection: "groups", uid }, names)}</small>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
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
          <div
            role="presentation"
            className={styles["finder"]}
            onClick={(event) => leadsAway(event) && close()}
          >
            <FindGroup takesFocus current={current} linkTo={linkTo}>
              <Places current={current} linkTo={linkTo} />
            </FindGroup>
          </div>
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
