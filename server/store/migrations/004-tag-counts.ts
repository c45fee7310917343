import type { Migration } from "./migration";

export const tagCounts: Migration = {
  id: "004-tag-counts",
  statements: [
    // How many tags each repo has, by family, as the transactions say that write them: a list's total of 100,000 rows
    // is a sum then. Beside the repo, since a repo that is being changed would hold up whoever stores images.
    `create table tag_counts (
      uid text collate "C" primary key references repos (uid) on delete cascade,
      plain bigint not null default 0,
      referrer bigint not null default 0,
      dated bigint not null default 0,
      epoch bigint not null default 0)`,
    `insert into tag_counts (uid, plain, referrer, dated, epoch)
     select parent, count(*) filter (where family = ''), count(*) filter (where family = 'referrer'),
       count(*) filter (where family = 'dated'), count(*) filter (where family = 'epoch')
     from tags group by parent`,
  ],
};
