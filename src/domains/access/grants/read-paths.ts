import { byUids } from "~/api/queries/by-uids";
import { ancestorsOf, parentOf } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";
import { shorten } from "~/ui/display/shorten";

/** The path of the folder of each record, by the folder's uid: "acme / runtime / python". Rejects with an ApiError. */
export async function readPaths(
  records: readonly { readonly uid: string }[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const folders = [...new Set(records.map(({ uid }) => parentOf(uid)))];
  const all = folders.flatMap((uid) => [...ancestorsOf(uid), uid]);
  const names = new Map(
    (await byUids(groups.list, all, signal)).map(({ uid, name }) => [uid, name || shorten(uid)]),
  );
  const pathOf = (uid: string) =>
    [...ancestorsOf(uid), uid].map((each) => names.get(each) ?? shorten(each)).join(" / ");
  return new Map(folders.map((uid) => [uid, pathOf(uid)]));
}
