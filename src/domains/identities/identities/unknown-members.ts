import { identities, type Identity } from "platform-contract/iam/identities";
import { shapeOf } from "platform-contract/schema";

/** A member of an identity that only a newer service knows. */
export interface UnknownMember {
  readonly path: string;
  /** As JSON, on one line. */
  readonly text: string;
}

/** Returns the members of an identity that this console doesn't know: shown as is, never changed or dropped. */
export function unknownMembers(identity: Identity): UnknownMember[] {
  const known = shapeOf(identities.answer) ?? {};
  return Object.entries(identity).flatMap(([key, value]) => {
    const schema = known[key];
    if (!schema) return [{ path: key, text: JSON.stringify(value) }];
    const inner = shapeOf(schema);
    if (!inner) return [];
    return Object.entries(Object(value)).flatMap(([member, each]) =>
      member in inner ? [] : [{ path: `${key}.${member}`, text: JSON.stringify(each) }],
    );
  });
}
