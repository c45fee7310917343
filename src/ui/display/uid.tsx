import { CopyButton } from "./copy-button";
import { shorten } from "./shorten";
import classes from "./uid.module.css";

interface UidProps {
  value: string;
  /** What it identifies, for the copy button: "digest" makes "Copy digest". */
  what?: string;
  /** What is shown of it, where another end of it tells more. */
  short?: string;
  /** Without the copy button, where a row's menu has it. */
  plain?: boolean;
}

/** A uid or digest: monospace, shortened in the middle, whole on hover and focus and when copied. */
export function Uid({ value, what = "uid", short = shorten(value), plain = false }: UidProps) {
  return (
    <span className={classes["uid"]} data-tip={short === value ? undefined : value}>
      <code className={classes["text"]}>{short}</code>
      {plain ? null : <CopyButton value={value} what={what} tip={value} />}
    </span>
  );
}
