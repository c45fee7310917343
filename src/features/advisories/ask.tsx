import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";

import classes from "./advisories.module.css";
import { readId } from "./ids";
import { affectedBy } from "./links";

/** Longer than any id; a pasted page is none. */
const LONGEST = 200;

interface AskProps {
  /** The id that is answered now. */
  readonly id?: string | undefined;
  /** What the page is for. */
  readonly primary?: boolean;
}

/** The one field of "Are we affected by CVE-...?". */
export function Ask({ id = "", primary = false }: AskProps): ReactNode {
  const field = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(id);
  const [known, setKnown] = useState(id);
  if (id !== known) {
    // Back, or a link to another one.
    setKnown(id);
    setTyped(id);
  }
  const sought = readId(typed);
  return (
    <form
      role="search"
      aria-label="Vulnerability"
      className={classes["ask"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (sought !== "") void navigate(affectedBy(sought));
      }}
    >
      <div className={classes["askField"]}>
        <label htmlFor={field} className={classes["askLabel"]}>
          CVE, GHSA, or advisory id
        </label>
        <input
          id={field}
          className={classes["askInput"]}
          value={typed}
          maxLength={LONGEST}
          placeholder="CVE-2026-12345"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          dir="ltr"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" variant={primary ? "filled" : "default"}>
        Are we affected?
      </Button>
    </form>
  );
}
