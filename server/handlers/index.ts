import { ping } from "platform-contract/ping/ping";

import type { Config } from "../config";
import type { Post } from "../mail/post";
import type { Database } from "../store/database";
import { sealedTexts } from "../store/keys/sealed-texts";
import { pageTokens } from "../store/lists/page-tokens";
import { accessRequestHandlers } from "./access-requests";
import { accountAssociationHandlers } from "./account-associations";
import { offerHandlers } from "./offers";
import { advisoryHandlers } from "./advisories";
import { artifactHandlers } from "./artifacts";
import { auditHandlers } from "./audit";
import { deliveryHandlers } from "./deliveries";
import { documentHandlers } from "./documents";
import { exchangeHandlers } from "./exchange";
import { externalGroupRoleMappingHandlers } from "./external-group-role-mappings";
import { groupInviteHandlers } from "./group-invites";
import { groupHandlers } from "./groups";
import { identityHandlers } from "./identities";
import { identityProviderHandlers } from "./identity-providers";
import { imageHandlers } from "./images";
import { packageTagHandlers } from "./package-tags";
import { repoHandlers } from "./repos";
import { reportHandlers } from "./resolved-reports";
import { roleBindingHandlers } from "./role-bindings";
import { roleHandlers } from "./roles";
import { snapshotHandlers } from "./snapshots";
import type { Handler } from "./standard/call";
import type { Context } from "./standard/rules";
import { subscriptionHandlers } from "./subscriptions";
import { tagHandlers } from "./tags";
import { termsHandlers } from "./terms";
import { metadataHandlers } from "./vulnerability-metadata";

/** Creates the handlers of all endpoints, by endpoint id. The database must be migrated and have the built-in roles. */
export function createHandlers({
  config,
  database,
  mail,
  wake = () => {},
}: {
  config: Config;
  database: Database;
  mail?: Post | undefined;
  wake?: Context["wake"];
}): ReadonlyMap<string, Handler> {
  const context: Context = {
    config,
    database,
    tokens: pageTokens(database, config.pageTokenTtl),
    texts: sealedTexts(config),
    mail,
    wake,
  };
  const handlers = new Map([
    ...groupHandlers(context),
    ...accessRequestHandlers(context),
    ...offerHandlers(context),
    ...identityHandlers(context),
    ...roleHandlers(context),
    ...roleBindingHandlers(context),
    ...groupInviteHandlers(context),
    ...identityProviderHandlers(context),
    ...externalGroupRoleMappingHandlers(context),
    ...repoHandlers(context),
    ...tagHandlers(context),
    ...imageHandlers(context),
    ...advisoryHandlers(context),
    ...documentHandlers(context),
    ...metadataHandlers(context),
    ...reportHandlers(context),
    ...packageTagHandlers(context),
    ...accountAssociationHandlers(context),
    ...termsHandlers(context),
    ...subscriptionHandlers(context),
    ...deliveryHandlers(context),
    ...artifactHandlers(context),
    ...auditHandlers(context),
    ...snapshotHandlers(context),
    ...exchangeHandlers(context),
    [ping.id, async () => ({ response: "pong" })],
  ]);
  return new Map([...handlers].map(([id, handler]) => [id, (call) => handler({ operation: id, ...call })]));
}
