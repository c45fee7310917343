import { ChevronDownIcon, HouseIcon, type LucideIcon } from "lucide-react";
import { Link, useRouteContext, type LinkProps } from "@tanstack/react-router";
import {
  useDeferredValue,
  useId,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import { usePerson } from "~/auth/use-session";
import { Help } from "~/features/help/help";
import { GroupTree } from "~/features/group-tree/group-tree";
import { AppLink } from "~/ui/layout/link";
import { readPreference, writePreference } from "~/ui/preferences";

import { linkOut, useScopeLink } from "./links";
import styles from "./navigation.module.css";
import { DOMAINS, isOffered, ORGANIZATION } from "./screens";
import { useCollection, useCurrentGroup } from "./use-current";

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

/** Links to the console's screens by domain, and below them the groups that each screen can be limited to. */
export function Navigation(): ReactNode {
  const id = useId();
  // The tags of a repo are part of its page: "Repos" stays current.
  const current = useCollection();
  const { closed, toggle } = useClosed(current);
  const { config } = useRouteContext({ from: "__root__" });
  return (
    <div className={styles["navigation"]}>
      <nav aria-label="Main" className={styles["screens"]}>
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
                <ChevronDownIcon size={12} />
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
      <Groups />
    </div>
  );
}

interface PlaceProps {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly current: boolean;
}

function Place({ to, label, icon: PlaceIcon, current }: PlaceProps): ReactNode {
  return (
    <li>
      <AppLink target={{ to }} className={styles["link"]} aria-current={current ? "page" : undefined}>
        <PlaceIcon size={16} />
        {label}
      </AppLink>
    </li>
  );
}

const TREE_HEIGHT = "navigation.tree";
/** Px: of a step of the arrow keys, and the least that the tree and the screens keep. */
const STEP = 28;
const LEAST = 112;

/** The line between the screens and the tree, which can be dragged, or moved by the arrow keys. */
function Divider(props: {
  readonly height: number | undefined;
  readonly onHeight: (height: number) => void;
}): ReactNode {
  const { height, onHeight } = props;
  const line = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<number>();
  const roomOf = () => {
    const tree = line.current?.parentElement;
    return { now: tree?.offsetHeight ?? LEAST, whole: tree?.parentElement?.offsetHeight ?? LEAST };
  };
  const set = (wanted: number, keep: boolean) => {
    const most = roomOf().whole - LEAST;
    const next = Math.round(Math.max(LEAST, Math.min(most, wanted)));
    onHeight(next);
    if (keep) writePreference(TREE_HEIGHT, String(next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(roomOf().now + step, true);
  };
  return (
    <div
      ref={line}
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the tree"
      aria-valuenow={height ?? 304}
      aria-valuemin={LEAST}
      tabIndex={0}
      className={styles["divider"]}
      data-held={held === undefined ? undefined : ""}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(event.clientY + roomOf().now);
      }}
      onPointerMove={({ clientY }) => held !== undefined && set(held - clientY, false)}
      onPointerUp={({ clientY }) => {
        if (held !== undefined) set(held - clientY, true);
        setHeld(undefined);
      }}
    />
  );
}

function Groups(): ReactNode {
  const { issuer, subject } = usePerson();
  const { group, scoped } = useCurrentGroup();
  const linkTo = useScopeLink();
  const [height, setHeight] = useState(() => Number(readPreference(TREE_HEIGHT)) || undefined);
  // Renders after the screen's first rows; its space is reserved.
  const withTree = useDeferredValue(true, false);
  return (
    <section
      className={styles["groups"]}
      data-scoped={scoped || undefined}
      aria-label="Scope"
      style={height === undefined ? undefined : ({ "--tree-height": `${height}px` } as CSSProperties)}
    >
      <Divider height={height} onHeight={setHeight} />
      <div className={styles["groupsHead"]}>
        <span>
          Scope <Help about="scope" />
        </span>
        {/* Always rendered: a link that disappears when pressed would lose the focus. */}
        <Link
          to="."
          search={linkOut}
          className={styles["everything"]}
          data-current={!scoped}
          aria-current={scoped ? undefined : "true"}
        >
          All groups
        </Link>
      </div>
      <div className={styles["tree"]}>
        {withTree ? (
          <GroupTree label="Groups" owner={`${issuer} ${subject}`} current={group} linkTo={linkTo} />
        ) : null}
      </div>
    </section>
  );
}
