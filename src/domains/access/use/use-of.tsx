import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { listCapabilityUse } from "platform-contract/iam/capability-use";
import { by } from "platform-contract/order";
import { capabilityWords } from "~/domains/access/grants/capability-words";
import { GroupLink } from "~/frame/scope/group-link";
import { isPerson } from "~/frame/scope/people";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { useSight } from "~/frame/scope/use-sight";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";

import type { UseFacts } from "./facts";
import { useOf, useRecordsUse } from "./queries";
import classes from "./use.module.css";

/** Rows that are shown at first. */
const SHOWN = 20;

/** Which capabilities an identity has used, where and when last; nothing if the service doesn't count them. */
export function UseOf({ identity }: { readonly identity: string }): ReactNode {
  return useRecordsUse() ? <Use identity={identity} /> : null;
}

function Use({ identity }: { readonly identity: string }): ReactNode {
  const { data, error, refetch } = useQuery(useOf(identity));
  const rows = data?.rows.toSorted(by(({ lastTime = "" }) => lastTime)).toReversed() ?? [];
  const sight = useSight(listCapabilityUse, parentOf(identity) || undefined, rows.length === 0);
  // A person can have used something in an organization that the caller doesn't see.
  const hides = sight.partial || isPerson(identity);
  const table = (some: typeof rows) => (
    <FactTable
      caption="Use of capabilities"
      stacks
      head={["What", "Where", "Calls", "Last used"]}
      numbers={[2]}
      rows={some.map(({ capability, group, callCount = "0", lastTime }) => [
        capabilityWords(capability),
        <GroupLink key="group" uid={group} />,
        formatCount(Number(callCount)),
        <Time key="last" value={lastTime} />,
      ])}
    />
  );
  return (
    <Section title="Use" description={<Since data={data} partial={hides} />}>
      {error && !data ? (
        <FailedPart title="Its use couldn't be loaded" error={error} onRetry={refetch} />
      ) : rows.length > 0 ? (
        <>
          {table(rows.slice(0, SHOWN))}
          {rows.length > SHOWN ? (
            <details>
              <summary className={classes["quiet"]}>Show {formatCount(rows.length - SHOWN)} more</summary>
              {table(rows.slice(SHOWN))}
            </details>
          ) : null}
        </>
      ) : sight.state === "hidden" ? (
        <HiddenLine capability={sight.capability} />
      ) : (
        <p className={classes["quiet"]}>{data ? <None data={data} partial={hides} /> : "Loading…"}</p>
      )}
    </Section>
  );
}

/** Since when use is known. */
function Since({
  data,
  partial,
}: {
  readonly data: UseFacts | undefined;
  readonly partial: boolean;
}): ReactNode {
  if (data?.since === undefined || data.rows.length === 0) return null;
  return (
    <>
      Recorded since <Time value={data.since} />; what was before is unknown.
      {partial ? " Only groups where you can list role bindings count." : ""}
      {data.complete ? "" : ` Only ${formatCount(data.rows.length)} rows were read.`}
    </>
  );
}

const None = ({
  data: { since },
  partial,
}: {
  readonly data: UseFacts;
  readonly partial: boolean;
}): ReactNode =>
  since === undefined ? (
    "Nothing is recorded yet."
  ) : (
    <>
      None recorded{partial ? " in groups where you can list role bindings," : ""} since{" "}
      <Time value={since} />. What was before is unknown.
    </>
  );
