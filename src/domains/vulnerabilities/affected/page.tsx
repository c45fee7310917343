import { Button } from "@mantine/core";
import { PrinterIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Ask } from "~/domains/vulnerabilities/advisories/ask";
import {
  itemLine,
  itemText,
  writeItem,
  type PastedItem,
} from "~/domains/vulnerabilities/advisories/pasted/item";
import { useSeenAdvisories, whyHidden } from "~/domains/vulnerabilities/advisories/seen";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { NoAccessYet } from "~/frame/list/no-access-yet";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan } from "~/frame/permissions/use-can";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import { useTopGroups } from "~/frame/scope/top-groups";
import { ApiError } from "platform-client/errors";
import { advisories } from "platform-contract/vulnerabilities/advisories";
import "~/ui/controls/button-styles";
import { NotFound } from "~/ui/feedback/empty";
import { Page, PageHeader } from "~/ui/layout/page";
import "~/ui/layout/print.css";

import { Answer } from "./answer";
import { Chips } from "./chips";
import { itemsOf, readAffected } from "./data";
import { ImageAnswer } from "./image";
import classes from "./styles.module.css";

/** Shows whether a vulnerability affects anything in the scope. The address identifies the result. */
export function Affected(): ReactNode {
  const search = useCleanAddress(readAffected);
  const { version } = search;
  const items = itemsOf(search);
  const item =
    items.find((one) => writeItem(one) === search.pick) ?? (items.length === 1 ? items[0] : undefined);
  const scope = useScope();
  const chosen = useChosenGroup().group;
  const { group, error } = useGroup(chosen);
  const missing = error instanceof ApiError && error.code === "NOT_FOUND";
  const { state } = useCurrentUser();
  const { allowed, capability } = useCan(advisories.list, scope.group);
  const { organizations, folders } = useTopGroups();
  const seen = useSeenAdvisories();
  const hidden = whyHidden(
    seen,
    scope.group === undefined ? [...organizations, ...folders].map(({ uid }) => uid) : [scope.group],
  );
  const title = titleOf(item);
  useTitle(title);
  const where = chosen === undefined ? "all groups you can see" : (group?.name ?? "this group");
  return (
    <Page>
      <PageHeader
        icon={iconOf("advisories")}
        title={title}
        description={
          <>
            In <bdi>{where}</bdi>
            {chosen !== undefined && scope.reach === "below" ? " and its subfolders" : ""}.
          </>
        }
        actions={
          items.length === 0 ? undefined : (
            <Button
              variant="default"
              className={classes["noPrint"] ?? ""}
              leftSection={<PrinterIcon size={16} />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )
        }
      />
      <Ask
        text={items.map((one) => (one.name === undefined && one.id ? one.id : itemLine(one))).join("\n")}
        version={items.length > 1 ? undefined : (version ?? "")}
        primary={items.length === 0}
      />
      {state === "nobody" ? (
        <NoAccessYet />
      ) : missing ? (
        <NotFound kind="group" sought={scope.group} />
      ) : !allowed ? (
        <HiddenByRole capability={capability} group={scope.group} place={scope.group} />
      ) : items.length === 0 ? (
        <p className={classes["quiet"]}>
          Paste an id, a package and its version, a package URL, an image, the address of an advisory, or what
          Grype, Trivy, Docker Scout, npm audit or OSV-Scanner wrote, as text or JSON.
        </p>
      ) : (
        <>
          {items.length > 1 ? (
            <Chips
              key={search.ask}
              items={items}
              of={Number(search.of ?? items.length)}
              search={search}
              scope={scope}
              hidden={hidden}
              seen={seen}
            />
          ) : null}
          {item === undefined ? null : item.image === undefined ? (
            <Answer key={`${writeItem(item)} ${scope.group}`} item={item} scope={scope} hidden={hidden} />
          ) : (
            <ImageAnswer key={item.image} image={item.image} seen={seen} />
          )}
        </>
      )}
    </Page>
  );
}

function titleOf(item: PastedItem | undefined): string {
  if (item === undefined) return "Are we affected?";
  const { id, name, version, image } = item;
  if (image !== undefined || (id === undefined && version !== undefined))
    return `Is ${itemText(item)} affected?`;
  return id !== undefined && name !== undefined
    ? `Is ${itemText({ ...item, id: undefined })} affected by ${id}?`
    : id !== undefined
      ? `Are we affected by ${id}?`
      : `Are we affected through ${itemText(item)}?`;
}
