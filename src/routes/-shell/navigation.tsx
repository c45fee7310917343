import {
  HomeIcon,
  PackageIcon,
  PersonIcon,
  ProjectRoadmapIcon,
  TagIcon,
  type Icon,
} from "@primer/octicons-react";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useId, type ReactNode } from "react";

import { usePerson } from "~/auth/use-session";
import { GroupTree } from "~/parts/group-tree/group-tree";

import { useScopeLink } from "./links";
import styles from "./navigation.module.css";
import { useCurrentGroup } from "./use-current";

interface Place {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: Icon;
}

const DOMAINS: readonly { readonly heading?: string; readonly places: readonly Place[] }[] = [
  { places: [{ to: "/", label: "Overview", icon: HomeIcon }] },
  {
    heading: "Access",
    places: [
      { to: "/groups", label: "Groups", icon: ProjectRoadmapIcon },
      { to: "/identities", label: "Identities", icon: PersonIcon },
    ],
  },
  {
    heading: "Registry",
    places: [
      { to: "/repos", label: "Repos", icon: PackageIcon },
      { to: "/tags", label: "Tags", icon: TagIcon },
    ],
  },
];

/** The places of the console by domain, and beneath them the groups that every one of them can be limited to. */
export function Navigation(): ReactNode {
  const id = useId();
  return (
    <div className={styles["navigation"]}>
      <nav aria-label="Main">
        {DOMAINS.map(({ heading, places }, index) => (
          <div key={heading ?? ""}>
            {heading && (
              <h2 className={styles["heading"]} id={`${id}${index}`}>
                {heading}
              </h2>
            )}
            <ul className={styles["domain"]} aria-labelledby={heading && `${id}${index}`}>
              {places.map(({ to, label, icon: PlaceIcon }) => (
                <li key={label}>
                  <Link
                    to={to}
                    className={styles["link"]}
                    activeOptions={{ exact: to === "/", includeSearch: false }}
                  >
                    <PlaceIcon size={16} />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Groups />
    </div>
  );
}

const linkOut = (previous: object) => ({
  ...previous,
  group: undefined,
  at: undefined,
  drawer: undefined,
  repo: undefined,
});

function Groups(): ReactNode {
  const { issuer, subject } = usePerson();
  const { group, scoped } = useCurrentGroup();
  const linkTo = useScopeLink();
  return (
    <section className={styles["groups"]} aria-label="Scope">
      <div className={styles["groupsHead"]}>
        <span>Scope</span>
        {/* Always there: a link that vanishes when it is pressed would take the focus with it. */}
        <Link
          to="."
          search={linkOut}
          className={styles["everything"]}
          data-current={!scoped}
          aria-current={scoped ? undefined : "true"}
        >
          Everything
        </Link>
      </div>
      <div className={styles["tree"]}>
        <GroupTree label="Groups" owner={`${issuer} ${subject}`} current={group} linkTo={linkTo} />
      </div>
    </section>
  );
}
