import { Migration } from '@mikro-orm/migrations'
import { clearedAfter, foundBy } from '../row-level-security.ts'

/** Every object of the storage, with the time from which nobody needs it. */
export class StoredObjects extends Migration {
  override up(): void {
    // Ordered byte by byte, so that a prefix is a range of the primary key.
    this.addSql(`
      create table stored_object (
        key text collate "C" not null,
        region text not null,
        removable_at timestamptz(3),
        primary key (key, region)
      );
      create index stored_object_removable on stored_object (removable_at)
        where removable_at is not null;

      alter table artifact add column object_key text;
      update artifact
        set object_key = 'artifacts/' || left(sha256, 2) || '/' || sha256 || '.pdf';
      alter table artifact
        alter column object_key set not null,
        add constraint artifact_object_key_unique unique (object_key, region);
      alter table artifact_reference add column completed_at timestamptz(3);
    `)

    // The owner of the tables sees the rows of all organizations only while the policies do not bind him.
    this.addSql(`
      alter table organization no force row level security;
      alter table submission no force row level security;
      alter table artifact_reference no force row level security;
      alter table report no force row level security;

      update artifact_reference r
        set completed_at = coalesce(
          (select max(completed_at) from report
           where organization_id = r.organization_id and output_sha256 = r.sha256),
          r.expires_at);
      insert into stored_object (key, region, removable_at)
        select a.object_key, a.region, coalesce(max(r.expires_at), a.created_at)
        from artifact a left join artifact_reference r on (r.sha256, r.region) = (a.sha256, a.region)
        group by a.object_key, a.region, a.created_at;
      insert into stored_object (key, region, removable_at)
        select o.schema_name || '/originals/' || s.id || '.pdf', s.region, s.original_expires_at
        from submission s join organization o on o.id = s.organization_id
        where s.completed_at is null or s.original_expires_at is not null;

      alter table organization force row level security;
      alter table submission force row level security;
      alter table artifact_reference force row level security;
      alter table report force row level security;
      alter table artifact_reference alter column completed_at set not null;
    `)

    this.addSql(`
      ${foundBy('artifact_reference', 'sha256', 'app.artifact_sha256')}
      ${clearedAfter('report', 'expires_at')}
    `)
  }
}
