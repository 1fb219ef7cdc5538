import { ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Flag, List, PartialOf, Shape, Text } from '#http/openapi';
import { NewLabel } from '../../application/inbox-labels.use-case.js';
import { AgentChanges, InboxChanges, NewInbox } from '../../application/inboxes.use-case.js';
import { LabelChanges } from '../../application/ports/inbox-repository.port.js';
import { agentActions, agentTones } from '../../domain/inbox.js';
import {
  maxFromNameLength,
  maxInboxNameLength,
  maxInstructionsLength,
  maxLabelNameLength,
  parseActions,
  parseFromName,
  parseInboxAddress,
  parseInboxName,
  parseInstructions,
  parseLabelColor,
  parseLabelName,
  parseTone,
} from '../../domain/inbox-fields.js';

const maxNamedActions = 100;
const actionsMessage = 'The `actions` field must be an array.';
const isShort = (value: unknown): boolean => Array.isArray(value) && value.length <= maxNamedActions;

class InboxNames {
  @Text('Name of the inbox, for people.', {
    optional: true,
    boundedByDomain: { maxLength: maxInboxNameLength },
    nullable: true,
  })
  name?: string;
  @Text('Name beside the address in the From field of what is sent, without `:`, `<`, `>`.', {
    optional: true,
    boundedByDomain: { maxLength: maxFromNameLength },
    nullable: true,
  })
  from_name?: string;
}

@Shape('An inbox.')
@Example('support', 'An address that receives here', {
  email_address: 'support@acme.example',
  name: 'Support',
  from_name: 'Acme Support',
})
@Example('forwarded', 'An address whose server forwards', { email_address: 'hello@acme.example', forwarding: true })
export class CreateInboxRequest extends InboxNames {
  @Text('The address, at a verified domain of your team.') email_address!: string;
  @Flag(
    'Whether a server of yours receives the mail and forwards it to the `receiving_address` of the inbox. Otherwise the ' +
      'domain must receive here.',
    { optional: true, default: false },
  )
  forwarding?: boolean;
}

@Shape('The fields to change, at least one; null clears a field.')
@Example('name', 'Another name', { name: 'Help desk' })
export class UpdateInboxRequest extends InboxNames {}

@Shape('A label.')
@Example('urgent', 'A label', { name: 'Urgent', color: '#E5484D' })
export class CreateInboxLabelRequest {
  @Text('Name, unique in the inbox without regard to case.', { boundedByDomain: { maxLength: maxLabelNameLength } })
  name!: string;
  @Text('Colour, `#RRGGBB`. Without it the label gets one.', { optional: true, pattern: '^#[0-9A-Fa-f]{6}$' })
  color?: string;
}

@Shape('The fields to change, at least one.', { color: 'Colour, `#RRGGBB`.' })
@Example('color', 'Another colour', { color: '#30A46C' })
export class UpdateInboxLabelRequest extends PartialOf(CreateInboxLabelRequest) {}

@Shape('The settings to change, at least one.')
@Example('drafts', 'An agent that drafts replies', {
  instructions: 'Answer questions about orders.',
  tone: 'concise_professional',
  actions: ['draft_reply', 'add_labels'],
})
@Example('off', 'No agent', { actions: [] })
export class UpdateInboxAgentRequest {
  @Text('Instructions for the agent; null clears them.', {
    optional: true,
    boundedByDomain: { maxLength: maxInstructionsLength },
    nullable: true,
  })
  instructions?: string;
  @Text('How it writes; null clears it.', { optional: true, enum: [...agentTones, null], nullable: true })
  tone?: string;
  @List('What it may do, in place of what it might do before; an empty list turns it off.', {
    optional: true,
    items: { type: 'string', enum: [...agentActions] },
    allows: isShort,
    message: actionsMessage,
  })
  actions?: string[];
  @List('The same as `actions`, which wins over it. Older clients say it so.', {
    optional: true,
    items: { type: 'string', enum: [...agentActions] },
    allows: isShort,
    message: actionsMessage,
  })
  enabled_actions?: string[];
}

export function decodeNewInbox(body: unknown): NewInbox {
  const { email_address, name, from_name, forwarding } = decodeBody(CreateInboxRequest, body);
  return {
    address: parseInboxAddress(email_address),
    name: name === undefined ? null : parseInboxName(name),
    fromName: from_name === undefined ? null : parseFromName(from_name),
    forwarding: forwarding ?? false,
  };
}

export function decodeInboxChanges(body: unknown): InboxChanges {
  const { name, from_name } = decodeBody(UpdateInboxRequest, body);
  return checkSome<InboxChanges>(
    {
      name: name === undefined ? cleared(body, 'name') : parseInboxName(name),
      fromName: from_name === undefined ? cleared(body, 'from_name') : parseFromName(from_name),
    },
    ['name', 'from_name'],
  );
}

export function decodeNewLabel(body: unknown): NewLabel {
  const { name, color } = decodeBody(CreateInboxLabelRequest, body);
  return { name: parseLabelName(name), color: color === undefined ? undefined : parseLabelColor(color) };
}

export function decodeLabelChanges(body: unknown): LabelChanges {
  const { name, color } = decodeBody(UpdateInboxLabelRequest, body);
  return checkSome<LabelChanges>(
    {
      name: name === undefined ? undefined : parseLabelName(name),
      color: color === undefined ? undefined : parseLabelColor(color),
    },
    ['name', 'color'],
  );
}

export function decodeAgentChanges(body: unknown): AgentChanges {
  const { instructions, tone, actions, enabled_actions } = decodeBody(UpdateInboxAgentRequest, body);
  const given = actions ?? enabled_actions;
  return checkSome<AgentChanges>(
    {
      instructions: instructions === undefined ? cleared(body, 'instructions') : parseInstructions(instructions),
      tone: tone === undefined ? cleared(body, 'tone') : parseTone(tone),
      actions: given === undefined ? undefined : parseActions(given),
    },
    ['instructions', 'tone', 'actions'],
  );
}

/** Null is a value for some fields of a change: it clears them. */
function cleared(body: unknown, field: string): null | undefined {
  return (body as Readonly<Record<string, unknown>>)[field] === null ? null : undefined;
}

function checkSome<Changes extends object>(changes: Changes, names: readonly string[]): Changes {
  if (Object.values(changes).some((value) => value !== undefined)) return changes;
  throw new ValidationError(`At least one of ${names.map((name) => `\`${name}\``).join(', ')} must be given.`);
}
