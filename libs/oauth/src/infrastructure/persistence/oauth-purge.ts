import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

const dayMs = 86_400_000;

/**
 * Removes expired codes, revoked and expired grants after a month, and clients that nobody has allowed within a day. A
 * grant whose tool has made an API key stays until it is revoked: the key works by it.
 */
@Injectable()
export class OAuthPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const [day, month] = [new Date(now.getTime() - dayMs), new Date(now.getTime() - 30 * dayMs)];
    return [
      {
        text: `DELETE FROM oauth_codes WHERE code_hash = ANY (ARRAY(
                 SELECT code_hash FROM oauth_codes WHERE expires_at < $1 LIMIT ${maxRemovedRows}))`,
        values: [day],
      },
      {
        text: `DELETE FROM oauth_grants WHERE id = ANY (ARRAY(
                 SELECT id FROM oauth_grants g WHERE refresh_expires_at < $1
                   AND (revoked_at IS NOT NULL OR NOT EXISTS (SELECT FROM published_api_keys k WHERE k.grant_id = g.id))
                 LIMIT ${maxRemovedRows}))`,
        values: [month],
      },
      {
        text: `DELETE FROM oauth_clients WHERE id = ANY (ARRAY(
                 SELECT id FROM oauth_clients c WHERE created_at < $1
                   AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = c.id) LIMIT ${maxRemovedRows}))`,
        values: [day],
      },
    ];
  }
}
