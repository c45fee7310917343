import { useQuery } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import { BellIcon } from "lucide-react";
import type { ReactNode } from "react";

import { endingsQuery, endingWords } from "~/domains/access/endings/data";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";
import styles from "~/shell/header.module.css";
import { HeaderPopover } from "~/shell/popover";

const ALL = linkOptions({ to: "/endings" });
/** Of what ends, the first ones are named. */
const NAMED = 5;

/** The bell in the header while something of the user's ends soon: the first of it, and the way to all. */
export function Bell(): ReactNode {
  const { data } = useQuery(endingsQuery);
  const { endings = [], more = false } = data ?? {};
  if (endings.length === 0) return null;
  const count = `${formatCount(endings.length)}${more ? "+" : ""}`;
  return (
    <HeaderPopover
      label="What ends soon"
      title={
        more
          ? `${count} things of yours end soon`
          : formatQuantity(endings.length, "thing of yours ends soon", "things of yours end soon")
      }
      side="end"
      button={
        <>
          <BellIcon size={16} />
          <span className={styles["count"]} data-tone="warning">
            {count}
          </span>
        </>
      }
    >
      {(close) => (
        <div className={styles["errors"]}>
          <ul aria-label="What ends soon">
            {endings.slice(0, NAMED).map((ending) => {
              const { name, kind, verb, link } = endingWords(ending);
              return (
                <li key={`${ending.topic} ${ending.uid}`}>
                  <p>
                    {link ? (
                      <AppLink target={link} onClick={close}>
                        <bdi>{name}</bdi>
                      </AppLink>
                    ) : (
                      <bdi>{name}</bdi>
                    )}
                  </p>
                  <p className={styles["where"]}>
                    {kind}
                    {ending.groupName ? (
                      <>
                        {" "}
                        in <bdi>{ending.groupName}</bdi>
                      </>
                    ) : null}
                    , {verb} <Time value={ending.endTime} />
                  </p>
                </li>
              );
            })}
          </ul>
          <p>
            <AppLink target={ALL} onClick={close}>
              Show all
            </AppLink>
          </p>
        </div>
      )}
    </HeaderPopover>
  );
}
