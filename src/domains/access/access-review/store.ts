import { useCallback, useLayoutEffect, useRef, useState } from "react";

import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

import { readReview, reviewFile, type ReviewItem, type Review } from "./format";

export type ReviewChange = (review: Review) => Review;

/** Takes the decisions of another copy of the same review: of two about one binding, the newer counts. */
export function merge(review: Review, other: Review): Review {
  if (review.id !== other.id) throw new Error("Only copies of one review can be merged.");
  if (review.signedOff || other.signedOff) return other.signedOff ? other : review;
  const theirs = new Map(other.items.map((item) => [item.uid, item]));
  const items = review.items.map((item): ReviewItem => {
    const that = theirs.get(item.uid);
    if (!that || that.role.uid !== item.role.uid || (that.at ?? "") <= (item.at ?? "")) return item;
    const { decision, to, note, by, at } = that;
    return { ...item, decision, to, note, by, at };
  });
  const mine = new Set(review.items.map(({ uid }) => uid));
  return {
    ...review,
    items: [...items, ...other.items.filter(({ uid }) => !mine.has(uid))],
    reviewers: { ...other.reviewers, ...review.reviewers },
    applied: review.applied || other.applied,
  };
}

/** A console at another path of the same host has another API but the same storage. */
const keyOf = (owner: string): string => `pc.access-review ${owner} ${document.baseURI}`;

function parse(text: string | null): Review | undefined {
  try {
    return text === null ? undefined : readReview(text);
  } catch {
    // Another version of the console wrote it.
    return undefined;
  }
}

function load(key: string): Review | undefined {
  try {
    return parse(localStorage.getItem(key));
  } catch {
    return undefined;
  }
}

/** Returns false if this browser has no room for it. */
function save(key: string, review: Review | undefined): boolean {
  try {
    if (review) localStorage.setItem(key, reviewFile(review));
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** The one open review of this person in this browser, kept with each decision. Other tabs add theirs to it. */
export function useStoredReview() {
  const key = keyOf(ownerOf(usePerson()));
  const [review, show] = useState(() => load(key));
  const [stored, setStored] = useState(true);
  const latest = useRef(review);
  const set = useCallback(
    (next: Review | ReviewChange | undefined) => {
      const value = typeof next === "function" ? latest.current && next(latest.current) : next;
      if (value === latest.current) return;
      latest.current = value;
      setStored(save(key, value));
      show(value);
    },
    [key],
  );
  useLayoutEffect(() => {
    const listen = (event: StorageEvent) => {
      if (event.key !== key) return;
      const other = parse(event.newValue);
      const own = latest.current;
      latest.current = own && other && own.id === other.id ? merge(own, other) : other;
      show(latest.current);
    };
    window.addEventListener("storage", listen);
    return () => window.removeEventListener("storage", listen);
  }, [key]);
  return { review, set, stored };
}
