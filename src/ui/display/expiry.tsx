import type { ReactNode } from "react";

import { useNow } from "../clock";
import { Badge } from "./badge";
import { Time } from "./time";

/** When something expires, and whether it has. */
export function Expiry({ value }: { readonly value: string | undefined }): ReactNode {
  const now = useNow(30);
  const over = value !== undefined && Date.parse(value) <= now;
  return (
    <>
      <Time value={value} absent="not set" /> {over ? <Badge tone="warning">Expired</Badge> : null}
    </>
  );
}
