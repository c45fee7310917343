import { createLink, type LinkProps } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";

/**
 * The target of a link. Create it with the router's `linkOptions({ to, params, search })`, which checks the route and
 * its parameters; `src/ui` itself knows no routes.
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
  /** `false`: hover and focus load nothing ahead, as for a link among many. */
  preload?: false;
  ref?: Ref<HTMLAnchorElement>;
  children?: ReactNode;
}

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
  current: AppLinkProps["aria-current"];
  disabled?: boolean;
  "data-status"?: string;
}

/** An anchor without the attributes that the router adds to links to the present page. */
function Anchor(props: AnchorProps) {
  const { current, children, disabled: _, "data-status": _status, "aria-current": _current, ...rest } = props;
  return (
    <a {...rest} aria-current={current}>
      {children}
    </a>
  );
}

const RouterLink = createLink(Anchor);
const NO_PROPS = {};

/**
 * A real anchor (Ctrl, middle click and "copy address" work) that the router follows without a reload.
 * The caller sets `aria-current`: the router would mark every link to an ancestor of this page as current.
 */
export function AppLink({ target, "aria-current": current, ...rest }: AppLinkProps) {
  return <RouterLink {...(target as LinkProps)} {...rest} activeProps={NO_PROPS} current={current} />;
}
