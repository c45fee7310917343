import type { ReactNode } from "react";

import type { RequestInfo } from "platform-client/request-info";

import { platformOf } from "~/api/client/platform-command";
import { Document } from "~/ui/display/json-document";

/** A request as a command of `platform`, which has a sign-in of its own; nothing if that cannot make it. */
export function PlatformCommand({ asked }: { readonly asked: RequestInfo }): ReactNode {
  const command = platformOf(asked);
  return command === undefined ? null : (
    <Document text={command} what={`with platform: ${asked.endpoint.summary}`} />
  );
}
