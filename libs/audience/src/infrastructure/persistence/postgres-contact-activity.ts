import { Transaction } from '#kernel';
import { statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ContactAction, ContactActivity } from '../../application/ports/contact-repository.port.js';
import { activities } from '../../domain/filters/filter.js';
import { activityColumns } from './filters/compile-filter.js';

const columns = activities.map((activity) => activityColumns[activity]);
const latest = activities.map(
  (activity) => `max(g.at) FILTER (WHERE g.activity = '${activity}') AS ${activityColumns[activity]}`,
);
const isNews = columns.map((column) => `EXCLUDED.${column} >= coalesce(a.${column}, '-infinity') + interval '1 hour'`);

@Injectable()
export class PostgresContactActivity extends ContactActivity {
  async isNeeded(transaction: Transaction): Promise<boolean> {
    const rows = await statementsOf(transaction).query({ text: 'SELECT FROM contacts LIMIT 1' });
    return rows.length > 0;
  }

  /** In order of the contacts, so that two writers cannot wait for each other. */
  async record(actions: readonly ContactAction[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'record-contact-activity',
      text: `INSERT INTO contact_activity AS a (contact_id, ${columns.join(', ')})
             SELECT c.id, ${latest.join(', ')}
             FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS g (team_id, email, activity, at)
             CROSS JOIN LATERAL (
               SELECT id FROM contacts WHERE team_id = g.team_id AND email = g.email LIMIT 1 FOR KEY SHARE
             ) c
             GROUP BY c.id ORDER BY c.id
             ON CONFLICT (contact_id) DO UPDATE
             SET ${columns.map((column) => `${column} = greatest(a.${column}, EXCLUDED.${column})`).join(', ')}
             WHERE ${isNews.join(' OR ')}`,
      values: [
        actions.map(({ teamId }) => teamId),
        actions.map(({ email }) => email),
        actions.map(({ activity }) => activity),
        actions.map(({ at }) => at),
      ],
    });
  }
}
