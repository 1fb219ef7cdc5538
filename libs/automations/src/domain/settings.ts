import { ValidationError } from '#kernel';
import { StepConfig, isObject, textOf } from './config.js';
import { parseDuration } from './duration.js';
import { Hours, parseTimeOfDay, parseTimeZone } from './local-time.js';

export const entryRules = ['every_time', 'once', 'after'] as const;
export type EntryRule = (typeof entryRules)[number];

/** What holds for all runs of an automation, also for those that have begun. */
export interface AutomationSettings {
  readonly entry: EntryRule;
  /** With `after`: how long after its last run has begun a contact may enter again. */
  readonly entryAfter: string | null;
  /** Emails wait until they are over, in the zone of the contact. */
  readonly quietHours: Hours | null;
  /** Automated emails that a contact gets in a day, those of all automations of the team together. */
  readonly maxEmailsPerDay: number | null;
  /** For contacts whose zone is not known. */
  readonly timeZone: string | null;
}

export const defaultSettings: AutomationSettings = {
  entry: 'every_time',
  entryAfter: null,
  quietHours: null,
  maxEmailsPerDay: null,
  timeZone: null,
};

export const maxEmailsOfDay = 100;
/** The longest time until a contact may enter again: ten years. */
export const maxEntryAfterMs = 3_650 * 86_400_000;
const names = ['entry', 'entry_after', 'quiet_hours', 'max_emails_per_day', 'time_zone'];

/** Checks the settings of a request, or reads stored ones. What is absent is as usual. */
export function parseSettings(given: unknown): AutomationSettings {
  if (given === undefined || given === null) return defaultSettings;
  if (!isObject(given)) throw new ValidationError('The `settings` field must be an object.');
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new ValidationError(`The \`settings\` may have ${names.map((name) => `\`${name}\``).join(', ')}.`);
  }
  const { quiet_hours: quiet, max_emails_per_day: max, time_zone: zone } = given;
  return {
    ...entryOf(given),
    quietHours: quiet === undefined || quiet === null ? null : hoursOf(quiet),
    maxEmailsPerDay: max === undefined || max === null ? null : limitOf(max),
    timeZone:
      zone === undefined || zone === null || zone === '' ? null : parseTimeZone('The `settings.time_zone`', zone),
  };
}

export interface ShownSettings {
  readonly entry: EntryRule;
  readonly entry_after: string | null;
  readonly quiet_hours: Hours | null;
  readonly max_emails_per_day: number | null;
  readonly time_zone: string | null;
}

/** The settings in the names of the API. */
export function shownSettings(settings: AutomationSettings): ShownSettings {
  return {
    entry: settings.entry,
    entry_after: settings.entryAfter,
    quiet_hours: settings.quietHours,
    max_emails_per_day: settings.maxEmailsPerDay,
    time_zone: settings.timeZone,
  };
}

/** The settings as they are stored: without those that are as usual. */
export function storedSettings(settings: AutomationSettings): StepConfig {
  const usual = Object.entries(shownSettings(defaultSettings));
  return Object.fromEntries(
    Object.entries(shownSettings(settings)).filter(
      (entry) => !usual.some(([name, value]) => name === entry[0] && value === entry[1]),
    ),
  );
}

/** How long after its last run a contact is kept out. Infinity: for ever. Zero: it enters each time. */
export function keptOutMs({ entry, entryAfter }: AutomationSettings): number {
  if (entry === 'once') return Infinity;
  return entry === 'every_time' || entryAfter === null
    ? 0
    : parseDuration('The `settings.entry_after`', entryAfter, maxEntryAfterMs);
}

function entryOf(given: StepConfig): Pick<AutomationSettings, 'entry' | 'entryAfter'> {
  const name = textOf(given, 'entry') ?? 'every_time';
  const entry = entryRules.find((known) => known === name);
  if (entry === undefined) {
    throw new ValidationError('The `settings.entry` must be `every_time`, `once` or `after`.');
  }
  const entryAfter = textOf(given, 'entry_after') ?? null;
  if ((entryAfter !== null) !== (entry === 'after')) {
    throw new ValidationError('The `settings.entry_after` belongs to the `settings.entry` `after`.');
  }
  if (entryAfter !== null) parseDuration('The `settings.entry_after`', entryAfter, maxEntryAfterMs);
  return { entry, entryAfter };
}

function hoursOf(given: unknown): Hours {
  if (!isObject(given)) throw new ValidationError('The `settings.quiet_hours` must be an object or null.');
  const from = parseTimeOfDay('The `settings.quiet_hours.from`', given.from);
  const to = parseTimeOfDay('The `settings.quiet_hours.to`', given.to);
  if (from === to) throw new ValidationError('The `settings.quiet_hours` must end at another time than they begin.');
  return { from, to };
}

function limitOf(given: unknown): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= maxEmailsOfDay) return given;
  throw new ValidationError(
    `The \`settings.max_emails_per_day\` must be a whole number between 1 and ${maxEmailsOfDay}, or null.`,
  );
}
