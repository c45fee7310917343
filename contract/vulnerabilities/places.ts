/** Where an advisory holds, as its `appliesTo` says it: a release of a distribution, a version or image, or both. */
export interface Place {
  /** As OSV writes it: `Debian:12`, `SUSE:Linux Enterprise Server 15 SP4`; "" if any. */
  readonly distribution: string;
  /** A version of the artifact, a tag, or a digest; undefined if any. */
  readonly version: string | undefined;
}

const LAST_WORD = /^(?:(.*) )?(v?\d\S*|sha256:[0-9a-f]{64})$/s;

/**
 * The last word is a version, unless the release that it would follow has no number yet: `openSUSE:Leap 15.6` names a
 * release, `openSUSE:Leap 15.6 4.5.6-1.1` a version of it.
 */
export function placeOf(appliesTo: string): Place {
  const [whole, before = "", word = ""] = LAST_WORD.exec(appliesTo) ?? [];
  const release = /:(.*)/s.exec(before)?.[1];
  const endsRelease = release !== undefined && !/\d/.test(release) && !/[-:]/.test(word);
  return whole === undefined || endsRelease
    ? { distribution: appliesTo, version: undefined }
    : { distribution: before, version: word };
}

/** The text that `placeOf` reads; `version` is "" if any. */
export function placeText(distribution: string, version: string): string {
  const text = [distribution, version].filter((part) => part !== "").join(" ");
  // Without an epoch, the version would be a part of the release's name.
  return version === "" || placeOf(text).version === version ? text : `${distribution} 0:${version}`;
}
