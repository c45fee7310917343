import { Textarea, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useId, type ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import { matchFacts } from "~/domains/identities/identities/match-facts";
import { Check } from "~/ui/controls/check";
import { Badge } from "~/ui/display/badge";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatQuantity } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { fieldParts } from "~/ui/form/field-parts";
import { AppLink } from "~/ui/layout/link";

import { claimLines, isPatternIn, subjectOf, type Edit } from "./edit";
import type { PlannedIdentity } from "./plan";
import classes from "./styles.module.css";

interface PlannedProps {
  readonly row: PlannedIdentity;
  readonly onEdit: (edit: Edit) => void;
}

/** Facts of a rule, but for the subject of the new one, which is a field. */
const factsOf = (rule: Parameters<typeof matchFacts>[0], without = ""): ReactNode => (
  <DefinitionList
    items={matchFacts(rule)
      .filter(({ term }) => term !== without)
      .map(({ term, text, code }) => ({
        term,
        value: code ? <Code value={text} what={term.toLowerCase()} /> : <bdi>{text}</bdi>,
        wide: true,
      }))}
  />
);

function Outcome({
  row: { body, decision, problems, there, lacking, left },
}: {
  readonly row: PlannedIdentity;
}): ReactNode {
  if (left) return <State tone="none">Left out</State>;
  if (!body) return <State tone="warning">Stays as it is</State>;
  if (decision !== undefined) return <State tone="warning">Needs your decision</State>;
  if (problems.length > 0) return <State tone="warning">Can't be created</State>;
  return there === undefined ? (
    <State tone="success">Would be created</State>
  ) : (
    <State tone="neutral">{lacking > 0 ? "Already there, but lacks roles" : "Already there"}</State>
  );
}

/** One identity: its rule now, the new one beside it, and what speaks against it. */
export function Planned({ row, onEdit }: PlannedProps): ReactNode {
  const { old, edit, body, decision, problems, broader, notes, roles, there, left } = row;
  const id = useId();
  const pattern = body !== undefined && isPatternIn(body);
  const claims = body?.claimMatch?.claims;
  const field = {
    autoComplete: "off",
    spellCheck: false,
    classNames: fieldParts,
    className: classes["field"] ?? "",
    disabled: left,
    "aria-describedby": `${id}problems`,
  };
  return (
    <li className={classes["planned"]} aria-label={old.name}>
      <div className={classes["head"]}>
        <span className={classes["pick"]}>
          {body ? (
            <Check
              bare
              label={`Move ${old.name}`}
              checked={!left}
              onChange={(checked) => onEdit({ left: !checked })}
            />
          ) : null}
          <AppLink target={identityLink(old.uid)}>
            <bdi className={classes["name"]}>{old.name}</bdi>
          </AppLink>
        </span>
        <Outcome row={row} />
        {broader === undefined || left ? null : <Badge tone="warning">May match more</Badge>}
      </div>
      <div className={classes["sides"]}>
        <div className={classes["side"]}>
          <h3 className={classes["title"]}>Now</h3>
          {factsOf(old)}
        </div>
        {body ? (
          <div className={classes["side"]}>
            <h3 className={classes["title"]}>New</h3>
            {there === undefined ? (
              <>
                <TextInput
                  {...field}
                  label="Name"
                  value={body.name}
                  onChange={(event) => onEdit({ name: event.currentTarget.value })}
                />
                <TextInput
                  {...field}
                  label={pattern ? "Subject pattern" : "Subject"}
                  value={subjectOf(body)}
                  onChange={(event) => onEdit({ subject: event.currentTarget.value })}
                />
                {body.claimMatch ? (
                  <Check
                    label="The subject is a pattern"
                    checked={pattern}
                    disabled={left}
                    onChange={(isPattern) => onEdit({ isPattern })}
                  />
                ) : null}
                {claims || edit.claims !== undefined || decision !== undefined ? (
                  <Textarea
                    {...field}
                    label="Claims"
                    description="One a line, such as environment=production."
                    rows={2}
                    value={edit.claims ?? claimLines(claims)}
                    onChange={(event) => onEdit({ claims: event.currentTarget.value })}
                  />
                ) : null}
                {factsOf({ ...old, ...body, uid: "" }, pattern ? "Subject pattern" : "Subject")}
              </>
            ) : (
              <>
                <AppLink target={identityLink(there)}>
                  <bdi className={classes["name"]}>{body.name}</bdi>
                </AppLink>
                {factsOf({ ...old, ...body, uid: "" })}
              </>
            )}
          </div>
        ) : null}
      </div>
      <p className={classes["quiet"]}>
        {roles.length === 0
          ? "It has no roles that you can see."
          : `${formatQuantity(roles.length, "role")}: ${roles.join(", ")}.`}
      </p>
      {decision !== undefined || edit.decided ? (
        <div className={classes["decision"]}>
          {decision}
          <Check
            label="Use the rule as it is here"
            checked={edit.decided ?? false}
            disabled={left}
            onChange={(decided) => onEdit({ decided })}
          />
        </div>
      ) : null}
      {broader === undefined ? null : (
        <p className={classes["broader"]}>It may match more tokens than the old one: {broader}.</p>
      )}
      {notes.length > 0 ? (
        <ul className={classes["notes"]}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <ul id={`${id}problems`} className={classes["problems"]} hidden={problems.length === 0}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </li>
  );
}
