import { jwtVerify, SignJWT } from "jose";

import { parentOf } from "platform-contract/aip";

import type { Caller } from "../../platform/access/caller";
import type { Config } from "../../config";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { secret } from "../../platform/store/keys/secrets";
import { newChildUid } from "../../platform/store/uids";
import { errorCode } from "../../reason";
import { invalidArgument } from "../../status";

/** Seconds that a reservation is valid, and for which it can be renewed after that. */
const LIFE_S = 3_600;
const RENEWABLE_S = 86_400;

const TYPE = "provider-reservation";

/** In a transaction, its own: the embedded database has one connection. */
interface Reserving {
  readonly config: Pick<Config, "issuer">;
  readonly queries: Queries;
}
/** Signed with a key of its own: it is no token of the service, whatever it is sent to. */
const keyOf = ({ queries }: Reserving): Promise<Uint8Array> => secret(queries, "provider-reservations");

const refused = (description: string) => invalidArgument([{ field: "reservation", description }]);

/**
 * The uid that a reservation is for. Throws INVALID_ARGUMENT if it is not one of this caller for this group.
 * `late`: seconds after its end for which it still counts.
 */
export async function readReservation(
  context: Reserving,
  { key }: Pick<Caller, "key">,
  { parent, reservation, late = 0 }: { parent: string; reservation: string; late?: number },
): Promise<string> {
  try {
    const { payload } = await jwtVerify(reservation, await keyOf(context), {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: context.config.issuer,
      audience: key,
      requiredClaims: ["sub", "exp"],
      currentDate: now(),
      clockTolerance: late,
    });
    const { sub = "" } = payload;
    if (parentOf(sub) === parent) return sub;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ERR_JWT_EXPIRED") throw refused("has expired: reserve again");
  }
  throw refused("must be a reservation that this service gave you for this group");
}

/** Reserves a new uid under a group, or that of an earlier reservation again. Nothing is stored. */
export async function reserveUid(
  context: Reserving,
  caller: Pick<Caller, "key">,
  parent: string,
  earlier: string | undefined,
): Promise<{ uid: string; reservation: string; expires: Date }> {
  const uid =
    earlier === undefined
      ? newChildUid(parent)
      : await readReservation(context, caller, { parent, reservation: earlier, late: RENEWABLE_S });
  const at = Math.floor(now().getTime() / 1000);
  const reservation = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(context.config.issuer)
    .setAudience(caller.key)
    .setSubject(uid)
    .setIssuedAt(at)
    .setExpirationTime(at + LIFE_S)
    .sign(await keyOf(context));
  return { uid, reservation, expires: new Date((at + LIFE_S) * 1000) };
}
