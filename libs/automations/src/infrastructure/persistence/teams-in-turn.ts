import { teamsInTurn } from '#postgres/database';

/** Teams with events. */
export const teamsWithEvents = teamsInTurn(
  (after) => `SELECT team_id FROM custom_event_occurrences WHERE team_id > ${after} ORDER BY team_id LIMIT 1`,
);

/** Teams with runs: `due` are those with runs that are due at $2. */
export const teamsWithRuns = teamsInTurn(
  (after) =>
    `SELECT team_id FROM automation_runs WHERE team_id > ${after} AND due_at IS NOT NULL ORDER BY team_id LIMIT 1`,
  '(SELECT min(due_at) FROM automation_runs WHERE team_id = t.team_id) <= $2',
);

/** Teams whose contacts have changed. */
export const teamsWithChangedContacts = teamsInTurn(
  (after) => `SELECT team_id FROM automation_changed_contacts WHERE team_id > ${after} ORDER BY team_id LIMIT 1`,
);

/** Teams with dates of contacts: `due` are those with dates that have come at $2. */
export const teamsWithDates = teamsInTurn(
  (after) => `SELECT team_id FROM automation_dates WHERE team_id > ${after} ORDER BY team_id LIMIT 1`,
  '(SELECT min(due_at) FROM automation_dates WHERE team_id = t.team_id) <= $2',
);

/** Teams with calls: `due` are those with calls that are due at $2. */
export const teamsWithCalls = teamsInTurn(
  (after) => `SELECT team_id FROM automation_calls WHERE team_id > ${after} ORDER BY team_id LIMIT 1`,
  '(SELECT min(due_at) FROM automation_calls WHERE team_id = t.team_id) <= $2',
);

/** What each team gets of a slice. */
export function shareOf(limit: number, teams: readonly string[]): number {
  return Math.max(1, Math.floor(limit / Math.max(1, teams.length)));
}
