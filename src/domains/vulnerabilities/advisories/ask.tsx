import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { TextProblem } from "~/frame/untrusted-text/outcome";
import "~/ui/controls/button-styles";
import { plainField } from "~/ui/form/plain-field";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import classes from "./advisories.module.css";
import { readId } from "./ids";
import { affectedBy, affectedItems } from "./links";
import { isVulnerabilityId } from "./pasted/ids-within";
import { readPasted } from "./pasted/read-pasted";

/** Input limit in characters: a report of a large image. */
const MAX_CHARS = 5_000_000;
const MAX_VERSION = 200;

/** Half typed: a whole one has at least four digits at its end (CVE, "CVE ID Syntax"). */
const SHORT_CVE = /^CVE-\d{4}-\d{1,3}$/;

interface AskProps {
  /** What is asked about now, a line each. */
  readonly text?: string | undefined;
  /** The installed version, "" if none was given; undefined if the form has no field for it. */
  readonly version?: string | undefined;
  /** True if this is the main action of the page. */
  readonly primary?: boolean;
  /** Why the user can't ask; undefined if they can. */
  readonly refused?: string | undefined;
}

/** The field for "Are we affected by ...?": whatever is pasted is read for ids, packages and images. */
export function Ask({ text = "", version, primary = false, refused }: AskProps): ReactNode {
  const field = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(text);
  const [typedVersion, setTypedVersion] = useState(version ?? "");
  const [problem, setProblem] = useState<string>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const asked = `${text} ${version ?? ""}`;
  const [known, setKnown] = useState(asked);
  if (asked !== known) {
    // What is asked was changed by navigation: back, or a link.
    setKnown(asked);
    setTyped(text);
    setTypedVersion(version ?? "");
  }
  const ask = async (): Promise<void> => {
    reading.current?.abort();
    const { signal } = (reading.current = new AbortController());
    setProblem(undefined);
    const id = readId(typed);
    if (SHORT_CVE.test(id))
      return setProblem(`${id} is only part of an ID: a CVE ends in four digits or more.`);
    if (isVulnerabilityId(id)) return navigate(affectedBy(id, typedVersion.trim()));
    try {
      const items = await readPasted(typed, signal);
      if (signal.aborted) return;
      if (items.length > 0) await navigate(affectedItems(items, typedVersion.trim()));
      else setProblem("Nothing to look up: this names no ID, package or image.");
    } catch (error) {
      if (signal.aborted) return;
      setProblem(error instanceof TextProblem ? error.message : "This couldn't be read.");
    }
  };
  return (
    <form
      role="search"
      aria-label="Vulnerability"
      className={classes["ask"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== "" && refused === undefined) void ask();
      }}
    >
      <div className={classes["askField"]}>
        <label htmlFor={field} className={classes["askLabel"]}>
          CVE, package, image, or scanner output
        </label>
        <textarea
          id={field}
          className={`${plainField} ${classes["askInput"]} ${classes["askText"]}`}
          rows={1}
          value={typed}
          maxLength={MAX_CHARS}
          placeholder="CVE-2026-12345"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          dir="ltr"
          aria-describedby={`${field}-problem`}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </div>
      {version === undefined ? null : (
        <div className={classes["askVersion"]}>
          <label htmlFor={`${field}-version`} className={classes["askLabel"]}>
            Installed version (optional)
          </label>
          <input
            id={`${field}-version`}
            className={`${plainField} ${classes["askInput"]}`}
            value={typedVersion}
            maxLength={MAX_VERSION}
            placeholder="1.29.4-r0"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            dir="ltr"
            onChange={(event) => setTypedVersion(event.currentTarget.value)}
          />
        </div>
      )}
      <DisabledReason reason={refused}>
        <Button type="submit" variant={primary ? "filled" : "default"}>
          Are we affected?
        </Button>
      </DisabledReason>
      <p id={`${field}-problem`} role="alert" className={classes["askProblem"]}>
        {problem}
      </p>
    </form>
  );
}
