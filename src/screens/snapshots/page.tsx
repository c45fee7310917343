import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useGroup } from "~/features/scope/group-ancestry";
import { useScope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";
import { useCleanAddress } from "~/resource/clean-address";
import { shorten } from "~/ui/display/shorten";
import { Page, PageHeader } from "~/ui/layout/page";

import { CompareSnapshot } from "./compare-panel";
import { SaveSnapshot } from "./save-panel";

const readNothing = () => ({});

/** A scope as one file, and what has changed since one was made. */
export function SnapshotsPage(): ReactNode {
  useCleanAddress(readNothing);
  useTitle("Snapshots");
  const { config } = useRouteContext({ from: "__root__" });
  const { group: uid } = useScope();
  const { group } = useGroup(uid);
  const scope = uid === undefined ? null : { uid, name: group?.name || shorten(uid) };
  return (
    <Page>
      <PageHeader
        title="Snapshots"
        description="Save groups, roles, role bindings, identities and repos as one file, and see later what has changed."
      />
      {/* Of another scope nothing that was read before is shown. */}
      <SaveSnapshot key={uid} scope={scope} service={config.apiBaseUrl} />
      <CompareSnapshot service={config.apiBaseUrl} />
    </Page>
  );
}
