import type { ReactNode } from "react";

import { Document } from "~/ui/display/json-document";

import classes from "./readme.module.css";

export const WaitingReadme = (): ReactNode => <p className={classes["quiet"]}>Loading…</p>;

export const UnformattedReadme = ({ content }: { readonly content: string }): ReactNode => (
  <>
    <p className={classes["quiet"]}>This text is too complex to format. Showing it as it is.</p>
    <Document text={content} what="text" />
  </>
);
