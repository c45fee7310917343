import type { ReactNode } from "react";

import { useRefusedAt } from "~/frame/permissions/use-can";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { capitalize } from "~/ui/display/capitalize";
import { shorten } from "~/ui/display/shorten";
import { Page, PageHeader } from "~/ui/layout/page";
import { Tabs } from "~/ui/layout/tabs";

import { Import } from "./import";
import { KINDS } from "./kinds";
import { readImportSearch } from "./search";
import { keysOf } from "~/ui/keys";

/** Creates many records of one kind from a file or a list. */
export function ImportPage(): ReactNode {
  const { kind: name = "identities" } = useCleanAddress(readImportSearch);
  const kind = KINDS[name];
  const title = `Import ${kind.many}`;
  useTitle(title);
  const { group: parent, known } = useChosenGroup();
  const { group: place } = useGroup(parent);
  const refused = useRefusedAt(kind.resource.create, [parent]);
  const where = place?.name ?? (parent === undefined ? "" : shorten(parent));
  return (
    <Page>
      <PageHeader
        icon={iconOf("import")}
        title={title}
        description={
          parent === undefined ? (
            "From a file or a list."
          ) : (
            <>
              From a file or a list, into <bdi>{where}</bdi>.
            </>
          )
        }
      />
      <Tabs
        label="What to import"
        current={capitalize(kind.many)}
        tabs={keysOf(KINDS).map((each) => ({
          label: capitalize(KINDS[each].many),
          link: { to: "/import", search: (now: object) => ({ ...now, kind: each }) },
        }))}
      />
      {parent === undefined ? (
        known ? (
          <ChooseGroup>Choose the organization or folder that they belong to first.</ChooseGroup>
        ) : null
      ) : refused ? (
        <HiddenByRole {...refused} title="Not allowed by your role" />
      ) : (
        <Import key={`${name} ${parent}`} kind={kind} parent={parent} where={where} />
      )}
    </Page>
  );
}
