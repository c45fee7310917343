import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

import { Failure } from "../../status";

const REASONS: Readonly<Record<string, readonly [http: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the address and headers are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request took too long to arrive"],
};

/** Responds to requests that Node's parser rejects, also with a google.rpc.Status (AIP-193). */
export function answerClientError(error: NodeJS.ErrnoException, stream: Duplex, domain: string): void {
  const socket: Duplex & { readonly bytesWritten?: number } = stream;
  if (error.code === "ECONNRESET" || !socket.writable || (socket.bytesWritten ?? 0) > 0) {
    socket.destroy();
    return;
  }
  const [http, sentence] = (error.code && REASONS[error.code]) || [400, "the request is not valid HTTP"];
  const failure = new Failure("INVALID_ARGUMENT", `Invalid argument: ${sentence}`);
  const body = JSON.stringify(failure.toStatus(domain));
  socket.end(
    [
      `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
      "content-type: application/json",
      "x-content-type-options: nosniff",
      "cache-control: no-store",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
