import { describe, expect, it } from "vitest";

import { ApiError, retryAfterOf } from "./errors";

const status = (code: number, ...details: object[]) => ({
  code,
  message: "no",
  details: details as { "@type": string }[],
});

describe("an ApiError", () => {
  it("exposes the parts of the status", () => {
    const error = new ApiError("refused", "no", {
      http: 400,
      status: status(
        9,
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "FAILED_PRECONDITION",
          domain: "iam.platform.example",
          metadata: { capability: "CAP_IAM_GROUPS_DELETE" },
        },
        {
          "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
          violations: [{ type: "RESOURCE_NOT_EMPTY", description: "cannot delete group with child repos" }],
        },
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "name", description: "too short" }],
        },
      ),
    });
    expect(error.code).toBe("FAILED_PRECONDITION");
    expect(error.preconditions).toMatchObject([{ type: "RESOURCE_NOT_EMPTY" }]);
    expect(error.violations).toEqual([{ field: "name", description: "too short" }]);
    expect(error.missingCapability).toBe("CAP_IAM_GROUPS_DELETE");
  });

  it("reads violations that are not in a list", () => {
    const violationsOf = (fieldViolations: unknown) =>
      new ApiError("refused", "no", {
        status: status(3, { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }),
      }).violations;
    expect(violationsOf({ field: "name", description: "too short" })).toEqual([
      { field: "name", description: "too short" },
    ]);
    expect(violationsOf(["too short", null])).toEqual([{ field: "", description: "too short" }]);
    expect(violationsOf(undefined)).toEqual([]);
  });

  it("has a code without a status too", () => {
    expect(new ApiError("invalid", "no", { http: 502 }).code).toBe("UNKNOWN");
    expect(new ApiError("invalid", "no", { http: 503 }).code).toBe("UNAVAILABLE");
    expect(new ApiError("invalid", "no", { http: 500 }).code).toBe("INTERNAL");
    expect(new ApiError("unreachable", "no").code).toBe("UNAVAILABLE");
    expect(new ApiError("invalid", "no").violations).toEqual([]);
  });

  it("is temporary unless the service refused", () => {
    expect(new ApiError("unreachable", "no").passing).toBe(true);
    expect(new ApiError("refused", "no", { http: 503, status: status(14) }).passing).toBe(true);
    expect(new ApiError("refused", "no", { http: 429, status: status(8) }).passing).toBe(true);
    expect(new ApiError("invalid", "no", { http: 200 }).passing).toBe(false);
    expect(new ApiError("refused", "no", { http: 501, status: status(12) }).passing).toBe(false);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-01-28T12:00:00Z");
  it.each([
    ["7", 7],
    [" 0 ", 0],
    ["Wed, 28 Jan 2026 12:01:30 GMT", 90],
    ["Wed, 28 Jan 2026 11:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("%j is %j seconds", (header, seconds) => {
    expect(retryAfterOf(header, undefined, now)).toBe(seconds);
  });

  it("can also be in the status", () => {
    const info = status(8, { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" });
    expect(retryAfterOf(null, info, now)).toBe(2);
    expect(retryAfterOf("9", info, now)).toBe(9);
  });
});
