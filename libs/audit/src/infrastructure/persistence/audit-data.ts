import { UnindexedRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/** The changes that name an address. Who changed something and when stays, without what was changed. */
@Injectable()
export class AuditData extends UnindexedRows {
  readonly name = 'audit';

  protected readonly portion = `
    SELECT id, action, target_id, before, after FROM audit_entries WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

  protected readonly names = `concat(target_id, ' ', before::text, ' ', after::text) ~ $4`;

  protected readonly record = `
    json_build_object('id', id, 'action', action, 'target_id', target_id, 'before', before, 'after', after)`;

  protected readonly clear = `
    UPDATE audit_entries SET before = NULL, after = NULL,
      target_id = CASE WHEN target_id ~ $3 THEN 'erased' ELSE target_id END
    WHERE team_id = $1 AND id = ANY ($2::uuid[])`;
}
