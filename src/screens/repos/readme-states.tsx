import type { ReactNode } from "react";

import { Document } from "~/ui/display/json-document";

import classes from "./styles.module.css";

export const WaitingReadme = (): ReactNode => <p className={classes["quiet"]}>Loading…</p>;

export const UnformattedReadme = ({ content }: { readonly content: string }): ReactNode => (
  <>
    <p className={classes["quiet"]}>This readme is too complex to format. Showing the plain text.</p>
    <Document text={content} what="readme" />
  </>
);
