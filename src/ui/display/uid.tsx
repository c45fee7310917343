import { CopyButton } from "./copy-button";
import { shorten } from "./shorten";
import classes from "./uid.module.css";

interface UidProps {
  value: string;
  /** Name for the copy button: "digest" makes "Copy digest". */
  what?: string;
  /** Replaces the shortened form, if another part says more. */
  short?: string;
  /** No copy button, if a row's menu has one. */
  plain?: boolean;
}

/** A uid or digest: monospace, shortened in the middle; in full on hover, on focus and when copied. */
export function Uid({ value, what = "uid", short = shorten(value), plain = false }: UidProps) {
  return (
    <span className={classes["uid"]} data-tip={short === value ? undefined : value}>
      <code className={classes["text"]} data-exact={value}>
        {short}
      </code>
      {plain ? null : <CopyButton value={value} what={what} tip={value} />}
    </span>
  );
}
