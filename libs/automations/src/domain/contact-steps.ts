/** The steps that do something with the contact: emails, changes, segments. */
import { isUuid, MissingFieldError, parseMailbox, ValidationError } from '#kernel';
import {
  StepConfig,
  isObject,
  isVariable,
  requiredText,
  requiredUuid,
  textOf,
  ValueOrVariable,
  valueOrVariable,
  valuesOf,
  withoutAbsent,
} from './config.js';

export type ContactStepAction =
  | SendEmailAction
  | { readonly type: 'contact_update'; readonly fields: ReadonlyMap<string, ValueOrVariable> }
  | { readonly type: 'contact_delete' }
  | { readonly type: 'add_to_segment' | 'remove_from_segment'; readonly segmentId: string };

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

interface ParsedContactStep {
  readonly kept: StepConfig;
  readonly action: ContactStepAction;
}

const maxProperties = 100;

export const contactParsers: Readonly<Record<ContactStepAction['type'], (config: StepConfig) => ParsedContactStep>> = {
  send_email: sendEmail,
  contact_update: contactUpdate,
  contact_delete: () => ({ kept: {}, action: { type: 'contact_delete' } }),
  add_to_segment: (config) => segment('add_to_segment', config),
  remove_from_segment: (config) => segment('remove_from_segment', config),
};

function segment(type: 'add_to_segment' | 'remove_from_segment', config: StepConfig): ParsedContactStep {
  const segmentId = requiredUuid(config, 'segment_id');
  return { kept: { segment_id: segmentId }, action: { type, segmentId } };
}

function sendEmail(config: StepConfig): ParsedContactStep {
  const { template } = config;
  if (template === undefined || template === null) throw new MissingFieldError('template');
  if (!isObject(template)) throw new ValidationError('The `template` field must be an object.');
  const templateId = requiredText(template, 'id');
  const variables = valuesOf('variables', template.variables);
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

function contactUpdate(config: StepConfig): ParsedContactStep {
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
