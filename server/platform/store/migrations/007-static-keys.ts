import type { Migration } from "./migration";

export default {
  id: "007-static-keys",
  statements: [
    // One row per registered key: a token is checked against the few that may have signed it, without reading a
    // definition, which any user can make large, before a signature matches.
    `create table static_keys (
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      place integer not null,
      issuer text collate "C" not null,
      subject text collate "C" not null,
      kid text collate "C",
      jwk jsonb not null,
      primary key (identity_uid, place))`,
    `create index static_keys_claims on static_keys (issuer, subject)`,
    // Copies existing keys within the limits that apply to writes from now on. Skips only the documents that the
    // database cannot parse.
    `do $$
    declare one record;
    begin
      for one in select uid, issuer, subject, definition from identities where relationship = 'staticKeys' loop
        begin
          insert into static_keys (identity_uid, place, issuer, subject, kid, jwk)
          select one.uid, k.place - 1, one.issuer, one.subject, k.key->>'kid', jsonb_strip_nulls(jsonb_build_object(
              'kty', k.key->>'kty', 'crv', k.key->>'crv', 'x', k.key->>'x', 'y', k.key->>'y',
              'n', k.key->>'n', 'e', k.key->>'e', 'alg', k.key->>'alg'))
          from jsonb_array_elements((one.definition->>'issuerKeys')::jsonb->'keys') with ordinality as k (key, place)
          where k.place <= 20 and length(coalesce(k.key->>'n', '')) <= 683 and length(coalesce(k.key->>'e', '')) <= 6;
        exception when others then null;
        end;
      end loop;
    end $$`,
  ],
} satisfies Migration;
