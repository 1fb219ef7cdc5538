import { Database } from '#postgres/database';
import { actionOf } from '../../../libs/audit/src/infrastructure/http/audit-recorder.js';
import { DescribedDocument, operationsOf } from './described-operations.js';
import type { TestProgram } from '../programs/program.js';

/** Not tried, or recorded elsewhere. */
const notTried = [
  // Emails name who sent them.
  ...['sendEmail', 'sendEmailBatch', 'testBroadcast'],
  // Threads, drafts and emails of inboxes are mail.
  ...['updateInboxThread', 'removeInboxThread', 'addInboxThreadLabels', 'replaceInboxThreadLabels'],
  'removeInboxThreadLabel',
  ...['createInboxDraft', 'updateInboxDraft', 'removeInboxDraft', 'sendInboxDraft'],
  ...['replyToInboxEmail', 'forwardInboxEmail'],
  // The history of a contact names who changed it: e2e/contacts and e2e/contact-groups.
  ...['createContact', 'updateContact', 'deleteContact'],
  ...['createAudienceContact', 'updateAudienceContact', 'deleteAudienceContact'],
  ...['addContactToSegment', 'removeContactFromSegment', 'updateContactTopics'],
  // The runs that it starts tell of it.
  'sendEvent',
  'sendEventBatch',
  // Its runs end before it could: e2e/automation-runs.
  'cancelAutomationRun',
  // Versions of contents name who wrote.
  ...['writeEditorContent', 'keepContentVersion', 'renameContentVersion', 'restoreContentVersion'],
  // They change nothing.
  ...['connectToEditor', 'disconnectFromEditor', 'renderDocument', 'importHtml'],
  ...['dryRunEmail', 'explainRoute', 'previewBroadcast', 'previewSegment', 'previewTemplate', 'tryAutomation'],
  'validateAddresses',
  // A key cannot transfer a team or revoke what it has not granted, and no mail is received: e2e/teams, e2e/oauth,
  // e2e/receiving.
  ...['transferTeam', 'revokeOAuthGrant', 'replayReceivedEmail'],
];

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
