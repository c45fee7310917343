import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useState, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { callOnce } from "~/api/mutations/call-once";
import { forgetInvite, keepInvite, keptInvite } from "~/auth/invite";
import { usePerson, useSession } from "~/auth/use-session";
import { ApiError } from "platform-client/errors";
import type { AnswerOf } from "platform-contract/endpoint";
import { register } from "platform-contract/iam/group-invites";
import { useTitle } from "~/frame/scope/title";
import { uidToParam } from "~/frame/scope/uid-param";
import { iconOf } from "~/frame/kind-icons";
import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Page, PageHeader } from "~/ui/layout/page";

import classes from "./join.module.css";

type Joined = AnswerOf<typeof register>;

/** The code is not part of the key: it is kept only in sessionStorage. */
const QUERY = ["invite"];

const isUnusable = (error: unknown): boolean => error instanceof ApiError && error.code === "NOT_FOUND";

/** The screen after opening an invite link and signing in. */
export function JoinInvite(): ReactNode {
  const [{ code, visit }, setOpened] = useState(() => ({ code: keptInvite(), visit: 0 }));
  // Opening another invite link in this tab changes only the fragment, and doesn't reload the page.
  useLayoutEffect(() => {
    const opened = () => {
      keepInvite(document.baseURI);
      setOpened((last) => ({ code: keptInvite(), visit: last.visit + 1 }));
    };
    addEventListener("hashchange", opened);
    return () => removeEventListener("hashchange", opened);
  }, []);
  useTitle("Invite");
  const { data, error, refetch } = useQuery({
    queryKey: [...QUERY, visit],
    queryFn: ({ signal }) => call(register, { body: { code: code ?? "", validateOnly: true }, signal }),
    enabled: code !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Page>
      <PageHeader
        icon={iconOf("groupInvites")}
        title="Invite"
        description="Review the invite before you join."
      />
      <div className={classes["card"]}>
        {code === undefined || isUnusable(error) ? (
          <Unusable />
        ) : error && !data ? (
          <FailedPart title="The invite couldn't be loaded" error={error} onRetry={refetch} />
        ) : data ? (
          <Offer key={visit} code={code} joining={data} />
        ) : (
          <p className={classes["quiet"]}>Loading the invite{"\u2026"}</p>
        )}
      </div>
    </Page>
  );
}

/** One message for every problem, so as not to reveal anything about a code to someone who shouldn't have it. */
const Unusable = (): ReactNode => (
  <>
    <Notice tone="warning" title="This invite can't be used">
      It may have expired, been used or revoked, or be for a different email. Ask the person who invited you
      for a new link.
    </Notice>
    <Account />
  </>
);

function Offer({ code, joining }: { readonly code: string; readonly joining: Joined }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { group, groupName = shorten(group), role, expirationTime } = joining;
  const join = useMutation({
    mutationFn: () => callOnce(register, { body: { code } }, crypto.randomUUID()),
    onSuccess: async () => {
      forgetInvite();
      // The new role can change what every query returns.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY[0] });
      toast(`Joined ${groupName}`);
      const uid = uidToParam(group);
      await navigate({
        to: "/groups/$uid",
        params: { uid },
        search: { group: uid },
        replace: true,
      });
    },
  });
  if (isUnusable(join.error)) return <Unusable />;
  return (
    <>
      <DefinitionList
        items={[
          { term: "Group", value: <bdi>{groupName}</bdi> },
          { term: "Role", value: <bdi>{role?.name ?? shorten(role?.uid ?? "")}</bdi> },
          { term: "Role description", value: role?.description && <bdi>{role.description}</bdi> },
          { term: "Expires", value: <Time value={expirationTime} /> },
        ]}
      />
      {join.error ? (
        <Notice tone="danger" role="alert" title="You haven't joined">
          {errorFacts(join.error).message}
        </Notice>
      ) : null}
      <Account>
        <Button loading={join.isPending} onClick={() => join.mutate()}>
          Join
        </Button>
      </Account>
    </>
  );
}

/** The account that would join, with a way to switch accounts. */
function Account({ children }: { readonly children?: ReactNode }): ReactNode {
  const session = useSession();
  const { name, email, subject } = usePerson();
  const [problem, setProblem] = useState<string>();
  const change = () =>
    session.signInAgain("login").catch((error: unknown) => setProblem(errorFacts(error).message));
  return (
    <>
      <p>
        You're signed in as <strong>{name ?? email ?? subject}</strong>
        {name !== undefined && email !== undefined ? <> ({email})</> : null}.
      </p>
      {problem === undefined ? null : <Notice tone="danger" role="alert" title={problem} />}
      <div className={classes["actions"]}>
        {children}
        <Button variant="default" onClick={() => void change()}>
          Use another account
        </Button>
      </div>
    </>
  );
}
