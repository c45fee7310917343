import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { plainField } from "~/ui/form/plain-field";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import classes from "./advisories.module.css";
import { readId } from "./ids";
import { affectedBy } from "./links";

/** Input limit in characters; longer than any id. */
const MAX_CHARS = 200;

interface AskProps {
  /** The id whose result is shown. */
  readonly id?: string | undefined;
  /** The installed version, "" if none was given; undefined if the form has no field for it. */
  readonly version?: string | undefined;
  /** True if this is the main action of the page. */
  readonly primary?: boolean;
  /** Why the user can't ask; undefined if they can. */
  readonly refused?: string | undefined;
}

/** The search field for "Are we affected by CVE-...?". */
export function Ask({ id = "", version, primary = false, refused }: AskProps): ReactNode {
  const field = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(id);
  const [typedVersion, setTypedVersion] = useState(version ?? "");
  const asked = `${id} ${version ?? ""}`;
  const [known, setKnown] = useState(asked);
  if (asked !== known) {
    // The id was changed by navigation: back, or a link to another id.
    setKnown(asked);
    setTyped(id);
    setTypedVersion(version ?? "");
  }
  const sought = readId(typed);
  return (
    <form
      role="search"
      aria-label="Vulnerability"
      className={classes["ask"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (sought !== "" && refused === undefined) void navigate(affectedBy(sought, typedVersion.trim()));
      }}
    >
      <div className={classes["askField"]}>
        <label htmlFor={field} className={classes["askLabel"]}>
          CVE, GHSA, or advisory id
        </label>
        <input
          id={field}
          className={`${plainField} ${classes["askInput"]}`}
          value={typed}
          maxLength={MAX_CHARS}
          placeholder="CVE-2026-12345"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          dir="ltr"
          onChange={(event) => setTyped(event.currentTarget.value)}
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
            maxLength={MAX_CHARS}
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
    </form>
  );
}
