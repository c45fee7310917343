import { by as byKeys } from "platform-contract/order";
import { isBelow, parentOf } from "platform-contract/aip";

export const ROOT = "a".repeat(40);
export const FAR = "b".repeat(40);
export const child = (parent: string, index: number): string =>
  `${parent}/${index.toString(16).padStart(16, "0")}`;
export const APPS = child(ROOT, 1);
export const PLATFORM = child(ROOT, 2);
export const RUNTIME = child(PLATFORM, 1);
const TEAMS = child(ROOT, 3);

/** A fake service: its records, and the requests it received. */
export class TreeWorld {
  groups = [
    { uid: ROOT, name: "Acme" },
    { uid: APPS, name: "apps" },
    { uid: PLATFORM, name: "platform" },
    { uid: RUNTIME, name: "runtime" },
    { uid: TEAMS, name: "teams" },
  ];
  /** Groups where the user has a binding, as reported by the service; [] also if it does not report any. */
  bound = [ROOT];
  fails: (address: string) => boolean = () => false;
  /** Retry-After of failed requests, in seconds. */
  wait: number | undefined;
  readonly asked: URL[] = [];

  /** Number of requests with this value of a query parameter. */
  times(name: string, value: string): number {
    return this.asked.filter((url) => url.searchParams.get(name) === value).length;
  }

  /** Implements as much of the API as the tree uses. */
  async answer(url: URL): Promise<Response> {
    this.asked.push(url);
    const { pathname } = url;
    if (this.fails(url.href))
      return this.wait === undefined
        ? json({ code: 9, message: "No" }, 400)
        : json({ code: 8, message: "Slow down" }, 429, { "retry-after": String(this.wait) });
    if (pathname.endsWith(":lookupIdentity")) return json({ uid: "c".repeat(40) });
    if (pathname.endsWith("/roles"))
      return json({ roles: [{ uid: "viewer", name: "viewer", capabilities: ["CAP_IAM_GROUPS_LIST"] }] });
    if (pathname.endsWith("/roleBindings"))
      return json({
        roleBindings: this.bound.map((group) => ({
          uid: child(group, 99),
          identityUid: "me",
          roleUid: "viewer",
        })),
      });
    const uid = pathname.slice("/iam/v2/groups/".length);
    if (uid === "") return json(this.list(url.searchParams));
    const group = this.groups.find((each) => each.uid === uid);
    return group ? json(group) : json({ code: 5, message: "Not found" }, 404);
  }

  private list(query: URLSearchParams) {
    const at = (name: string) => query.get(name);
    const ids = query.getAll("uidp.ids");
    const key = at("order_by") === "name" ? "name" : "uid";
    const rows = this.groups
      .filter(({ uid }) => at("uidp.in_root") === null || !uid.includes("/"))
      .filter(({ uid }) => at("uidp.children_of") === null || parentOf(uid) === at("uidp.children_of"))
      .filter(
        ({ uid }) => at("uidp.descendants_of") === null || isBelow(uid, at("uidp.descendants_of") ?? ""),
      )
      .filter(({ uid }) => at("uidp.ancestors_of") === null || isBelow(at("uidp.ancestors_of") ?? "", uid))
      .filter(({ uid }) => ids.length === 0 || ids.includes(uid))
      .toSorted(
        byKeys(
          (group) => group[key],
          ({ uid }) => uid,
        ),
      );
    const start = Number(at("page_token") ?? 0) + Number(at("skip") ?? 0);
    const end = start + Number(at("page_size") ?? 50);
    return {
      groups: rows.slice(start, end),
      totalCount: String(rows.length),
      ...(end < rows.length && { nextPageToken: String(end) }),
    };
  }
}

const json = (body: unknown, status = 200, headers?: Record<string, string>) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
