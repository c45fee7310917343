import { create, createFileRegistry, fromBinary, type FileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { createProtos, isBothWays } from "../platform/grpc/registry";

/** What a client without proto files learns about a service: one stream, as tools use it. */
export async function reflect(url: string): Promise<{ services: string[]; registry: FileRegistry }> {
  const protos = createProtos([]);
  const rpc = protos.registry.getService("grpc.reflection.v1.ServerReflection")!.methods[0];
  if (!isBothWays(rpc)) throw new Error("Reflection is no stream");
  const ask = async (questions: { case: string; value: string }[]): Promise<any[]> => {
    const transport = createGrpcTransport({ baseUrl: url });
    const all = questions.map((messageRequest) => create(rpc.input, { messageRequest }));
    const answer = await transport.stream(
      rpc,
      undefined,
      undefined,
      undefined,
      (async function* () {
        yield* all;
      })(),
    );
    const found: any[] = [];
    for await (const message of answer.message) found.push(Object(message).messageResponse);
    return found;
  };
  const [list] = await ask([{ case: "listServices", value: "" }]);
  const services: string[] = list.value.service.map(({ name }: { name: string }) => name);
  const symbols = [...services, "google.rpc.BadRequest"];
  const answers = await ask(symbols.map((value) => ({ case: "fileContainingSymbol", value })));
  const files = answers
    .flatMap(({ value }) => value.fileDescriptorProto)
    .map((bytes: Uint8Array) => fromBinary(FileDescriptorProtoSchema, bytes));
  const file = [...new Map(files.map((one) => [one.name, one])).values()];
  return { services, registry: createFileRegistry(create(FileDescriptorSetSchema, { file })) };
}
