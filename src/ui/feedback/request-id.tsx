import { CopyButton } from "../display/copy-button";
import classes from "./request-id.module.css";

/** The id under which the service logged a request, to copy into a report. */
export function RequestId({ value }: { value: string }) {
  return (
    <span className={classes["request"]}>
      <span>
        Request <code>{value}</code>
      </span>
      <CopyButton value={value} what="request id" />
    </span>
  );
}
