import type { Migration } from "./migration";

export default {
  id: "004-tag-counts",
  statements: [
    // The number of tags of each repo by family, updated by the transactions that write tags: the total of a list of
    // 100,000 rows is then a sum. Not in `repos`, since locks on a changing repo would hold up the image storage.
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
} satisfies Migration;
