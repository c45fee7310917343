import { Link, type LinkProps } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";

/**
 * Where a link leads. Make it with the router's `linkOptions({ to, params, search })`, which checks the route and its
 * parameters; the kit itself knows no route.
 */
export interface LinkTarget {
  readonly to?: string;
  readonly from?: string;
  readonly params?: unknown;
  readonly search?: unknown;
  readonly hash?: unknown;
}

interface AppLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target"> {
  target: LinkTarget;
  ref?: Ref<HTMLAnchorElement>;
  children?: ReactNode;
}

/** A real anchor (Ctrl, middle click and "copy address" work) that the router follows without a reload. */
export function AppLink({ target, ...rest }: AppLinkProps) {
  return <Link {...(target as unknown as LinkProps)} {...(rest as object)} />;
}
