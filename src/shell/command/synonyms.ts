/**
 * What people type for something that the console calls otherwise, by the id of its entry. Whole words, lower case;
 * none that is likely to be the name of a record, since Enter opens the first entry.
 */
export const SYNONYMS: Readonly<Record<string, string>> = {
  "screen /": "home dashboard start summary attention todo approve access request requests",
  "screen /groups":
    "folders directories organizations orgs tenants projects namespaces tree hierarchy move rename quota quotas limit limits",
  "screen /identities":
    "identity machines bots workloads ci pipelines github gitlab actions keys oidc federation credentials",
  "screen /people":
    "users members humans accounts staff employees colleagues offboarding offboard leavers remove access revoke",
  "screen /roles": "permissions capabilities rbac privileges policy policies",
  "screen /role-bindings": "who has access can push pull assignments acl iam owners admins",
  "screen /guard-rails":
    "guardrails guardrail policy policies rules rule constraints restrictions compliance limits dry run exceptions",
  "screen /group-invites": "invitations onboarding pending",
  "screen /identity-providers":
    "sso saml single sign-on login idp okta entra azuread azure ad directory directories keycloak google scim ldap",
  "screen /repos": "repository repositories images containers docker registry catalog mirrors sync",
  "screen /tags": "releases digests deprecated eol end of life outdated stale latest sha256",
  "screen /libraries": "library dependencies npm pypi maven ecosystems pip wheels jars",
  "screen /advisories": "advisory vulnerabilities ghsa security csaf scanner findings osv",
  "screen /affected": "cve cves vulnerable exposed impact sbom vex packages",
  "screen /advisories/documents": "origin packages secdb",
  "screen /audit-log/access": "had when past history proof prove evidence",
  "screen /can":
    "why can can't can’t cannot x pull push image denied 403 troubleshoot permission allowed access explain decision",
  "do plan": "gitops declarative state yaml apply drift configuration as code import restore terraform",
  "do leaked-token":
    "leaked leak revoke token stolen compromised compromise incident breach hacked exposed jti cut off",
  "screen /eligible": "elevate privileged jit just in time activate eligible sudo break glass",
  "screen /endings":
    "expiring expires expiry expiration expire ends ending rotate renew reminder reminders notices notifications deadline",
  "screen /import": "csv json bulk upload many spreadsheet",
  "screen /access-review": "recertification campaign quarterly entitlements certify attestation soc2",
  "screen /audit-log":
    "who did what history activity trail events log logs changed deleted by undo restore revert",
  "screen /reports": "fixed remediated charts statistics metrics trends sla reports",
  "screen /subscriptions": "webhooks hooks notifications cloudevents slack teams alerts sinks",
  "screen /account-associations": "cloud aws gcp azure github link connect",
  "screen /terms": "legal eula agreements license contracts dpa tos",
  "screen /snapshots": "backups diff drift export csv changes signature sign verify file terraform gitops",
  "screen /status": "health latency ping about license licenses version uptime slow problem support",
  "screen /roles/compare": "difference between roles",
  "screen /tags/compare": "difference between tags diff",
  "screen /migrate": "github gitlab actions rename owner issuer federation trust move switch replace oidc",
  "screen /retention": "cleanup clean prune purge expire lifecycle garbage collection keep newest",
  "screen /manifests": "dockerfile containerfile k8s yaml helm compose kustomize references pinned",
  shortcuts: "keys hotkeys help keyboard",
  "do create groups": "new add mkdir",
  "do create-organization groups": "new add org tenant",
  "do create identities":
    "new add machine service account robot bot workload ci api-key key token pull docker login",
  "do create roles": "new add permissions",
  "do create roleBindings":
    "give share allow authorize permit access push pull add user member assign bind role new binding",
  "do create guardRails": "new add guardrail policy rule constraint",
  "do create groupInvites": "new invite add send invitation person user link",
  "do create identityProviders": "new add sso connect",
  "do create repos": "new add repository image",
  "do create subscriptions": "new add webhook",
  "do create terms": "new add agreement",
  "do create accountAssociations": "new add cloud aws gcp azure",
  "do pull-token": "robot service account api-key pull token docker login imagepullsecret skopeo",
  "do test-token":
    "jwt decode check debug 401 unauthorized claims troubleshoot why pull denied can identity do that",
  "do ask": "request permission missing role need more rights elevate denied hidden forbidden 403",
  "do requests": "api curl rest requests inspector cli automation script http",
  "do description": "api openapi swagger rest schema cli automation",
  "do preferences": "profile my roles subject issuer",
  "screen /api":
    "openapi swagger curl rest http endpoints operations methods reference explorer try developer automation script",
  "screen /concepts": "help concepts glossary what is learn explain tree picture documentation",
  "screen /preferences":
    "settings language time zone timezone utc local clock ask first options start page mail reminders pause mute",
  "do scheme dark": "theme night mode appearance",
  "do scheme light": "theme day mode appearance",
  "do scheme auto": "theme appearance",
  "do density compact": "density dense small tight",
  "do density comfortable": "density spacious large",
  "do account security":
    "session sessions password 2fa mfa totp otp passkey passkeys second factor security key recovery codes",
  "do sign-out": "logout log off exit leave quit signout",
  scope: "switch organization tenant everything change",
};
