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
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../../proto", import.meta.url));
const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".proto"),
);
/** The proto files, as a stock client loads them. */
const definition = loadSync(files, { includeDirs: [directory], longs: String, enums: String, oneofs: true });
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
      const call = (this.client(service) as unknown as Record<string, Function>)[rpc]!(
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
    const found = path.reduce<any>((at, part) => at[part], root) as ServiceClientConstructor;
    const client = new found(this.address, credentials.createInsecure(), this.options);
    this.clients.set(service, client);
    return client;
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
  }
}
