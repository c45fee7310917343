import type { ReactNode } from "react";

import { entryLink } from "~/domains/audit/log/queries";
import { GroupLink } from "~/frame/scope/group-link";
import { recordLink } from "~/frame/scope/record-link";
import { useUnseen } from "~/frame/scope/use-sight";
import { parentOf } from "platform-contract/aip";
import { listAuditEntries } from "platform-contract/audit/entries";
import { Badge } from "~/ui/display/badge";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { wordsOf } from "./plan";
import type { LeakAnswer, Standing } from "./read";
import classes from "./styles.module.css";

const STANDINGS: Readonly<Record<Standing, readonly [string, "danger" | "warning" | "neutral"]>> = {
  there: ["Still there", "danger"],
  changed: ["Changed since by someone else", "warning"],
  gone: ["Gone", "neutral"],
  ended: ["Ended", "neutral"],
  hidden: ["Unknown: hidden by your role", "warning"],
  unknown: ["Unknown: it couldn't be read", "warning"],
};

/** What it made that goes on when it ends. */
export function Outlives({ survivors }: Pick<LeakAnswer, "survivors">): ReactNode {
  const unseen = useUnseen(listAuditEntries, "entries", undefined);
  const unnamed = survivors.reduce((sum, one) => sum + one.unnamed, 0);
  const left = survivors.filter(({ standing }) => standing !== "gone" && standing !== "ended");
  return (
    <Section
      title="What outlives it"
      count={left.length}
      description="Ways in that it made or changed, which stay when the token ends."
    >
      {unnamed > 0 ? (
        <Notice tone="warning" title="There is more than the log names">
          It changed {formatQuantity(unnamed, "more record", "more records")} in operations on many at once,
          of which the log keeps the first hundred. Look at the lists themselves.
        </Notice>
      ) : null}
      {survivors.length === 0 ? (
        <p className={classes["quiet"]}>None that you can see. {unseen}</p>
      ) : (
        <FactTable
          caption="What outlives it"
          stacks
          head={["What", "Where", "Now", "Made"]}
          rows={survivors.map((one) => {
            const { collection, uid, change, standing, entry, via } = one;
            const isProvider = collection === "scimTokens";
            const kind = isProvider
              ? "identityProviders"
              : collection === "machineOwners"
                ? "identities"
                : collection;
            const link = standing === "gone" ? undefined : recordLink({ kind, uid });
            const [word, tone] = STANDINGS[standing];
            const words = <bdi>{wordsOf(one)}</bdi>;
            const above = collection === "externalGroupRoleMappings" ? parentOf(uid) : uid;
            const group = collection === "accountAssociations" ? uid : parentOf(above);
            return [
              <span key={`${collection} ${uid}`}>
                {link ? <AppLink target={link}>{words}</AppLink> : words}
              </span>,
              group === "" ? undefined : <GroupLink key="where" uid={group} />,
              <Badge key="now" tone={tone}>
                {word}
              </Badge>,
              <span key="made">
                {change === "created" ? "Made" : "Changed"}{" "}
                <AppLink target={entryLink(entry.uid)}>
                  <Time value={entry.createTime} />
                </AppLink>
                {via === undefined ? null : (
                  <>
                    {" "}
                    <bdi>{via}</bdi>
                  </>
                )}
              </span>,
            ];
          })}
        />
      )}
    </Section>
  );
}
