import {
  PackageIcon,
  PersonIcon,
  ProjectRoadmapIcon,
  ShieldIcon,
  TagIcon,
  KeyIcon,
  type Icon,
} from "@primer/octicons-react";
import type { LinkProps } from "@tanstack/react-router";

/** The screens of one resource, as the shell speaks of them. */
interface Screens {
  /** First part of their addresses. */
  readonly collection: string;
  /** Their list. */
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  /** One of them, in a sentence. */
  readonly noun: string;
  readonly icon: Icon;
}

/** Every resource that has screens, by domain, in the order of the navigation. */
export const DOMAINS: readonly { readonly heading: string; readonly screens: readonly Screens[] }[] = [
  {
    heading: "Access",
    screens: [
      { collection: "groups", to: "/groups", label: "Groups", noun: "group", icon: ProjectRoadmapIcon },
      {
        collection: "identities",
        to: "/identities",
        label: "Identities",
        noun: "identity",
        icon: PersonIcon,
      },
      { collection: "roles", to: "/roles", label: "Roles", noun: "role", icon: ShieldIcon },
      {
        collection: "role-bindings",
        to: "/role-bindings",
        label: "Role bindings",
        noun: "role binding",
        icon: KeyIcon,
      },
    ],
  },
  {
    heading: "Registry",
    screens: [
      { collection: "repos", to: "/repos", label: "Repos", noun: "repo", icon: PackageIcon },
      { collection: "tags", to: "/tags", label: "Tags", noun: "tag", icon: TagIcon },
    ],
  },
];

const screens = DOMAINS.flatMap((domain) => domain.screens);

export const screensOf = (collection: string): Screens | undefined =>
  screens.find((each) => each.collection === collection);
