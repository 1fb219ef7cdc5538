import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

const dayMs = 86_400_000;

/**
 * Removes sessions, links and invitations that have expired, and users who have not verified their address within a
 * day: a person who signs up with the address of somebody else must not keep it from its owner.
 */
@Injectable()
export class AccountsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM auth.session WHERE id = ANY (ARRAY(
                 SELECT id FROM auth.session WHERE "expiresAt" < $1 LIMIT ${maxRemovedRows}))`,
        values: [now],
      },
      {
        text: `DELETE FROM auth.verification WHERE id = ANY (ARRAY(
                 SELECT id FROM auth.verification WHERE "expiresAt" < $1 LIMIT ${maxRemovedRows}))`,
        values: [now],
      },
      {
        text: `DELETE FROM team_invitations WHERE id = ANY (ARRAY(
                 SELECT id FROM team_invitations WHERE expires_at < $1 LIMIT ${maxRemovedRows}))`,
        values: [now],
      },
      {
        text: `DELETE FROM sign_in_attempts WHERE (kind, key) IN (
                 SELECT kind, key FROM sign_in_attempts WHERE ends_at < $1 LIMIT ${maxRemovedRows})`,
        values: [now],
      },
      {
        text: `DELETE FROM auth."user" WHERE id = ANY (ARRAY(
                 SELECT id FROM auth."user" WHERE NOT "emailVerified" AND "createdAt" < $1 LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - dayMs)],
      },
    ];
  }
}
