import { iconOf } from "~/frame/kind-icons";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { shorten } from "~/ui/display/shorten";
import { Page, PageHeader } from "~/ui/layout/page";
import { SnapshotPanels } from "./panels";

const readNothing = () => ({});

/** Saves a scope as one file, and compares such a file with the current state. */
export function SnapshotsPage(): ReactNode {
  useCleanAddress(readNothing);
  useTitle("Snapshots");
  const { config } = useRouteContext({ from: "__root__" });
  const { group: uid, known } = useChosenGroup();
  const { group } = useGroup(uid);
  const scope = uid === undefined ? null : { uid, name: group?.name || shorten(uid) };
  return (
    <Page>
      <PageHeader
        title="Snapshots"
        icon={iconOf("snapshots")}
        description="Save the groups, roles, role bindings, identities, repos and tags you can see to a file, and compare later."
      />
      {known ? (
        <SnapshotPanels scope={scope} service={config.apiBaseUrl} signs={config.snapshotSignatures} />
      ) : null}
    </Page>
  );
}
