import { decodeJwt } from "jose";

import { World, type Person, type Wire } from "../conformance/world";
import { Browser, openSignIn, redeem, type PageAnswer } from "../platform/oidc/testing";
import { builtInRoleUid } from "../domains/access/roles.table";
import { personUid } from "../platform/store/uids";
import { startUpstream, type UpstreamIssuer } from "./upstream";

export const VIEWER = builtInRoleUid("viewer");

/** A person known to the issuer. */
export const ADA = { sub: "ada", email: "ada@acme.example", email_verified: true, name: "Ada" };

/** The text of a page, without its markup. */
export const textOf = ({ body }: PageAnswer): string =>
  body
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'");

/** Where the issuer of a provider sends people back to. */
export const callbackOf = (base: string, uid: string): string => `${base}/oidc/callback/${uid}`;

/** Goes from the sign-in page to the issuer, without a session there, and back to the callback. */
async function leaveWith(base: string, uid: string, browser: Browser) {
  const opened = await openSignIn(base, { idp_hint: uid }, browser);
  const left = await browser.get(`${opened.page.url}/continue/${uid.replaceAll("/", "_")}`);
  const back = left.location === undefined ? left : await browser.follow(left, callbackOf(base, uid));
  return { ...opened, left, back };
}

/** Signs in with a provider of the service at `base`; returns tokens, or the page that explains why not. */
export async function signInWith(base: string, uid: string, browser = new Browser()) {
  const { back, request } = await leaveWith(base, uid, browser);
  if (back.location === undefined) return { page: textOf(back), status: back.status };
  const home = await browser.follow(await browser.get(back.location), request.redirectUri);
  if (home.location === undefined) return { page: textOf(home), status: home.status };
  return redeem(base, browser, home.location, request);
}

/** A service with an organization, a folder with an identity provider, and that provider's issuer. */
export class Federation {
  /** The folder's provider, registered with the issuer. */
  provider = "";

  private constructor(
    readonly world: World,
    readonly issuer: UpstreamIssuer,
    readonly owner: Person,
    readonly organization: string,
    readonly folder: string,
  ) {}

  static async open(): Promise<Federation> {
    const world = await World.open();
    const owner = await world.person("owner");
    const organization = await world.create(owner, "groups", "", { name: "acme" });
    const folder = await world.create(owner, "groups", organization, { name: "folder" });
    const made = new Federation(world, await startUpstream(), owner, organization, folder);
    made.provider = await made.makeProvider();
    return made;
  }

  async stop(): Promise<void> {
    await this.issuer.stop();
    await this.world.service.stop();
  }

  get base(): string {
    return this.world.service.url;
  }

  callback(uid: string): string {
    return callbackOf(this.base, uid);
  }

  /** Creates a provider of the folder and registers it with the issuer. */
  async makeProvider(oidc: Wire = {}): Promise<string> {
    const { url, clientId, clientSecret } = this.issuer;
    const uid = await this.world.create(this.owner, "identityProviders", this.folder, {
      name: "Acme SSO",
      defaultRole: VIEWER,
      oidc: {
        issuer: url,
        clientId,
        clientSecret,
        groupsClaim: "groups",
        additionalScopes: ["email", "profile", "groups"],
        ...oidc,
      },
    });
    await this.issuer.register(this.callback(uid));
    return uid;
  }

  /** Maps an external group to a role in the organization. */
  map(group: string, roleUid: string, uid = this.provider): Promise<string> {
    const body = { externalGroupId: group, roleUid, scope: this.organization };
    return this.world.create(this.owner, "externalGroupRoleMappings", uid, body);
  }

  leaveWith(uid: string, browser = new Browser()) {
    return leaveWith(this.base, uid, browser);
  }

  /** Signs in and returns tokens, or the page that explains why not. */
  async signIn(uid = this.provider, browser = new Browser()) {
    const result = await signInWith(this.base, uid, browser);
    if (!("accessToken" in result)) return result;
    const { sub = "" } = decodeJwt(result.accessToken);
    return { ...result, subject: sub, identity: personUid(this.world.service.config.issuer, sub) };
  }

  async signedIn(uid = this.provider) {
    const result = await this.signIn(uid);
    if (!("identity" in result)) throw new Error(result.page);
    return result;
  }

  /** Role and group of each of the identity's bindings. */
  async held(identity: string): Promise<string[]> {
    const { roleBindings } = await this.world.make(this.owner, "roleBindings.list", { query: { identity } });
    return roleBindings.map(({ role, group }: Wire) => `${role.name} at ${group.name}`).toSorted();
  }
}
