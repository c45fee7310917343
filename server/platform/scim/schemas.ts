/** An attribute definition as clients read it (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: "string" | "boolean" | "complex" | "reference" | "dateTime";
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  /** What is not readWrite is ignored in requests: we set it. */
  readonly mutability: "readWrite" | "immutable" | "readOnly";
  readonly returned: "default" | "always";
  readonly uniqueness: "none" | "server";
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

function attribute(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: "string",
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...more,
  };
}

const complex = (name: string, description: string, subAttributes: readonly Attribute[], more = {}) =>
  attribute(name, description, { type: "complex", subAttributes, ...more });

const PRIMARY = attribute("primary", "Whether it is the preferred one.", { type: "boolean" });
const TYPE = attribute("type", "Its function, such as work or home.");

/** A list of values, each with a type and a display name. */
const plural = (name: string, description: string) =>
  complex(
    name,
    description,
    [attribute("value", "The value."), attribute("display", "A name for people."), TYPE, PRIMARY],
    { multiValued: true },
  );

const reference = (...referenceTypes: string[]) =>
  ({ type: "reference", referenceTypes, caseExact: true }) as const;
const READ_ONLY = { mutability: "readOnly" } as const;

const texts = (facts: Readonly<Record<string, string>>): Attribute[] =>
  Object.entries(facts).map(([name, description]) => attribute(name, description));

export const USER: Schema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  description: "A person of the directory",
  attributes: [
    attribute("userName", "Unique name of the user, often the email.", {
      required: true,
      uniqueness: "server",
    }),
    complex(
      "name",
      "The parts of the user's name.",
      texts({
        formatted: "The whole name.",
        familyName: "Family name.",
        givenName: "Given name.",
        middleName: "Middle name.",
        honorificPrefix: "Title before the name.",
        honorificSuffix: "Suffix after the name.",
      }),
    ),
    ...texts({ displayName: "The name that people see.", nickName: "Casual name." }),
    attribute("profileUrl", "Address of the user's page.", reference("external")),
    ...texts({
      title: "Job title.",
      userType: "Relationship to the organization.",
      preferredLanguage: "Preferred language.",
      locale: "Locale for dates and numbers.",
      timezone: "Time zone.",
    }),
    attribute("active", "A user who is not active cannot sign in.", { type: "boolean" }),
    plural("emails", "Email addresses."),
    plural("phoneNumbers", "Phone numbers."),
    plural("ims", "Instant messaging addresses."),
    plural("photos", "Addresses of photos."),
    complex(
      "addresses",
      "Postal addresses.",
      [
        ...texts({
          formatted: "The whole address.",
          streetAddress: "Street.",
          locality: "City.",
          region: "State or region.",
          postalCode: "Postal code.",
          country: "Country.",
        }),
        TYPE,
        PRIMARY,
      ],
      { multiValued: true },
    ),
    complex(
      "groups",
      "Groups of the user; changed by way of the groups.",
      [
        attribute("value", "Id of the group.", { ...READ_ONLY, caseExact: true }),
        attribute("$ref", "Address of the group.", { ...reference("Group"), ...READ_ONLY }),
        attribute("display", "Name of the group.", READ_ONLY),
        attribute("type", "Always direct.", READ_ONLY),
      ],
      { multiValued: true, ...READ_ONLY },
    ),
    plural("entitlements", "Entitlements at the directory."),
    plural("roles", "Roles at the directory; they grant nothing here."),
    plural("x509Certificates", "Certificates."),
  ],
};

export const ENTERPRISE: Schema = {
  id: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  name: "EnterpriseUser",
  description: "What companies know of a user",
  attributes: [
    ...texts({
      employeeNumber: "Number of the employee.",
      costCenter: "Cost center.",
      organization: "Organization.",
      division: "Division.",
      department: "Department.",
    }),
    complex("manager", "The user's manager.", [
      attribute("value", "Id of the manager.", { caseExact: true }),
      attribute("$ref", "Address of the manager.", reference("User")),
      attribute("displayName", "Name of the manager.", READ_ONLY),
    ]),
  ],
};

export const GROUP: Schema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  description: "A group of the directory: mappings give its members roles",
  attributes: [
    attribute("displayName", "Name of the group.", { required: true, uniqueness: "server" }),
    complex(
      "members",
      "Users in the group. Groups in groups are not supported.",
      [
        attribute("value", "Id of the user.", { caseExact: true }),
        attribute("$ref", "Address of the user.", { ...reference("User"), mutability: "immutable" }),
        attribute("display", "Name of the user.", READ_ONLY),
      ],
      { multiValued: true },
    ),
  ],
};

/** Of every resource (RFC 7643, section 3.1); the others of those only we set. */
const EXTERNAL_ID = attribute("externalId", "Id at the directory.", { caseExact: true });

export interface ResourceType {
  readonly name: "User" | "Group";
  readonly endpoint: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
  /** Of the core schema, with externalId. */
  readonly attributes: readonly Attribute[];
}

export const USERS: ResourceType = {
  name: "User",
  endpoint: "/Users",
  schema: USER,
  extensions: [ENTERPRISE],
  attributes: [EXTERNAL_ID, ...USER.attributes],
};

export const GROUPS: ResourceType = {
  name: "Group",
  endpoint: "/Groups",
  schema: GROUP,
  extensions: [],
  attributes: [EXTERNAL_ID, ...GROUP.attributes],
};

/** Names of attributes and schemas have no case (RFC 7643, section 2.1). */
export const isNamed = (name: string, given: string): boolean => name.toLowerCase() === given.toLowerCase();

export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((one) => isNamed(one.name, name));
