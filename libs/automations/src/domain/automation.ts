import type { Actor, Authority } from '#identity';
import { MissingFieldError, ValidationError } from '#kernel';
import { Graph } from './graph.js';
import { AutomationSettings } from './settings.js';

export type AutomationStatus = 'enabled' | 'disabled';

/** What happens when an event arrives: a graph of steps, through which one run goes for each event. */
export interface Automation {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly status: AutomationStatus;
  /** Each change of the graph makes a new version. Runs keep the version with which they began. */
  readonly version: number;
  /** Who made it, or changed its steps or status last: its emails are sent in their name. */
  readonly actor: Actor;
  /** With whose permissions its steps are done. Null: those of the whole team, for automations from before there was this. */
  readonly authority: Authority | null;
  readonly createdAt: Date;
  /** Null until it is changed. */
  readonly updatedAt: Date | null;
}

export interface AutomationWithGraph extends Automation {
  readonly graph: Graph;
  /** They hold for runs that have begun, too: a change makes no new version. */
  readonly settings: AutomationSettings;
}

export const automationStatuses: readonly AutomationStatus[] = ['enabled', 'disabled'];
export const maxAutomations = 500;
export const maxAutomationNameLength = 255;

export function parseAutomationName(name: string | undefined): string {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') throw new MissingFieldError('name');
  if (trimmed.length > maxAutomationNameLength) {
    throw new ValidationError(`The \`name\` may have at most ${maxAutomationNameLength} characters.`);
  }
  if (/\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) {
    throw new ValidationError('The `name` must not contain control characters.');
  }
  return trimmed;
}

/** The name of a copy, cut so that it stays within the limit. */
export function copyName(name: string): string {
  const suffix = ' (copy)';
  return `${name.slice(0, maxAutomationNameLength - suffix.length).toWellFormed()}${suffix}`;
}
