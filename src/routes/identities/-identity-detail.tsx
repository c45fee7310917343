import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, notFound } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { isUid } from "~/contract/aip";
import { identities, type Identity } from "~/contract/iam/identities";
import { Badge } from "~/kit/badge";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { RawJson } from "~/kit/json-document";
import { ActionMenu } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { shorten } from "~/kit/shorten";
import { StaleNotice } from "~/kit/stale-notice";
import { Uid } from "~/kit/uid";
import { recordActions, requestsAction } from "~/parts/behind";
import { useTitle } from "~/parts/title";
import { useView } from "~/parts/use-view";
import { paramToUid } from "~/parts/uid-param";

import { IdentityBindings } from "./-identity-bindings";
import { IdentityDrawers } from "./-identity-drawers";
import { IdentityFacts, Recognition } from "./-identity-facts";
import { identityQuery } from "./-identity-queries";
import type { IdentityDetailSearch } from "./-identity-search";
import { isPerson, kindWord, nameOf, PERSON_FIXED } from "./-identity-words";
import { IssuerNote } from "./-issuer-note";

const route = getRouteApi("/identities/$uid");

/** One identity: what recognises it, and what it may do. */
export function IdentityDetail(): ReactNode {
  const uid = paramToUid(route.useParams().uid);
  if (!isUid(uid)) throw notFound();
  return <Loaded key={uid} uid={uid} />;
}

function Loaded({ uid }: { readonly uid: string }): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery(identityQuery(uid));
  useTitle(data?.name);
  // What the shell says of it stands in the place of the screen.
  if (error && !data) throw error;
  if (!data)
    return (
      <Page>
        <PageHeader title={shorten(uid)} description="Loading…" />
      </Page>
    );
  const stale = error && <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} />;
  return <Detail identity={data} stale={stale} />;
}

function Detail({ identity, stale }: { identity: Identity; stale: ReactNode }): ReactNode {
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const { uid, claimMatch } = identity;
  const name = nameOf(identity);
  const fixed = isPerson(identity) ? PERSON_FIXED : undefined;
  const update = useCan(identities.update, uid);
  const removal = useCan(identities.delete, uid);
  const { open, close } = useView<IdentityDetailSearch>();

  return (
    <Page>
      <PageHeader
        title={name}
        badges={<Badge>{kindWord(identity)}</Badge>}
        meta={<Uid value={uid} />}
        actions={
          <>
            <ActionMenu
              label={`More actions for ${name}`}
              actions={() => [
                ...recordActions(identity, name),
                requestsAction,
                {
                  label: "Delete",
                  onSelect: () => open("delete"),
                  disabled: fixed ?? removal.reason,
                  danger: true,
                },
              ]}
            />
            <DisabledReason reason={fixed ?? update.reason}>
              <Button variant="default" onClick={() => open("edit")}>
                Edit
              </Button>
            </DisabledReason>
          </>
        }
      />
      {stale}
      <IdentityFacts identity={identity} />
      <Recognition identity={identity} />
      <IssuerNote issuer={claimMatch?.issuer ?? ""} />
      <IdentityBindings identity={identity} />
      <RawJson value={identity} />
      <IdentityDrawers
        drawer={drawer}
        item={uid}
        known={identity}
        onClose={close}
        onDeleted={() => void navigate({ to: "/identities", replace: true })}
      />
    </Page>
  );
}
