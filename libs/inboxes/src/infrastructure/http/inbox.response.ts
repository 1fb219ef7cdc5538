import { toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Id,
  Instant,
  InstantOrNull,
  OneOfOrNull,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Whole,
} from '#http/openapi';
import { agentActions, agentTones } from '../../domain/inbox.js';
import type { AgentAction, AgentTone, Inbox, InboxAgent, InboxLabel, ShownInbox } from '../../domain/inbox.js';
import { domainId, inboxId, labelId } from './example-ids.js';

const receivedAt = '2026-11-30T20:41:12.300Z';

@Shape('An inbox.')
export class InboxSummaryResponse {
  @Id('Id of the inbox.', inboxId) id!: string;
  @TextOrNull('Name, for people.', 'Support') name!: string | null;
  @Text('Its address, in lower case.', 'support@acme.example') email_address!: string;
  @TextOrNull('Name beside the address in the From field of what is sent.', 'Acme Support') from_name!: string | null;
  @Whole('Number of threads with unread emails, without those in spam and trash.', 3) unread!: number;
  @InstantOrNull('When the last email came; null if none has.', receivedAt) last_received!: string | null;
  @Instant('When it was created.', '2026-11-29T08:15:00.000Z') created_at!: string;
  @Instant('When its settings were changed last.', '2026-11-29T08:15:00.000Z') updated_at!: string;
}

@Shape('An inbox.')
export class InboxResponse extends InboxSummaryResponse {
  @Always('inbox') object!: 'inbox';
  @Text('Name, for people; empty if it has none.', 'Support') override name!: string;
  @Id('Id of the domain of its address.', domainId) domain_id!: string;
  @TextOrNull('The address to which your server forwards; null if the domain receives here.')
  receiving_address!: string | null;
  @Whole('Number of drafts that have not been sent.', 1) drafts!: number;
}

@Shape('The id of an inbox.')
export class InboxIdResponse extends ReferenceTo('inbox', 'Id of the inbox.', inboxId) {}

@Shape('The inbox that was removed.')
export class RemovedInboxResponse extends Deleted(InboxIdResponse) {}

@Shape('A label of an inbox.')
export class InboxLabelSummaryResponse {
  @Id('Id of the label.', labelId) id!: string;
  @Text('Name.', 'Urgent') name!: string;
  @Text('Colour, `#RRGGBB`.', '#E5484D') color!: string;
  @Instant('When it was created.', '2026-11-29T08:15:00.000Z') created_at!: string;
}

@Shape('A label of an inbox.')
export class InboxLabelResponse extends InboxLabelSummaryResponse {
  @Always('inbox_label') object!: 'inbox_label';
}

@Shape('The id of a label.')
export class InboxLabelIdResponse extends ReferenceTo('inbox_label', 'Id of the label.', labelId) {}

@Shape('The label that was removed.')
export class RemovedInboxLabelResponse extends Deleted(InboxLabelIdResponse) {}

@Shape('What an agent is to do with the mail of an inbox.')
export class InboxAgentResponse {
  @Always('inbox_agent') object!: 'inbox_agent';
  @TextOrNull('Instructions for it.', 'Answer questions about orders.') instructions!: string | null;
  @OneOfOrNull(agentTones, 'How it writes.', 'concise_professional') tone!: AgentTone | null;
  @Field('What it may do.', { type: [String], items: { type: 'string', enum: [...agentActions] } }, ['draft_reply'])
  actions!: readonly AgentAction[];
}

@Shape('The id of the inbox that the agent belongs to.')
export class InboxAgentIdResponse extends ReferenceTo('inbox_agent', 'Id of the inbox.', inboxId) {}

export const inboxSummary = (inbox: Inbox): InboxSummaryResponse =>
  toResponse(InboxSummaryResponse, inbox, {
    email_address: inbox.address,
    last_received: inbox.lastReceivedAt?.toISOString() ?? null,
  });

export const inboxResponse = (inbox: ShownInbox): InboxResponse =>
  toResponse(InboxResponse, inbox, {
    ...inboxSummary(inbox),
    name: inbox.name ?? '',
  });

export const labelSummary = (label: InboxLabel): InboxLabelSummaryResponse =>
  toResponse(InboxLabelSummaryResponse, label);

export function labelResponse(label: InboxLabel): InboxLabelResponse {
  return { object: 'inbox_label', ...labelSummary(label) };
}

export const agentResponse = (agent: InboxAgent): InboxAgentResponse => toResponse(InboxAgentResponse, agent);
