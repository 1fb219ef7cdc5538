import type { Permission } from '#identity';
import { DomainError } from '#kernel';
import type { Rule } from '#kernel';
import { ValueOrVariable } from './config.js';
import { Graph } from './graph.js';
import { AutomationStep, StepAction } from './step.js';
import { receivedMail } from './trigger.js';

export class StepBeyondPermissionsError extends DomainError {
  constructor(stepKey: string, permission: Permission) {
    super('forbidden', 'invalid_permission', `The step \`${stepKey}\` needs \`${permission}\`, which you do not have.`);
  }
}

/** Why a run does not do a step that its automation could do when it was written. */
export function lacks(permission: Permission): string {
  return `The step needs \`${permission}\`, which the author of the automation does not have any more. Enable it again.`;
}

/** The permission that a step needs and that is missing. Undefined: none. */
export function missingFor(
  { action }: AutomationStep,
  may: (permission: Permission) => boolean,
): Permission | undefined {
  return permissionsOf(action).find((permission) => !may(permission));
}

/** Throws StepBeyondPermissionsError for a step that reads or does more than its author may. */
export function requireSteps(graph: Graph, may: (permission: Permission) => boolean): void {
  for (const step of graph.all) {
    const missing = missingFor(step, may);
    if (missing !== undefined) throw new StepBeyondPermissionsError(step.stored.key, missing);
  }
}

/**
 * What a step reads and does. An email goes to the contact itself, so that its values are not read by anybody else. What
 * `event.…` is, the trigger has read.
 */
function permissionsOf(action: StepAction): readonly Permission[] {
  switch (action.type) {
    case 'trigger':
      return ofEvent(action.eventName);
    case 'send_email':
      return ['emails:send'];
    case 'contact_update':
      return ['audience:write', ...ofValues(action.fields)];
    case 'contact_delete':
    case 'add_to_segment':
    case 'remove_from_segment':
      return ['audience:write'];
    case 'webhook':
      return action.body === null ? ['audience:read'] : ofValues(action.body);
    case 'send_event':
      return ofValues(action.payload);
    case 'condition':
      return ofRule(action.rule);
    case 'wait_for_event':
    case 'goal':
      return action.eventName.startsWith('resend:') ? ['emails:read'] : [];
    case 'delay':
    case 'wait_until':
    case 'split':
      return [];
  }
}

/** Custom events and received mail add the person to whom they happen as a contact. */
function ofEvent(name: string): readonly Permission[] {
  if (name === receivedMail) return ['emails:read', 'audience:write'];
  if (name.startsWith('resend:email.')) return ['emails:read'];
  return name.startsWith('resend:') ? ['audience:read'] : ['audience:write'];
}

function ofValues(values: ReadonlyMap<string, ValueOrVariable>): readonly Permission[] {
  const readsContact = [...values.values()].some((value) => 'variable' in value && isOfContact(value.variable));
  return readsContact ? ['audience:read'] : [];
}

function ofRule(rule: Rule): readonly Permission[] {
  return fieldsIn(rule).some(isOfContact) ? ['audience:read'] : [];
}

function isOfContact(field: string): boolean {
  return !['event.', 'wait_events.', 'webhooks.'].some((namespace) => field.startsWith(namespace));
}

function fieldsIn(rule: Rule): readonly string[] {
  return rule.type === 'rule' ? [rule.field] : rule.rules.flatMap(fieldsIn);
}
