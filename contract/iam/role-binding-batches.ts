import * as z from "zod/mini";

import { UID_PATTERN } from "../aip";
import { endpoint } from "../endpoint";
import { reference } from "../resource";
import { timestamp } from "../schema";
import { roleBindings } from "./role-bindings";

/** Maximum number of bindings per request. */
export const BATCH_MAX = 25;

const emptyOrUid = (sentence: string) =>
  z.optional(z.string(sentence).check(z.refine((uid) => uid === "" || UID_PATTERN.test(uid), sentence)));

/** Creates bindings at one group, all or none (AIP-233). The response keeps the request's order. */
export const batchCreateRoleBindings = endpoint({
  collection: "roleBindings",
  verb: "batchCreate",
  method: "POST",
  path: "/iam/v2/roleBindings:batchCreate",
  access: {
    at: "handler",
    needs: ["CAP_IAM_ROLE_BINDINGS_CREATE"],
    because: "the group is in the body",
  },
  body: z.object({
    parent: reference("must be the uid of a group"),
    requests: z
      .array(
        z.object(
          {
            parent: emptyOrUid("must be the uid of a group"),
            roleBinding: z.object(
              {
                identityUid: reference("must be the uid of an identity"),
                roleUid: emptyOrUid("must be the uid of a role"),
                expirationTime: z.optional(timestamp()),
              },
              "required",
            ),
          },
          "must be an object",
        ),
        "must be a list of role bindings to create",
      )
      .check(
        z.minLength(1, "at least one role binding is required"),
        z.maxLength(BATCH_MAX, `at most ${BATCH_MAX} role bindings can be created at once`),
      ),
    roleUid: emptyOrUid("must be the uid of a role"),
  }),
  answer: z.looseObject({ roleBindings: z.optional(z.array(roleBindings.answer)) }),
  summary: "Create role bindings in one group, all or none",
});
