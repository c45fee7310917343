import type { Migration } from "./migration";

const OF_NOBODY = `not exists (select from accounts a where a.subject = t.subject)
  and not exists (select from pending_accounts p where p.subject = t.subject)`;

export default {
  id: "038-emails-and-factors",
  statements: [
    // Who asks for a new password may sign in elsewhere: their providers are looked up by the address in lower case.
    `create index upstream_accounts_email on upstream_accounts (lower(email))
      where email_verified and deactivated_at is null`,

    // Earlier exports had the factors of pending accounts, but not those accounts.
    `delete from authenticator_apps t where ${OF_NOBODY}`,
    `delete from passkeys t where ${OF_NOBODY}`,
    `delete from recovery_codes t where ${OF_NOBODY}`,
  ],
} satisfies Migration;
