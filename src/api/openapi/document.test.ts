import { expect, test } from "vitest";

import { operationNamed, readDescription } from "./document";

const document = {
  openapi: "3.1.0",
  paths: {
    "/x/v2/things/{uid}": {
      parameters: [{ name: "uid", in: "path", required: true, schema: { type: "string" } }],
      get: {
        operationId: "things.get",
        tags: ["things"],
        summary: "Get one thing",
        "x-capabilities": { at: "uid", needs: ["CAP_A"] },
        "x-also": [{ id: "others.list", "x-capabilities": { at: "uid", needs: ["CAP_A", "CAP_B"] } }],
        "x-extension": true,
        responses: { "200": { description: "It" }, default: { $ref: "#/components/responses/Error" } },
      },
      post: {
        "x-issues-token": true,
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object" },
              examples: { one: { value: { a: 1 } }, two: {} },
            },
          },
        },
      },
      trace: {},
    },
  },
  components: {
    schemas: { Status: { type: "object" } },
    responses: {
      Error: {
        description: "An error",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Status" } } },
      },
    },
  },
};

test("operations have the parameters of their path, their responses, marks and capabilities", () => {
  const description = readDescription(document);
  expect(description?.operations).toMatchObject([
    {
      id: "things.get",
      resource: "things",
      capabilities: ["CAP_A", "CAP_B"],
      extension: true,
      issuesToken: false,
      parameters: [{ name: "uid", in: "path", required: true }],
      responses: [
        { status: "200", schema: undefined },
        { status: "default", description: "An error", schema: { $ref: "#/components/schemas/Status" } },
      ],
    },
    {
      id: "POST /x/v2/things/{uid}",
      issuesToken: true,
      extension: false,
      examples: [{ a: 1 }],
      responses: [],
    },
  ]);
  expect(description?.schemas).toEqual(document.components.schemas);
});

test("an operation is found by its id, and by that of one described along with it", () => {
  const description = readDescription(document) ?? { operations: [], schemas: {} };
  expect(operationNamed(description, "things.get")?.summary).toBe("Get one thing");
  expect(operationNamed(description, "others.list")?.id).toBe("things.get");
  expect(operationNamed(description, "nothing")).toBeUndefined();
});

test.each([undefined, null, [], "<html>", {}, { openapi: "2.0", paths: {} }, { openapi: "3.1.0" }])(
  "%j is no description",
  (found) => expect(readDescription(found)).toBeUndefined(),
);

test("odd parts of a document are left out", () => {
  const odd = {
    openapi: "3.0.3",
    paths: { "/a": null, "/b": { get: { parameters: [3, { in: "cookie" }] } } },
  };
  expect(readDescription(odd)?.operations).toMatchObject([{ id: "GET /b", parameters: [], responses: [] }]);
});
