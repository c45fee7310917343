import type { AccountAssociation, AccountAssociationInput } from "platform-contract/iam/account-associations";

export interface InstallationRow {
  app: string;
  installationId: string;
  name: string;
}

/** The form's fields. API maps become rows, since the user edits their keys too. */
export interface AssociationValues {
  name: string;
  description: string;
  amazon: { account: string };
  google: { projectId: string; projectNumber: string };
  azure: { tenantId: string; clientIds: Record<string, string> };
  github: InstallationRow[];
  /** A service principal and the uid of its identity, separated by a space; "" until the user chooses one. */
  services: { binding: string }[];
}

export const BLANK_INSTALLATION: InstallationRow = { app: "", installationId: "", name: "" };
export const BLANK_SERVICE = { binding: "" };

export const bindingOf = (principal: string, uid: string): string => `${principal} ${uid}`;

export function fromAssociation(record: AccountAssociation | undefined): AssociationValues {
  const { amazon, google, azure, github, chainguard }: Partial<AccountAssociation> = record ?? {};
  return {
    name: record?.name ?? "",
    description: record?.description ?? "",
    amazon: { account: amazon?.account ?? "" },
    google: { projectId: google?.projectId ?? "", projectNumber: google?.projectNumber ?? "" },
    azure: { tenantId: azure?.tenantId ?? "", clientIds: { ...azure?.clientIds } },
    github: Object.entries(github?.appInstallations ?? {}).flatMap(([app, { installations = [] }]) =>
      installations.length === 0
        ? [{ app, installationId: "", name: "" }]
        : installations.map(({ installationId = "", name = "" }) => ({ app, installationId, name })),
    ),
    services: Object.entries(chainguard?.serviceBindings ?? {}).map(([principal, uid]) => ({
      binding: bindingOf(principal, uid),
    })),
  };
}

const trimmed = <T extends Record<string, string>>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value.trim()])) as T;

/** Returns undefined if nothing is filled in: the group has no such account. */
const unlessEmpty = <T extends Record<string, unknown>>(object: T): T | undefined =>
  Object.values(object).some((value) =>
    typeof value === "string" ? value !== "" : Object.keys(Object(value)).length > 0,
  )
    ? object
    : undefined;

/** Groups rows by app. Skips blank rows; keeps an app without installations. */
function installationsOf(rows: readonly InstallationRow[]) {
  const apps = new Map<string, { installationId: string; name?: string }[]>();
  for (const row of rows.map((each) => trimmed({ ...each }))) {
    const { app, installationId, name } = row;
    if (app === "" && installationId === "" && name === "") continue;
    const known = apps.get(app) ?? [];
    apps.set(app, known);
    if (installationId !== "" || name !== "") known.push({ installationId, ...(name !== "" && { name }) });
  }
  return Object.fromEntries([...apps].map(([app, installations]) => [app, { installations }]));
}

const bindingsOf = (rows: AssociationValues["services"]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ binding }) => {
      const [principal = "", uid = ""] = binding.split(" ");
      return principal === "" ? [] : [[principal, uid]];
    }),
  );

export function toBody(values: AssociationValues): AccountAssociationInput {
  const { azure, github, services } = values;
  const amazon = unlessEmpty(trimmed(values.amazon));
  const google = unlessEmpty(trimmed(values.google));
  const tenant = unlessEmpty({ tenantId: azure.tenantId.trim(), clientIds: azure.clientIds });
  const appInstallations = installationsOf(github);
  const serviceBindings = bindingsOf(services);
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    ...(amazon && { amazon }),
    ...(google && { google }),
    ...(tenant && { azure: tenant }),
    ...(Object.keys(appInstallations).length > 0 && { github: { appInstallations } }),
    ...(Object.keys(serviceBindings).length > 0 && { chainguard: { serviceBindings } }),
  };
}

/** Updates replace each account as a whole: a partial account is meaningless. */
export const ACCOUNTS = ["amazon", "google", "azure", "github", "chainguard"] as const;

/** Maps an API field path to the form's field name. */
export function fieldOf(path: string, { github, services }: AssociationValues): string {
  if (path.startsWith("azure.clientIds")) return "azure.clientIds";
  const [, app, index, key = "app"] =
    /^github\.appInstallations\.([^.]*)(?:\.installations(?:[.[](\d+)]?(?:\.(\w+))?)?)?/.exec(path) ?? [];
  if (app !== undefined) {
    const rows = github.flatMap((row, at) => (row.app.trim() === app ? [at] : []));
    return `github.${rows[Number(index ?? 0)] ?? 0}.${key}`;
  }
  const [, principal] = /^chainguard\.serviceBindings\.(\w+)/.exec(path) ?? [];
  if (principal !== undefined) {
    const at = services.findIndex(({ binding }) => binding.startsWith(`${principal} `));
    return `services.${Math.max(0, at)}.binding`;
  }
  return path;
}
