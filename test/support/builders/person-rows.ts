import { newId } from '#kernel';
import type { RowToWrite } from './stored-rows.js';

const far = new Date('2100-01-01T00:00:00Z');
const past = new Date('2026-01-01T00:00:00Z');

/** A row of each table that can say something about a person, connected as the program connects them. */
export function personRows(teamId: string): readonly RowToWrite[] {
  const [domain, email, contact, received, inbox, thread] = [newId(), newId(), newId(), newId(), newId(), newId()];
  const [broadcast, automation, run, webhook, message, importId] = [
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
  ];
  const id = newId();
  const team = { id, team_id: teamId };
  const evidence = (text: string): string =>
    JSON.stringify({
      replies: [
        { emailId: email, reply: `${text} is unknown` },
        { emailId: null, reply: 'Try again' },
      ],
    });
  const attachments = (text: string): string =>
    JSON.stringify([{ filename: text, contentType: 'text/plain', size: 1 }]);
  const recipient = { email_id: email, recipient_no: 0 };
  return [
    ['audit_entries', team],
    ['automations', { ...team, id: automation, name: 'Automation', status: 'enabled' }],
    ['automation_answers', { team_id: teamId, automation_id: automation, answered_at: new Date() }],
    [
      'automation_kept_events',
      { team_id: teamId, contact_id: contact, event_name: 'paid', position: 1, kept_until: far },
    ],
    ['automation_calls', { ...team, run_id: run, due_at: far }],
    ['automation_run_steps', { run_id: run, status: 'completed', automation_id: automation }],
    [
      'automation_runs',
      {
        ...team,
        id: run,
        automation_id: automation,
        contact_id: contact,
        event_id: id,
        status: 'completed',
        completed_at: new Date(),
      },
    ],
    ['broadcasts', { ...team, id: broadcast, status: 'sent' }],
    ['broadcast_recipients', { team_id: teamId, broadcast_id: broadcast, contact_id: contact, outcome: 'accepted' }],
    ['contact_changes', { ...team, contact_id: contact }],
    ['contact_imports', { ...team, id: importId, status: 'completed', on_conflict: 'skip', completed_at: past }],
    ['contact_import_refusals', { import_id: importId }],
    ['contacts', { ...team, id: contact }],
    ['custom_event_occurrences', { ...team, held_until: far }],
    ['custom_event_payloads', { ...team, name: id }],
    ['delivery_attempts', { ...recipient, outcome: 'bounced' }],
    ['domains', { ...team, id: domain, name: `${domain}.test`, tls: 'enforced', dkim_publication: 'txt' }],
    ['email_events', { ...recipient, seq: 1, type: 'email.bounced' }],
    ['emails', { ...team, id: email, domain_id: domain, forwarded_from: received, attachments }],
    ['feedback_reports', { ...recipient }],
    ['inbound_route_results', { team_id: teamId, received_id: received, action: 'forward' }],
    ['inboxes', { ...team, id: inbox, domain_id: domain, address: `${inbox}@${domain}.test` }],
    ['inbox_drafts', { ...team, inbox_id: inbox }],
    ['inbox_emails', { id, inbox_id: inbox, thread_id: thread, root: id, direction: 'inbound', attachments }],
    ['inbox_threads', { id: thread, inbox_id: inbox, root: id, folder: 'inbox' }],
    ['message_contents', { id: email, chunk: 0 }],
    ['provider_counts', { domain_id: domain, email_id: email, kind: 'bounced/unknown' }],
    ['received_emails', { ...team, id: received, domain_id: domain, content_id: received, attachments }],
    ['recipients', { email_id: email, no: 0, status: 'bounced' }],
    ['reputation_changes', { ...team, domain_id: domain, evidence }],
    ['reputation_guards', { team_id: teamId, domain_id: domain, evidence, look_at: far }],
    ['request_logs', team],
    ['sandbox_messages', team],
    ['suppressions', { ...team, origin: 'manual' }],
    ['team_events', { ...team, type: 'contact.updated' }],
    ['webhooks', { ...team, id: webhook, status: 'disabled' }],
    ['webhook_messages', { status: 'success', id: message, webhook_id: webhook, source_id: id }],
    ['webhook_attempts', { id, message_id: message }],
  ];
}
