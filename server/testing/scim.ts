import type { Person, Wire, World } from "../conformance/world";
import { send, type Answer } from "./app";

/** A directory that talks SCIM: plain requests, as a directory's documentation shows them. */
export class TestDirectory {
  constructor(
    readonly base: string,
    public token: string,
  ) {}

  call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return send(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { "content-type": "application/scim+json; charset=utf-8" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** The body of an answer that must be a success. */
  async make(method: string, path: string, body?: unknown): Promise<Wire> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes.toString()}`);
    return answer.bytes.length === 0 ? {} : answer.json;
  }

  get get() {
    return (path: string) => this.make("GET", path);
  }
}

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

export const patchOf = (...Operations: Wire[]): Wire => ({ schemas: [PATCH_SCHEMA], Operations });

export const userBody = (name: string, more: Wire = {}): Wire => ({
  schemas: [USER_SCHEMA],
  userName: `${name}@acme.example`,
  externalId: name,
  displayName: name,
  active: true,
  ...more,
});

/** Turns SCIM of a provider on; its organization needs a second owner for that. */
export async function openDirectory(world: World, owner: Person, provider: string): Promise<TestDirectory> {
  const second = await world.person(`second owner of ${provider}`);
  await world.bind(owner, provider.slice(0, 40), second.uid, "owner");
  const { token, endpointUrl, etag } = await world.make(owner, "identityProviders.generateScimToken", {
    uid: provider,
    body: {},
  });
  await world.make(owner, "identityProviders.setScimEnabled", {
    uid: provider,
    body: { enabled: true, etag },
  });
  return new TestDirectory(endpointUrl, token);
}
