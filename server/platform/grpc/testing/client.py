"""A stock client: grpcio with messages of the published proto files. Reads what to do as JSON from stdin, writes what it got."""

import json
import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.json_format import MessageToDict, ParseDict

with open(sys.argv[1], "rb") as file:
    files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
pool = descriptor_pool.DescriptorPool()
for each in files.file:
    pool.Add(each)
factory = message_factory.MessageFactory(pool)

asked = json.load(sys.stdin)
channel = grpc.insecure_channel(asked["target"])
metadata = [("authorization", "Bearer " + asked["token"])]


def call(service, rpc, request):
    method = pool.FindServiceByName(service).FindMethodByName(rpc)
    of = factory.GetPrototype(method.input_type)
    answer = factory.GetPrototype(method.output_type)
    send = channel.unary_unary(
        f"/{service}/{rpc}",
        request_serializer=of.SerializeToString,
        response_deserializer=answer.FromString,
    )
    try:
        return {"message": MessageToDict(send(ParseDict(request, of()), metadata=metadata, timeout=60))}
    except grpc.RpcError as error:
        return {"code": error.code().name, "details": error.details()}


def filled(value, uid):
    """The text `$uid` is the uid of the record that was created."""
    if isinstance(value, dict):
        return {key: filled(each, uid) for key, each in value.items()}
    return uid if value == "$uid" else value


done = []
for steps in asked["stories"]:
    uid = ""
    answers = []
    for service, rpc, request in steps:
        answers.append(call(service, rpc, filled(request, uid)))
        uid = uid or answers[-1].get("message", {}).get("uid", "")
    done.append(answers)
json.dump(done, sys.stdout)
