import { useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { useRouteContext } from "@tanstack/react-router";
import {
  BracesIcon,
  HandIcon,
  HistoryIcon,
  KeyRoundIcon,
  LogOutIcon,
  MonitorIcon,
  MoonIcon,
  PlusIcon,
  Rows3Icon,
  SlidersHorizontalIcon,
  SunIcon,
  TerminalIcon,
  DiffIcon,
  ZapIcon,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";

import { useRefusal } from "~/frame/permissions/use-can";
import type { Endpoint } from "platform-contract/endpoint";
import { everyKind, listPath, wordsInside } from "platform-contract/kinds";
import type { Kind } from "platform-contract/kind";
import { requestsAction } from "~/frame/request-inspector/record-actions";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { PULL_TOKEN } from "~/domains/identities/pull-token/links";
import { uidToParam } from "~/frame/scope/uid-param";
import { setDensity, type Density } from "~/ui/table/use-columns";

import { askPage } from "~/domains/access/access-requests/links";
import { useAccountPages } from "~/frame/account-pages";
import { useSignOut } from "~/shell/session/use-sign-out";
import type { Entry } from "./entries";
import { openCommand } from "./opened";

interface Surroundings {
  /** uid of the scope; if undefined, the forms ask for the group. */
  readonly group: string | undefined;
  readonly refusal: (endpoint: Pick<Endpoint, "access">, group: string | undefined) => string | undefined;
  readonly setColorScheme: (scheme: MantineColorScheme) => void;
  readonly setDensity: (density: Density) => void;
  readonly signOut: () => void;
  /** Address of the pages about one's account, if they are this service's. */
  readonly accountPages: string | undefined;
  /** Address of the API's description; undefined where it is not known to have one. */
  readonly description: string | undefined;
  /** True if the service takes requests for access. */
  readonly asksForAccess: boolean;
  /** Keys of config.json of the extensions that the service has. */
  readonly extensions: readonly string[];
  /** The service answers reads as of a moment. */
  readonly showsMoments: boolean;
  /** A registry is connected. */
  readonly makesPullTokens: boolean;
}

/** Where people do not say "create". */
const SAID: Readonly<Record<string, string>> = { roleBindings: "Grant access" };

const SCHEMES: readonly (readonly [MantineColorScheme, string, LucideIcon])[] = [
  ["dark", "dark", MoonIcon],
  ["light", "light", SunIcon],
  ["auto", "as the system", MonitorIcon],
];

/** Pages of this service's own provider, outside the console. */
const ACCOUNT_PAGES: readonly (readonly [page: string, label: string, icon: LucideIcon])[] = [
  ["security", "Security of your account", KeyRoundIcon],
  ["password", "Change password", KeyRoundIcon],
];

/** What can be done from every screen. */
export function globalActions(around: Surroundings): readonly Entry[] {
  const { group, refusal, signOut, accountPages, description, asksForAccess, makesPullTokens } = around;
  const { extensions } = around;
  const search = (drawer: string) => ({ ...(group !== undefined && { group: uidToParam(group) }), drawer });
  const create = (kind: Kind, label: string, drawer = "create"): readonly Entry[] => {
    const { access, collection } = kind;
    if (!access.create) return [];
    const at = drawer === "create" ? group : "";
    const refused = refusal({ access: access.create }, at);
    return [
      {
        id: `do ${drawer} ${collection}`,
        label,
        icon: PlusIcon,
        ...(refused === undefined
          ? { link: { to: listPath(collection), search: search(drawer) } }
          : { detail: refused }),
      },
    ];
  };
  return [
    ...everyKind
      // What is created in another record, as a tag in a repo, has its action on that page.
      .filter(({ screens, parent }) => screens && parent === "groups")
      .filter(({ extension }) => extension === undefined || extensions.includes(extension))
      .flatMap((kind) => create(kind, SAID[kind.collection] ?? `Create ${wordsInside(kind)[0]}`)),
    ...everyKind
      .filter(({ collection }) => collection === "groups")
      .flatMap((kind) => create(kind, "Create organization", "create-organization")),
    {
      id: "do test-token",
      label: "Test a token",
      icon: ZapIcon,
      link: { to: "/identities", search: search("test-token") },
    },
    { id: "do plan", label: "Plan changes from files", icon: DiffIcon, link: { to: "/plan" } },
    { id: "do leaked-token", label: "A token has leaked", icon: ZapIcon, link: { to: "/leaked-token" } },
    {
      id: "do pull-token",
      label: "Create pull token",
      icon: PlusIcon,
      link: { to: "/identities", search: search(PULL_TOKEN) },
      // Its dialog says how to connect one.
      ...(makesPullTokens ? {} : { detail: "No registry is connected" }),
    },
    ...(asksForAccess
      ? [
          {
            id: "do ask",
            label: group === undefined ? "Ask for access" : "Ask for more access here",
            icon: HandIcon,
            ...(group === undefined
              ? { detail: "Choose an organization or folder first" }
              : { link: askPage(group) }),
          },
        ]
      : []),
    ...(around.showsMoments
      ? [
          {
            id: "do moment",
            label: "See the console as of a moment",
            icon: HistoryIcon,
            run: () => openCommand("moment"),
          },
        ]
      : []),
    { id: "do requests", label: "Show API requests", icon: TerminalIcon, run: requestsAction.onSelect },
    ...(description === undefined
      ? []
      : [
          {
            id: "do description",
            label: "API description (OpenAPI)",
            icon: BracesIcon,
            run: () => location.assign(description),
          },
        ]),
    {
      id: "do preferences",
      label: "Your account",
      icon: SlidersHorizontalIcon,
      run: () => openCommand("account"),
    },
    ...SCHEMES.map(([scheme, words, icon]) => ({
      id: `do scheme ${scheme}`,
      label: `Color scheme: ${words}`,
      icon,
      run: () => around.setColorScheme(scheme),
    })),
    ...(["compact", "comfortable"] as const).map((density) => ({
      id: `do density ${density}`,
      label: `Make rows ${density}`,
      icon: Rows3Icon,
      run: () => around.setDensity(density),
    })),
    ...(accountPages === undefined
      ? []
      : ACCOUNT_PAGES.map(([page, label, icon]) => ({
          id: `do account ${page}`,
          label,
          icon,
          run: () => location.assign(`${accountPages}/${page}`),
        }))),
    { id: "do sign-out", label: "Sign out", icon: LogOutIcon, run: signOut },
  ];
}

/** The same for the user, in the scope on screen. */
export function useGlobalActions(): readonly Entry[] {
  const refusal = useRefusal();
  // What is created belongs to the only group that the user can see, as the tree shows.
  const { group } = useChosenGroup();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { signOut } = useSignOut();
  const accountPages = useAccountPages();
  const { config } = useRouteContext({ from: "__root__" });
  // Another service is not known to have one.
  const description = accountPages === undefined ? undefined : `${config.apiBaseUrl}/openapi.json`;
  return globalActions({
    group,
    refusal,
    setColorScheme,
    setDensity,
    signOut,
    accountPages,
    description,
    asksForAccess: config.accessRequests === true,
    extensions: config.guardRails ? ["guardRails"] : [],
    showsMoments: config.readTime,
    makesPullTokens: config.registryAudience !== undefined,
  });
}
