const SHORT: Readonly<Record<string, string>> = {
  aws: "AWS",
  id: "ID",
  oidc: "OIDC",
  uid: "ID",
  uids: "IDs",
  url: "URL",
  sink: "URL",
};
/** Fields that the screens call something else than the API. */
const FIELDS: Readonly<Record<string, string>> = {
  roleUid: "Role",
  identityUid: "Identity",
  ownerUid: "Owner",
  accepted: "Accepted",
};

/** A field in words: "Claim match: subject". */
export const fieldWords = (field: string): string =>
  FIELDS[field] ??
  field
    .split(".")
    .map((part, index) => {
      const words = part
        .replaceAll("_", " ")
        .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
        .split(" ")
        .map((word) => SHORT[word] ?? word)
        .join(" ");
      return index === 0 ? words.charAt(0).toUpperCase() + words.slice(1) : words;
    })
    .join(": ");
