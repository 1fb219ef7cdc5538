import { Database } from '#platform/database';
import { actionOf } from '../../libs/audit/src/infrastructure/http/action-of.js';
import { DescribedDocument, operationsOf } from './described-operations.js';
import type { TestProgram } from './program.js';

/** Emails name who sent them. A key cannot transfer a team or revoke what it has not granted: e2e/teams and e2e/oauth. */
const notTried = ['sendEmail', 'sendEmailBatch', 'transferTeam', 'revokeOAuthGrant'];

/** The operations that change something for a team and are not in the audit log, after each was called successfully. */
export async function unrecordedChanges({ postrider }: TestProgram, document: DescribedDocument): Promise<string[]> {
  const rows = await postrider.app
    .get(Database)
    .query<{ action: string }>({ text: `SELECT DISTINCT action FROM audit_entries WHERE outcome = 'done'` });
  const recorded = new Set(rows.map(({ action }) => action));
  return operationsOf(document)
    .filter(({ tags }) => !tags.some((tag) => ['Me', 'Operator'].includes(tag)))
    .filter(({ method, operationId }) => method !== 'GET' && !notTried.includes(operationId))
    .filter(({ method, path }) => {
      const isCollection = document.paths[path]?.get !== undefined;
      return !recorded.has(actionOf(method, path.replaceAll('{', ':').replaceAll('}', ''), isCollection));
    })
    .map(({ operationId }) => operationId);
}
