import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { AppLink } from "~/ui/layout/link";

import classes from "./usage.module.css";

const STATUS = { to: "/status", hash: "registry" };

interface WithoutRegistryProps {
  /** What is missing: "Pull tokens need a registry". */
  readonly children: string;
}

/** One line in place of what needs a registry, or its reports: why it isn't here, and where it says how to get it. */
export function WithoutRegistry({ children }: WithoutRegistryProps): ReactNode {
  const isConnected = useRouteContext({
    strict: false,
    select: ({ config }) => config?.registryAudience !== undefined,
  });
  return (
    <p className={classes["quiet"]}>
      {children}: {isConnected ? "the registry doesn't report pulls." : "no registry is connected."}{" "}
      <AppLink target={STATUS}>How to {isConnected ? "turn that on" : "connect one"}</AppLink>
    </p>
  );
}
