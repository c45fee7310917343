import type { Row } from "../../platform/store/database";

interface Association {
  readonly at: readonly string[];
  readonly name: string;
  readonly description: string;
  readonly accounts: Readonly<Record<string, unknown>>;
  /** Names of service identities in the group, by principal. */
  readonly services?: Readonly<Record<string, string>>;
}

const ASSOCIATIONS: readonly Association[] = [
  {
    at: [],
    name: "Meridian accounts",
    description: "Accounts for services of the whole organization",
    accounts: {
      amazon: { account: "418273650912" },
      google: { projectId: "meridian-prod", projectNumber: "730481265591" },
      github: {
        appInstallations: { "284117": { installations: [{ installationId: "51930274", name: "meridian" }] } },
      },
    },
    services: {
      SERVICE_PRINCIPAL_CATALOG_SYNCER: "catalog syncer",
      SERVICE_PRINCIPAL_COSIGNED: "image signing",
    },
  },
  {
    at: ["platform"],
    name: "Build accounts",
    description: "Where images are built",
    accounts: { amazon: { account: "905318274466" } },
    services: { SERVICE_PRINCIPAL_APKO_BUILDER: "image builder" },
  },
  {
    at: ["data", "lakehouse"],
    name: "Lakehouse",
    description: "",
    accounts: {
      azure: {
        tenantId: "5c1f08d3-94a7-4b7e-8a52-0d3b6f2c9e11",
        clientIds: {
          scanner: "0f4f8b6a-2a39-4c35-9a41-6b7f8f21c0de",
          syncer: "b3b0a7c4-77e2-4f8e-9d3e-52d0c1c6a9f0",
        },
      },
    },
  },
  { at: ["research"], name: "Research accounts", description: "None yet", accounts: {} },
];

interface Terms {
  readonly at: readonly string[];
  readonly name: string;
  readonly label: string;
  readonly accepted: boolean;
}

const TERMS: readonly Terms[] = [
  { at: [], name: "platform-tos.v2", label: "Platform Terms of Service", accepted: true },
  { at: [], name: "dpa.v1", label: "Data Privacy Agreement", accepted: true },
  { at: ["research"], name: "model-weights.v1", label: "Terms for Model Weights", accepted: false },
];

interface Places {
  readonly insert: (table: string, row: Row, ageInHours: number) => Promise<void>;
  readonly groupUid: (path: readonly string[]) => string;
  readonly identityUid: (at: readonly string[], name: string) => string;
  /** 16 hex digits derived from a text. */
  readonly leaf: (text: string) => string;
  /** The subject of the person who accepted the terms. */
  readonly owner: string;
}

/** Seeds account associations, accepted terms, and a folder with outstanding terms. */
export async function seedAgreements({ insert, groupUid, identityUid, leaf, owner }: Places): Promise<void> {
  for (const { at, name, description, accounts, services = {} } of ASSOCIATIONS) {
    const uid = groupUid(at);
    const serviceBindings = Object.fromEntries(
      Object.entries(services).map(([principal, identity]) => [principal, identityUid(at, identity)]),
    );
    const platform = Object.keys(services).length > 0 && { chainguard: { serviceBindings } };
    const all = { ...accounts, ...platform };
    await insert("account_associations", { uid, parent: uid, name, description, accounts: all }, 4_100);
  }
  for (const { at, name, label, accepted } of TERMS) {
    const parent = groupUid(at);
    const uid = `${parent}/${leaf(`terms ${name}`)}`;
    const url = `https://legal.meridian.example/${name}`;
    await insert("terms", { uid, parent, name, label, url }, 3_000);
    if (!accepted) continue;
    const acceptance = `${parent}/${leaf(`acceptance ${name}`)}`;
    await insert(
      "terms_acceptances",
      { uid: acceptance, parent, document_uid: uid, accepted_by: owner },
      2_990,
    );
  }
}
