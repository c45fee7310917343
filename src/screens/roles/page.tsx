import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { parentOf } from "~/contract/aip";
import { roleBindings } from "~/contract/iam/role-bindings";
import type { Role } from "~/contract/iam/roles";
import { Badge } from "~/ui/display/badge";
import { DefinitionList } from "~/ui/display/definition-list";
import { FailedPart } from "~/ui/feedback/failed-part";
import { onDemand } from "~/ui/on-demand";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { GroupLink } from "~/features/scope/group-link";
import { RecordScreen } from "~/resource/record-screen";

import { isBuiltIn, roleScreens } from "./data";
import classes from "./styles.module.css";

const RoleDrawers = onDemand(async () => (await import("./drawers")).RoleDrawers);

/** One role: what it lets somebody do, and to whom it is given. */
export function RolePage(): ReactNode {
  return (
    <RecordScreen
      of={roleScreens}
      drawers={RoleDrawers}
      badges={(record) => <Badge>{isBuiltIn(record) ? "Built-in" : "Custom"}</Badge>}
    >
      {(record) => (
        <>
          <DefinitionList
            items={[
              {
                term: "Description",
                value: record.description && <bdi>{record.description}</bdi>,
                wide: true,
              },
              {
                term: "Belongs to",
                value: isBuiltIn(record) ? "the platform" : <GroupLink uid={parentOf(record.uid)} />,
              },
              { term: "Created", value: <Time value={record.createTime} /> },
              { term: "Updated", value: <Time value={record.updateTime} /> },
            ]}
          />
          <Capabilities of={record} />
          <GivenTo role={record.uid} />
        </>
      )}
    </RecordScreen>
  );
}

function Capabilities({ of: { capabilities = [] } }: { readonly of: Role }): ReactNode {
  return (
    <Section title="Capabilities" count={capabilities.length}>
      <ul className={classes["capabilities"]}>
        {capabilities.toSorted().map((capability) => (
          <li key={capability}>
            <code>{capability}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function GivenTo({ role: uid }: { readonly role: string }): ReactNode {
  const { data, error, refetch } = useInfiniteQuery(
    infinite(roleBindings.list, { role: uid, order_by: "created_at desc", page_size: 20 }),
  );
  const { rows, total } = rowsOf(data);
  return (
    <Section title="Given to" count={total}>
      {error && !data ? (
        <FailedPart title="Its role bindings could not be loaded" error={error} onRetry={refetch} />
      ) : data && rows.length === 0 ? (
        <p className={classes["quiet"]}>Nobody whom you may see holds it.</p>
      ) : (
        <ul className={classes["holders"]}>
          {rows.map((binding) => (
            <li key={binding.uid}>
              <bdi>{binding.identity?.name}</bdi> at <GroupLink uid={parentOf(binding.uid)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
