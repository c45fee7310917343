import { create, toBinary, type DescFile, type Message } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter } from "@connectrpc/connect";

import { isBothWays, type Protos } from "./registry";

const VERSIONS = ["v1", "v1alpha"] as const;
/** Maximum requests per stream; tools request each service and then its files. */
const MOST_QUESTIONS = 1_000;

type Question = Message & {
  readonly messageRequest?: { readonly case?: string; readonly value?: unknown };
};

/** Server reflection, so that clients need no proto files. It reveals nothing that those files do not. */
export function serveReflection(router: ConnectRouter, protos: Protos): void {
  for (const version of VERSIONS) {
    const within = `grpc.reflection.${version}`;
    const service = protos.registry.getService(`${within}.ServerReflection`);
    if (!service) throw new Error(`There is no service of ${within}`);
    const response = protos.message(`${within}.ServerReflectionResponse`);
    for (const method of service.methods)
      if (isBothWays(method))
        router.rpc(method, async function* (questions: AsyncIterable<Question>) {
          let asked = 0;
          for await (const question of questions) {
            asked += 1;
            if (asked > MOST_QUESTIONS) return;
            yield create(response, {
              originalRequest: question,
              messageResponse: answer(protos, question),
            });
          }
        });
  }
}

function answer(protos: Protos, { messageRequest: asked = {} }: Question): { case: string; value: unknown } {
  const name = String(asked.value ?? "");
  if (asked.case === "listServices") {
    const names = [...protos.registry].flatMap((one) => (one.kind === "service" ? [one.typeName] : []));
    return { case: "listServicesResponse", value: { service: names.map((name) => ({ name })) } };
  }
  if (asked.case === "fileByFilename")
    return found(protos.registry.getFile(name.replace(/\.proto$/, "")), name);
  if (asked.case === "fileContainingSymbol") return found(fileOf(protos, name), name);
  if (asked.case === "allExtensionNumbersOfType" && protos.registry.getMessage(name))
    return { case: "allExtensionNumbersResponse", value: { baseTypeName: name } };
  return failed(asked.case === undefined ? Code.InvalidArgument : Code.NotFound, "there are no extensions");
}

/** Returns the file of a message, enum or service, or of a method's service. */
function fileOf({ registry }: Protos, name: string): DescFile | undefined {
  const found = registry.get(name) ?? registry.getService(name.slice(0, name.lastIndexOf(".")));
  return found && "file" in found ? found.file : undefined;
}

const written = new WeakMap<DescFile, Uint8Array>();

/** A file in its wire form, made once: anybody can ask a thousand times. */
export function bytesOf(file: DescFile): Uint8Array {
  const bytes = written.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
  written.set(file, bytes);
  return bytes;
}

/** Returns a file after its dependencies: some clients do not request those separately. */
function found(file: DescFile | undefined, name: string) {
  if (!file) return failed(Code.NotFound, `there is no ${name.slice(0, 200)}`);
  const files = new Set<DescFile>();
  const collect = (one: DescFile): void => {
    if (files.has(one)) return;
    one.dependencies.forEach(collect);
    files.add(one);
  };
  collect(file);
  const bytes = [...files].map(bytesOf);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: bytes } };
}

const failed = (errorCode: Code, errorMessage: string) => ({
  case: "errorResponse",
  value: { errorCode, errorMessage },
});
