import { getRouteApi } from "@tanstack/react-router";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { useId, useState, type FormEvent, type ReactNode } from "react";

import { isUid, parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";
import { tagPage } from "~/features/registry/repo-links";
import { useTitle } from "~/features/scope/title";
import { paramToUid, uidToParam } from "~/features/scope/uid-param";

import { CompareTable } from "./compare-table";
import { nameOf } from "./columns";
import { namedQuery, tagQuery } from "./queries";
import classes from "./tags.module.css";

const route = getRouteApi("/tags/compare");

/** Two tags side by side. */
export function TagCompare(): ReactNode {
  const { a = "", b = "" } = route.useSearch();
  const [first, second] = [paramToUid(a), paramToUid(b)];
  const left = useQuery({ ...tagQuery(first), enabled: first !== "" });
  const right = useQuery({ ...tagQuery(second), enabled: second !== "" });
  const names = [left.data, right.data].flatMap((tag) => (tag ? [nameOf(tag)] : []));
  useTitle(names.length > 0 ? `Compare ${names.join(" and ")}` : "Compare tags");
  if (left.error && !left.data) throw left.error;
  if (right.error && !right.data) throw right.error;
  return (
    <Page>
      <PageHeader title="Compare tags" description="What two tags name, side by side." />
      {left.data ? <Other key={a} than={left.data} now={right.data} loading={right.isLoading} /> : null}
      {first === "" ? (
        <Notice>Choose "Compare with another tag" in the menu of a tag.</Notice>
      ) : left.data && right.data ? (
        <CompareTable a={left.data} b={right.data} />
      ) : second === "" ? null : (
        <p className={classes["quiet"]}>Loading…</p>
      )}
    </Page>
  );
}

interface OtherProps {
  readonly than: Tag;
  /** The tag that it is compared with. */
  readonly now: Tag | undefined;
  /** Whether that is on its way. */
  readonly loading: boolean;
}

/** Names the tag to compare with: by its name in the same repo, or by its uid anywhere. */
function Other({ than, now, loading }: OtherProps): ReactNode {
  const id = useId();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(now?.name ?? "");
  const [problem, setProblem] = useState<string>();
  const [known, setKnown] = useState(now?.uid);
  if (now?.uid !== known && !loading) {
    // Another comparison, by Back as well. The field stays, with the focus of whoever typed into it.
    setKnown(now?.uid);
    setTyped(now?.name ?? "");
    setProblem(undefined);
  }
  const go = (uid: string) =>
    void navigate({ to: ".", search: (view: object) => ({ ...view, b: uidToParam(uid) }) });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sought = typed.trim();
    if (sought === "") return setProblem("Enter the name of a tag.");
    if (isUid(paramToUid(sought))) return go(paramToUid(sought));
    try {
      const { pages } = await client.fetchInfiniteQuery(namedQuery(parentOf(than.uid), sought));
      const found = pages[0]?.items.find(({ name }) => name === sought);
      if (found) return go(found.uid);
      return setProblem(`This repo has no tag ${sought}.`);
    } catch (error) {
      return setProblem(errorFacts(error).message);
    }
  };
  return (
    <form className={classes["other"]} onSubmit={(event) => void submit(event)} noValidate>
      <p>
        <AppLink target={tagPage(than.uid)}>
          <code>{nameOf(than)}</code>
        </AppLink>
      </p>
      <label htmlFor={id}>compared with the tag</label>
      <input
        id={id}
        className={classes["field"]}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant={now ? "default" : "filled"}>
        Compare tags
      </Button>
      <p id={`${id}-problem`} role="alert" className={classes["problem"]}>
        {problem}
      </p>
    </form>
  );
}
