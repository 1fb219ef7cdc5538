import { isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Anything, Example, Field, ListOf, OptionalField, PartialOf, Shape, Text } from '#http/openapi';
import { NewAutomation } from '../../application/automations.use-case.js';
import { RunFilter } from '../../application/ports/run-repository.port.js';
import {
  automationStatuses,
  AutomationStatus,
  maxAutomationNameLength,
  parseAutomationName,
} from '../../domain/automation.js';
import { textOf } from '../../domain/config.js';
import { connectionTypes, Graph, maxSteps } from '../../domain/graph.js';
import { listedStepStatuses, RunStatus, runStatuses } from '../../domain/run.js';
import { entryRules, maxEmailsOfDay, parseSettings } from '../../domain/settings.js';
import { stepTypes } from '../../domain/step.js';

@Shape('A step of an automation.')
export class AutomationStepRequest {
  @Field('Name of the step, unique in the automation. Connections and runs name it.', { maxLength: 255 }) key!: string;
  @Field('What the step does.', { enum: [...stepTypes] }) type!: string;
  @OptionalField('What the type needs: see docs/automations.md.', { type: Object }) config?: object;
}

@Shape('A connection from one step to the next.')
export class AutomationConnectionRequest {
  @Text('Key of a step.') from!: string;
  @Text('Key of the step that follows.') to!: string;
  @OptionalField(
    'When it is taken. A `condition` and a `split` have `condition_met` and `condition_not_met`, a `wait_for_event` has ' +
      '`event_received` and `timeout`, all others `default`, and a `webhook` also `failed`.',
    { enum: [...connectionTypes], default: 'default' },
  )
  type?: string;
}

@Shape('From one time of day to another.')
export class QuietHours {
  @Text('When they begin.', '21:00') from!: string;
  @Text('When they end. Earlier than they begin: on the next day.', '08:00') to!: string;
}

@Shape('What holds for all runs of an automation, also for those that have begun. What is absent is as usual.')
export class AutomationSettingsRequest {
  @OptionalField('How often a contact enters: each time, once ever, or again after `entry_after`.', {
    enum: [...entryRules],
    default: 'every_time',
  })
  entry?: string;
  @OptionalField('With `after`: how long after its last run has begun a contact may enter again.', {
    nullable: true,
    examples: ['30 days'],
  })
  entry_after?: string | null;
  @OptionalField('Emails wait until they are over, in the zone of the contact.', { type: QuietHours, nullable: true })
  quiet_hours?: QuietHours | null;
  @OptionalField('Automated emails that a contact gets in a day, those of all automations together. The rest waits.', {
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: maxEmailsOfDay,
  })
  max_emails_per_day?: number | null;
  @OptionalField('Time zone of contacts whose property `time_zone` names none.', {
    nullable: true,
    examples: ['Europe/Berlin'],
  })
  time_zone?: string | null;
}

const Status = Text('`enabled`: events start runs.', { optional: true, enum: automationStatuses, default: 'disabled' });

/** The fields that are documented first. */
class AutomationFields {
  @Status status?: string;
  @Anything('Who enters, and when emails are sent.', {
    optional: true,
    type: AutomationSettingsRequest,
    nullable: true,
  })
  settings?: unknown;
}

const welcome = {
  steps: [
    { key: 'signed up', type: 'trigger', config: { event_name: 'user.created' } },
    { key: 'a day', type: 'delay', config: { duration: '1 day' } },
    { key: 'has paid', type: 'condition', config: { type: 'rule', field: 'contact.plan', operator: 'exists' } },
    { key: 'remember', type: 'contact_update', config: { properties: { stage: { var: 'event.stage' } } } },
  ],
  connections: [
    { from: 'signed up', to: 'a day' },
    { from: 'a day', to: 'has paid' },
    { from: 'has paid', to: 'remember', type: 'condition_not_met' },
  ],
};

@Shape('A new automation.')
@Example('welcome', 'Steps after a registration', { name: 'Welcome', ...welcome })
export class CreateAutomationRequest extends AutomationFields {
  @Text('Name, for people.', {
    requiredByDomain: true,
    boundedByDomain: { minLength: 1, maxLength: maxAutomationNameLength },
  })
  name?: string;
  @Status declare status?: string;
  @ListOf(AutomationStepRequest, `The steps, at most ${maxSteps}, with a \`trigger\` at least.`, {
    requiredByDomain: true,
    boundedByDomain: { minItems: 1, maxItems: maxSteps },
  })
  steps?: readonly unknown[];
  @ListOf(
    AutomationConnectionRequest,
    'The connections between them. Every step can be reached from a trigger, and there are no circles.',
    { requiredByDomain: true, boundedByDomain: { maxItems: 2 * maxSteps } },
  )
  connections?: readonly unknown[];
}

@Shape(
  'The fields to change. `steps` and `connections` belong together, and replace all. `settings` replace all, too.',
  {
    steps: 'All steps.',
    connections: 'All connections.',
  },
)
@Example('disable', 'Start no more runs', { status: 'disabled' })
@Example('steps', 'Other steps', welcome)
@Example('settings', 'Each contact once, and no emails at night', {
  settings: { entry: 'once', quiet_hours: { from: '21:00', to: '08:00' }, time_zone: 'Europe/Berlin' },
})
export class UpdateAutomationRequest extends PartialOf(CreateAutomationRequest) {}

export function decodeNewAutomation(body: unknown): NewAutomation {
  const { name, status, steps, connections, settings } = decodeBody(CreateAutomationRequest, body);
  const parsedName = parseAutomationName(name);
  if (steps === undefined) throw new MissingFieldError('steps');
  if (connections === undefined) throw new MissingFieldError('connections');
  return {
    name: parsedName,
    status: status === undefined ? 'disabled' : statusOf(status),
    graph: Graph.parse(steps, connections),
    settings: parseSettings(settings),
  };
}

export function decodeAutomationChanges(body: unknown): Partial<NewAutomation> {
  const { name, status, steps, connections, settings } = decodeBody(UpdateAutomationRequest, body);
  if ((steps === undefined) !== (connections === undefined)) {
    throw new ValidationError('The fields `steps` and `connections` must be given together.');
  }
  const changes = {
    ...(name !== undefined && { name: parseAutomationName(name) }),
    ...(status !== undefined && { status: statusOf(status) }),
    ...(steps !== undefined && connections !== undefined && { graph: Graph.parse(steps, connections) }),
    ...(settings !== undefined && { settings: parseSettings(settings) }),
  };
  if (Object.keys(changes).length === 0) {
    throw new ValidationError('Give at least one of `name`, `status`, `settings`, and `steps` with `connections`.');
  }
  return changes;
}

export type RunQuery = Readonly<Record<string, unknown>>;

/** The status by which a list is narrowed down. Undefined: all. */
export function decodeStatusFilter(status: unknown): AutomationStatus | undefined {
  return status === undefined || status === '' ? undefined : statusOf(status);
}

/** A comma-separated list. Empty: all. Clients also ask for `quota_exceeded`: a run that waits for a quota is `running` here. */
export function decodeRunStatuses(status: unknown): readonly RunStatus[] {
  if (status === undefined || status === '') return [];
  const names = typeof status === 'string' ? status.slice(0, 200).split(',') : [];
  const known = names.map((name) =>
    name.trim() === 'quota_exceeded' ? 'running' : runStatuses.find((each) => each === name.trim()),
  );
  if (known.length === 0 || known.includes(undefined)) {
    throw new ValidationError(`The \`status\` must be a list of ${runStatuses.join(', ')}.`);
  }
  return [...new Set(known)] as readonly RunStatus[];
}

/** Which runs of an automation are listed. */
export function decodeRunFilter(query: RunQuery): RunFilter {
  const contactId = textOf(query, 'contact_id')?.toLowerCase();
  if (contactId !== undefined && !isUuid(contactId)) {
    throw new ValidationError('The `contact_id` must be a valid UUID.');
  }
  const stepKey = textOf(query, 'step_key');
  const named = textOf(query, 'step_status');
  const stepStatus = listedStepStatuses.find((known) => known === named);
  if (named !== undefined && stepStatus === undefined) {
    throw new ValidationError(`The \`step_status\` must be one of ${listedStepStatuses.join(', ')}.`);
  }
  if (stepStatus !== undefined && stepKey === undefined) {
    throw new ValidationError('The `step_status` belongs to a `step_key`.');
  }
  return {
    statuses: decodeRunStatuses(query.status),
    ...(contactId !== undefined && { contactId }),
    ...(stepKey !== undefined && { step: { key: stepKey, status: stepStatus } }),
  };
}

function statusOf(status: unknown): AutomationStatus {
  const known = automationStatuses.find((each) => each === status);
  if (known === undefined) throw new ValidationError('The `status` must be `enabled` or `disabled`.');
  return known;
}
