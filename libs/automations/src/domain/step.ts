import { MissingFieldError, ValidationError } from '#kernel';
import { StepConfig, isObject } from './config.js';
import { ContactStepAction, contactParsers } from './contact-steps.js';
import { isDeeper } from './event-definition.js';
import { FlowAction, flowParsers } from './flow-steps.js';
import { parseTrigger, TriggerAction } from './trigger.js';

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
  'wait_until',
  'goal',
  'send_event',
  'webhook',
] as const;
export type StepType = (typeof stepTypes)[number];

/** A step as it is stored, and as the API has it. */
export interface StoredStep {
  readonly key: string;
  readonly type: StepType;
  readonly config: StepConfig;
}

/** What a step does. */
export type StepAction = TriggerAction | ContactStepAction | FlowAction;

export interface AutomationStep {
  readonly stored: StoredStep;
  readonly action: StepAction;
}

const maxKeyLength = 255;
/** Of the whole config as JSON. */
const maxConfigBytes = 65_536;
const maxConfigDepth = 20;

const parsers: Readonly<
  Record<StepType, (config: StepConfig) => { readonly kept: StepConfig; readonly action: StepAction }>
> = {
  trigger: parseTrigger,
  ...contactParsers,
  ...flowParsers,
};

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
