import type { NoticeTopic } from "platform-contract/iam/notices";

/** Checkboxes of the topics, in the order of the contract. */
export const TOPIC_LABELS: Readonly<Record<NoticeTopic, string>> = {
  NOTICE_TOPIC_KEYS: "Keys of identities",
  NOTICE_TOPIC_ROLE_BINDINGS: "Roles, yours and those of machines",
  NOTICE_TOPIC_INVITES: "Invites",
  NOTICE_TOPIC_SYNCS: "Syncs of repos",
  NOTICE_TOPIC_SCIM_TOKENS: "SCIM tokens",
  NOTICE_TOPIC_REVIEWS: "Access reviews that wait for you",
};
