import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { AppLink } from "~/ui/layout/link";

import { TOPICS } from "./topics";

/** What a concept is, with a link to the page about all of them. */
export const Explanation = ({ about }: { readonly about: string }): ReactNode => (
  <>
    {TOPICS[about]?.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    <p>
      <AppLink target={linkOptions({ to: "/concepts", hash: about })}>How it fits together</AppLink>
    </p>
  </>
);
