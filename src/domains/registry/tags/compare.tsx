import { useNavigate } from "@tanstack/react-router";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { useId, useState, type FormEvent, type ReactNode } from "react";

import { isUid, parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { plainField } from "~/ui/form/plain-field";
import { AppLink } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";
import { FixedBetween } from "~/domains/vulnerabilities/vulnerability-reports/lazy-parts";
import { Page, PageHeader } from "~/ui/layout/page";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";

import { CompareTable } from "./compare-table";
import { namedQuery, readCompare, tagScreens } from "./data";
import classes from "./styles.module.css";

/** Shows two tags side by side. */
export function TagCompare(): ReactNode {
  const { a = "", b = "" } = useCleanAddress(readCompare);
  const [first, second] = [paramToUid(a), paramToUid(b)];
  const left = useQuery({ ...tagScreens.record(first), enabled: first !== "" });
  const right = useQuery({ ...tagScreens.record(second), enabled: second !== "" });
  const names = [left.data, right.data].flatMap((tag) => (tag ? [tagScreens.nameOf(tag)] : []));
  useTitle(names.length > 0 ? `Compare ${names.join(" and ")}` : "Compare two tags");
  if (left.error && !left.data) throw left.error;
  if (right.error && !right.data) throw right.error;
  return (
    <Page>
      <PageHeader icon={iconOf("tags")} title="Compare two tags" />
      {left.data ? <CompareWith key={a} than={left.data} now={right.data} loading={right.isLoading} /> : null}
      {first === "" ? (
        <Notice>Choose "Compare with another tag" in a tag's menu.</Notice>
      ) : left.data && right.data ? (
        <>
          <CompareTable a={left.data} b={right.data} />
          <FixedBetween key={`${a} ${b}`} a={left.data} b={right.data} />
        </>
      ) : second === "" ? null : (
        <p className={classes["quiet"]}>Loading…</p>
      )}
    </Page>
  );
}

interface CompareWithProps {
  readonly than: Tag;
  /** The tag currently compared with. */
  readonly now: Tag | undefined;
  /** True while that tag is loading. */
  readonly loading: boolean;
}

/** Form for the tag to compare with: by name in the same repo, or by uid anywhere. */
function CompareWith({ than, now, loading }: CompareWithProps): ReactNode {
  const id = useId();
  const name = tagScreens.nameOf(than);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(now?.name ?? "");
  const [problem, setProblem] = useState<string>();
  const [known, setKnown] = useState(now?.uid);
  if (now?.uid !== known && !loading) {
    // The comparison changed, possibly by Back. Reset the state instead of remounting, so the field keeps the focus.
    setKnown(now?.uid);
    setTyped(now?.name ?? "");
    setProblem(undefined);
  }
  const go = (uid: string) =>
    void navigate({ to: "/tags/compare", search: (view) => ({ ...view, b: uidToParam(uid) }) });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sought = typed.trim();
    if (sought === "") return setProblem("Enter the name of a tag.");
    if (isUid(paramToUid(sought))) return go(paramToUid(sought));
    try {
      const { pages } = await client.fetchInfiniteQuery(namedQuery(parentOf(than.uid), sought));
      const found = pages[0]?.items.find((tag) => tag.name === sought);
      if (found) return go(found.uid);
      return setProblem(`This repo has no tag ${sought}.`);
    } catch (error) {
      return setProblem(errorFacts(error).message);
    }
  };
  return (
    <form className={classes["other"]} onSubmit={(event) => void submit(event)} noValidate>
      <span>Compare</span>
      <AppLink target={tagScreens.link(than.uid)}>
        <code>{name}</code>
      </AppLink>
      <label htmlFor={id}>with</label>
      <input
        id={id}
        className={`${plainField} ${classes["field"]}`}
        value={typed}
        aria-label={`Compare ${name} with`}
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
