import {
  credentials,
  Metadata,
  type ChannelOptions,
  type Client,
  type ServiceClientConstructor,
  type ServiceError,
} from "@grpc/grpc-js";
import { loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { endpoints } from "platform-contract";

import { protoFiles } from "../platform/grpc/files";
import { protoText } from "../platform/grpc/text";

const directory = mkdtempSync(join(tmpdir(), "platform-proto-"));
const { files, methods, numbering } = protoFiles(endpoints);
for (const file of files) {
  const path = join(directory, file.name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, protoText(file, methods, numbering));
}
/** The proto files, as a stock client loads them. */
const definition = loadSync(
  files.map(({ name }) => name),
  { includeDirs: [directory], longs: String, enums: String, oneofs: true },
);
rmSync(directory, { recursive: true });
const root = loadPackageDefinition(definition);

export type Fields = Record<string, any>;
export interface GrpcAnswer {
  readonly message: Fields;
  readonly metadata: Metadata;
}

/** A stock client: grpc-js with the proto files of this repository. */
export class GrpcClient {
  private readonly clients = new Map<string, Client>();
  private readonly address: string;

  constructor(
    url: string,
    private readonly options: ChannelOptions = {},
  ) {
    this.address = new URL(url).host;
  }

  /** One call, such as `iam.v2.GroupsService/ListGroups`; rejects with a ServiceError. */
  call(
    method: string,
    request: Fields,
    {
      token,
      deadline,
      headers = {},
    }: { token?: string; deadline?: number; headers?: Record<string, string> } = {},
  ): Promise<GrpcAnswer> {
    const [service = "", rpc = ""] = method.split("/");
    const metadata = new Metadata();
    if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return new Promise((resolve, reject) => {
      let leading = new Metadata();
      const call = Object(this.client(service))[rpc](
        request,
        metadata,
        deadline === undefined ? {} : { deadline: Date.now() + deadline },
        (error: ServiceError | null, message: Fields) =>
          error ? reject(error) : resolve({ message, metadata: leading }),
      );
      call.on("metadata", (found: Metadata) => (leading = found));
    });
  }

  /** The client of one service, for cases that `call` does not cover. */
  client(service: string): Client {
    const known = this.clients.get(service);
    if (known) return known;
    const path = ["chainguard", "platform", ...service.split(".")];
    const found: ServiceClientConstructor = path.reduce<any>((at, part) => at[part], root);
    const client = new found(this.address, credentials.createInsecure(), this.options);
    this.clients.set(service, client);
    return client;
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
  }
}
