import { isUuid, MissingFieldError, parseMailbox, ValidationError } from '#kernel';
import { parseDuration } from './duration.js';
import { emailEvents, isDeeper, parseEventName } from './event-definition.js';
import { parseRule, Rule } from './rule.js';

export const stepTypes = [
  'trigger',
  'send_email',
  'delay',
  'wait_for_event',
  'condition',
  'contact_update',
  'contact_delete',
  'add_to_segment',
  // Additions of Postrider.
  'remove_from_segment',
  'split',
] as const;
export type StepType = (typeof stepTypes)[number];

/** A step as it is stored, and as the API has it. */
export interface StoredStep {
  readonly key: string;
  readonly type: StepType;
  readonly config: Readonly<Record<string, unknown>>;
}

/** A value, or the name of one: `event.plan`, `contact.first_name`, `wait_events.order.paid.total`. */
export type ValueOrVariable = { readonly value: unknown } | { readonly variable: string };

/** What a step does. */
export type StepAction =
  | { readonly type: 'trigger'; readonly eventName: string }
  | SendEmailAction
  | { readonly type: 'delay'; readonly ms: number }
  | { readonly type: 'wait_for_event'; readonly eventName: string; readonly ms: number; readonly rule: Rule | null }
  | { readonly type: 'condition'; readonly rule: Rule }
  | { readonly type: 'contact_update'; readonly fields: ReadonlyMap<string, ValueOrVariable> }
  | { readonly type: 'contact_delete' }
  | { readonly type: 'add_to_segment' | 'remove_from_segment'; readonly segmentId: string }
  /** The share of contacts that takes the branch `condition_met`. */
  | { readonly type: 'split'; readonly percent: number };

export interface SendEmailAction {
  readonly type: 'send_email';
  /** Id or alias. */
  readonly templateId: string;
  readonly variables: ReadonlyMap<string, ValueOrVariable>;
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject?: string;
  readonly topicId?: string;
}

export interface AutomationStep {
  readonly stored: StoredStep;
  readonly action: StepAction;
}

type Config = Readonly<Record<string, unknown>>;

const maxKeyLength = 255;
const maxVariables = 100;
const maxProperties = 100;
const maxTextLength = 998;
/** Of the whole config as JSON. */
const maxConfigBytes = 65_536;
const maxConfigDepth = 20;
/** A wait without a timeout ends after this time. */
const defaultTimeout = '30 days';
/** Where the values of variables come from. */
const variableNamespaces = ['event.', 'contact.', 'wait_events.'];

/** Checks a step. Unknown keys of its config are dropped. Throws errors that name the step. */
export function parseStep(given: unknown): AutomationStep {
  if (!isObject(given)) throw new ValidationError('Each of the `steps` must be an object.');
  const key = parseKey(given.key);
  const type = stepTypes.find((known) => known === given.type);
  if (type === undefined) {
    throw new ValidationError(`The \`type\` of the step \`${key}\` must be one of ${stepTypes.join(', ')}.`);
  }
  const config = given.config ?? {};
  if (!isObject(config)) throw new ValidationError(`The \`config\` of the step \`${key}\` must be an object.`);
  try {
    if (isDeeper(config, maxConfigDepth)) throw new ValidationError(`It may be at most ${maxConfigDepth} levels deep.`);
    if (Buffer.byteLength(JSON.stringify(config)) > maxConfigBytes)
      throw new ValidationError('It may be at most 64 KB.');
    const { kept, action } = parsers[type](config);
    return { stored: { key, type, config: kept }, action };
  } catch (error) {
    if (!(error instanceof ValidationError) && !(error instanceof MissingFieldError)) throw error;
    throw new ValidationError(`Invalid step \`${key}\`: ${error.message}`);
  }
}

function parseKey(key: unknown): string {
  if (
    typeof key !== 'string' ||
    key === '' ||
    key.length > maxKeyLength ||
    /\p{Cc}/u.test(key) ||
    !key.isWellFormed()
  ) {
    throw new ValidationError(`Each step needs a \`key\` of 1 to ${maxKeyLength} characters.`);
  }
  return key;
}

interface Parsed {
  readonly kept: Config;
  readonly action: StepAction;
}

const parsers: Readonly<Record<StepType, (config: Config) => Parsed>> = {
  trigger: (config) => {
    const eventName = parseEventName('event_name', textOf(config, 'event_name'));
    return { kept: { event_name: eventName }, action: { type: 'trigger', eventName } };
  },
  send_email: sendEmail,
  delay: (config) => {
    const duration = requiredText(config, 'duration');
    return { kept: { duration }, action: { type: 'delay', ms: parseDuration('The `duration`', duration) } };
  },
  wait_for_event: waitForEvent,
  condition: (config) => {
    const rule = parseRule('The condition', config, ['event.', 'contact.', 'properties.', 'wait_events.']);
    return { kept: { ...rule }, action: { type: 'condition', rule } };
  },
  contact_update: contactUpdate,
  contact_delete: () => ({ kept: {}, action: { type: 'contact_delete' } }),
  add_to_segment: (config) => segment('add_to_segment', config),
  remove_from_segment: (config) => segment('remove_from_segment', config),
  split: ({ percent }) => {
    if (typeof percent !== 'number' || !(percent >= 0 && percent <= 100)) {
      throw new ValidationError('The `percent` must be a number between 0 and 100.');
    }
    return { kept: { percent }, action: { type: 'split', percent } };
  },
};

function segment(type: 'add_to_segment' | 'remove_from_segment', config: Config): Parsed {
  const segmentId = requiredText(config, 'segment_id').toLowerCase();
  if (!isUuid(segmentId)) throw new ValidationError('The `segment_id` must be a valid UUID.');
  return { kept: { segment_id: segmentId }, action: { type, segmentId } };
}

function sendEmail(config: Config): Parsed {
  const { template } = config;
  if (template === undefined || template === null) throw new MissingFieldError('template');
  if (!isObject(template)) throw new ValidationError('The `template` field must be an object.');
  const templateId = requiredText(template, 'id');
  const variables = parseVariables(template.variables);
  const [subject, from, replyTo, topicId] = ['subject', 'from', 'reply_to', 'topic_id'].map((name) =>
    textOf(config, name),
  );
  for (const [name, address] of Object.entries({ from, reply_to: replyTo })) {
    if (address !== undefined && parseMailbox(address) === undefined) {
      throw new ValidationError(`The \`${name}\` field must be an address such as \`Name <email@example.com>\`.`);
    }
  }
  if (topicId !== undefined && !isUuid(topicId)) throw new ValidationError('The `topic_id` must be a valid UUID.');
  if (subject !== undefined && /[\r\n\0]/.test(subject)) {
    throw new ValidationError('The `subject` field must not contain line breaks.');
  }
  return {
    kept: withoutAbsent({
      template: withoutAbsent({ id: templateId, variables: variables.size === 0 ? undefined : template.variables }),
      subject,
      from,
      reply_to: replyTo,
      topic_id: topicId,
    }),
    action: { type: 'send_email', templateId, variables, ...withoutAbsent({ from, replyTo, subject, topicId }) },
  };
}

function waitForEvent(config: Config): Parsed {
  const given = textOf(config, 'event_name');
  const known = emailEvents.find((name) => name === given);
  if (known === undefined && given?.startsWith('resend:') === true) {
    throw new ValidationError(`The \`event_name\` must be a custom event, or one of ${emailEvents.join(', ')}.`);
  }
  const eventName = known ?? parseEventName('event_name', given);
  const timeout = textOf(config, 'timeout');
  const ms = parseDuration('The `timeout`', timeout ?? defaultTimeout);
  const filter = config.filter_rule ?? null;
  const rule = filter === null ? null : parseRule('The `filter_rule`', filter, ['event.']);
  return {
    kept: withoutAbsent({ event_name: eventName, timeout, filter_rule: rule ?? undefined }),
    action: { type: 'wait_for_event', eventName, ms, rule },
  };
}

function contactUpdate(config: Config): Parsed {
  const fields = new Map<string, ValueOrVariable>();
  for (const name of ['first_name', 'last_name'] as const) {
    const value = config[name];
    if (value === undefined) continue;
    if (value !== null && typeof value !== 'string' && !isVariable(value)) {
      throw new ValidationError(`The \`${name}\` field must be a string, null or a variable.`);
    }
    fields.set(name, valueOrVariable(name, value));
  }
  const { unsubscribed, properties } = config;
  if (unsubscribed !== undefined && unsubscribed !== null) {
    if (typeof unsubscribed !== 'boolean' && !isVariable(unsubscribed)) {
      throw new ValidationError('The `unsubscribed` field must be a boolean or a variable.');
    }
    fields.set('unsubscribed', valueOrVariable('unsubscribed', unsubscribed));
  }
  if (properties !== undefined && properties !== null) {
    if (!isObject(properties)) throw new ValidationError('The `properties` field must be an object.');
    const entries = Object.entries(properties);
    if (entries.length > maxProperties)
      throw new ValidationError(`There may be at most ${maxProperties} \`properties\`.`);
    for (const [name, value] of entries) {
      if (value !== null && !['string', 'number'].includes(typeof value) && !isVariable(value)) {
        throw new ValidationError(`The property \`${name}\` must be a string, a number, null or a variable.`);
      }
      fields.set(`properties.${name}`, valueOrVariable(name, value));
    }
  }
  if (fields.size === 0) throw new ValidationError('It changes nothing: give at least one field.');
  return {
    kept: withoutAbsent({
      first_name: config.first_name,
      last_name: config.last_name,
      unsubscribed: unsubscribed ?? undefined,
      properties: properties ?? undefined,
    }),
    action: { type: 'contact_update', fields },
  };
}

function parseVariables(given: unknown): ReadonlyMap<string, ValueOrVariable> {
  if (given === undefined || given === null) return new Map();
  if (!isObject(given)) throw new ValidationError('The `variables` field must be an object.');
  const entries = Object.entries(given);
  if (entries.length > maxVariables) throw new ValidationError(`There may be at most ${maxVariables} \`variables\`.`);
  return new Map(entries.map(([name, value]) => [name, valueOrVariable(name, value)]));
}

function isVariable(value: unknown): value is { readonly var: unknown } {
  return isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, 'var');
}

function valueOrVariable(name: string, value: unknown): ValueOrVariable {
  if (!isVariable(value)) return { value };
  const variable = value.var;
  if (typeof variable !== 'string' || !variableNamespaces.some((namespace) => variable.startsWith(namespace))) {
    const names = variableNamespaces.map((namespace) => `\`${namespace}\``).join(', ');
    throw new ValidationError(`The \`var\` of \`${name}\` must begin with one of ${names}.`);
  }
  return { variable };
}

/** Empty texts count as absent, because some clients send them. */
function textOf(config: Config, field: string): string | undefined {
  const value = config[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new ValidationError(`The \`${field}\` field must be a string.`);
  if (value.length > maxTextLength) {
    throw new ValidationError(`The \`${field}\` field may have at most ${maxTextLength} characters.`);
  }
  return value;
}

function requiredText(config: Config, field: string): string {
  const text = textOf(config, field);
  if (text === undefined) throw new MissingFieldError(field);
  return text;
}

function isObject(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutAbsent<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
