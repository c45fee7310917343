import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { totalOf } from "~/api/client/wire";
import { Section } from "~/ui/display/section";

import { Offers } from "~/domains/access/access-requests/offers";
import { WaitingRequests } from "~/domains/access/access-requests/waiting";
import { OwnRequests } from "~/domains/access/access-requests/own-requests";
import { Attention } from "./attention";
import { Changed } from "./changed";
import { Counts } from "./counts";
import { EndingAccess } from "./ending-access";
import { HELD, newestQuery } from "./holdings";
import { QuickActions } from "./quick-actions";
import { Resolved } from "./resolved";
import { useHiddenKinds } from "./use-hidden-kinds";
import styles from "./styles.module.css";

interface HomeProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
  /** Comes last, below the first column, since its height is unknown until it loads. */
  readonly children?: ReactNode;
}

/** The home page of a scope: what needs attention, what changed, what it contains, and quick actions. */
export function Home({ group, children }: HomeProps): ReactNode {
  const hidden = useHiddenKinds(group);
  return (
    <div className={styles["home"]}>
      <div className={styles["figures"]}>
        <Counts group={group} hidden={hidden} />
      </div>
      <div className={styles["column"]}>
        <EndingAccess group={group} />
        <Offers />
        <OwnRequests unseen />
        <WaitingRequests group={group} />
        <Attention group={group} hidden={hidden} />
        <Changed group={group} />
      </div>
      <div className={styles["column"]}>
        <QuickActions group={group} hidden={hidden} />
        <ResolvedSection group={group} />
      </div>
      {children}
    </div>
  );
}

const REPOS = HELD.filter(({ kind }) => kind.collection === "repos");

/** Renders only if there are repos, so that nothing is loaded otherwise. */
function ResolvedSection({ group }: HomeProps): ReactNode {
  const [held] = REPOS;
  if (!held) throw new Error("There is no kind of repos");
  const { allowed } = useCan(held.list, group);
  const { data } = useQuery({ ...newestQuery(held, group), enabled: allowed });
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Resolved vulnerabilities" description="In the last 30 days.">
      <Resolved repos={data.items} total={Number(totalOf(data) ?? data.items.length)} />
    </Section>
  );
}
