import { HouseIcon, type LucideIcon } from "lucide-react";
import { useRouteContext, type LinkProps } from "@tanstack/react-router";
import { memo, useEffect, useId, useRef, useState, type ReactNode } from "react";

import { AppLink } from "~/ui/layout/link";
import { readPreference, writePreference } from "~/ui/preferences";

import { GroupsPanel } from "./groups-panel";
import styles from "./navigation.module.css";
import { DOMAINS, isOffered, ORGANIZATION } from "~/shell/screens";
import { useCollection } from "~/shell/use-current";

const CLOSED = "navigation.closed";

/**
 * The domains that the user keeps closed; by default the rarely used one, to leave room for the tree. Navigating to a
 * screen in a closed domain opens it until the next visit.
 */
function useClosed(current: string | undefined) {
  const [closed, setClosed] = useState(() => (readPreference(CLOSED) ?? ORGANIZATION).split(","));
  const [arrivedAt, setArrivedAt] = useState<string>();
  if (arrivedAt !== current) {
    setArrivedAt(current);
    const here = DOMAINS.find(({ screens }) => screens.some(({ collection }) => collection === current));
    if (here && closed.includes(here.heading)) setClosed(closed.filter((each) => each !== here.heading));
  }
  const toggle = (heading: string) => {
    const next = closed.includes(heading) ? closed.filter((each) => each !== heading) : [...closed, heading];
    writePreference(CLOSED, next.join(","));
    setClosed(next);
  };
  return { closed, toggle };
}

const FULL = "navigation.tree.full";

/** Whether the tree has the whole height, remembered in this browser. */
function useFull(): readonly [boolean, (full: boolean) => void] {
  const [full, setFull] = useState(() => readPreference(FULL) !== null);
  return [
    full,
    (next) => {
      writePreference(FULL, next ? "1" : null);
      setFull(next);
    },
  ];
}

/** Links to the console's screens by domain, and below them the groups that each screen can be limited to. */
export function Navigation(): ReactNode {
  const id = useId();
  // The tags of a repo are part of its page: "Repos" stays current.
  const current = useCollection();
  const { closed, toggle } = useClosed(current);
  const { config } = useRouteContext({ from: "__root__" });
  const [full, setFull] = useFull();
  return (
    <div className={styles["navigation"]}>
      <nav aria-label="Main" className={styles["screens"]} hidden={full}>
        <ul className={styles["domain"]}>
          <Place to="/" label="Overview" icon={HouseIcon} current={current === ""} />
        </ul>
        {DOMAINS.map(({ heading, screens }, index) => (
          <div key={heading}>
            <h2 className={styles["heading"]} id={`${id}${index}`}>
              <button
                type="button"
                className={styles["toggle"]}
                aria-expanded={!closed.includes(heading)}
                onClick={() => toggle(heading)}
              >
                {heading}
              </button>
            </h2>
            {!closed.includes(heading) && (
              <ul className={styles["domain"]} aria-labelledby={`${id}${index}`}>
                {screens
                  .filter((screen) => isOffered(screen, config))
                  .map(({ collection, to, label, icon }) => (
                    <Place key={label} to={to} label={label} icon={icon} current={current === collection} />
                  ))}
              </ul>
            )}
          </div>
        ))}
      </nav>
      <GroupsPanel full={full} onFull={setFull} />
    </div>
  );
}

interface PlaceProps {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly current: boolean;
}

/** Of all places, a change of the screen concerns two. */
const Place = memo(({ to, label, icon: PlaceIcon, current }: PlaceProps): ReactNode => {
  const item = useRef<HTMLLIElement>(null);
  // In a low window the screens scroll: the current one stays in view.
  useEffect(() => {
    if (current) item.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <li ref={item} className={styles["place"]}>
      <AppLink target={{ to }} className={styles["link"]} aria-current={current ? "page" : undefined}>
        <PlaceIcon size={16} />
        {label}
      </AppLink>
    </li>
  );
});
