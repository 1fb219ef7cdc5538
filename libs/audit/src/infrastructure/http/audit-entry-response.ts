import { timeOfId } from '#kernel';
import { timestamp, toResponse } from '#http/server';
import { AuditEntry } from '../../domain/audit-entry.js';
import { AuditEntryResponse } from './audit.response.js';

export const auditEntryResponse = (entry: AuditEntry): AuditEntryResponse =>
  toResponse(AuditEntryResponse, entry, {
    created_at: timestamp(timeOfId(entry.id)),
    actor: {
      kind: entry.actor.kind,
      id: 'id' in entry.actor ? entry.actor.id : null,
      tool: entry.tool === null ? null : { name: entry.tool.name, grant_id: entry.tool.grantId },
    },
    before: entry.before as object | null,
    after: entry.after as object | null,
  });

const verbs: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' };

/**
 * `POST /domains/:id/verify` is `domains.verify`, `PATCH /domains/:id` is `domains.update`. A path that can also be
 * read is a collection: `POST /team/invitations` is `team.invitations.create`.
 */
export function actionOf(method: string, path: string, isCollection: boolean): string {
  const parts = path.split('/').filter((part) => part !== '');
  const names = parts.filter((part) => !part.startsWith(':'));
  const endsWithVerb = method === 'POST' && !isCollection && names.length > 1 && !(parts.at(-1) ?? ':').startsWith(':');
  return (endsWithVerb ? names : [...names, verbs[method] ?? method.toLowerCase()]).join('.');
}
