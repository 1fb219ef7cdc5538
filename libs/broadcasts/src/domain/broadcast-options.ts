import { ValidationError } from '#kernel';
import { BroadcastOptions, SubjectTest } from './broadcast.js';

/** The options of a request, whose values have not been checked. Null takes an option away. */
export interface RequestedOptions {
  readonly throttlePerHour?: unknown;
  readonly firstSharePercent?: unknown;
  readonly localTime?: unknown;
  readonly subjectTest?: unknown;
}

export const maxThrottlePerHour = 100_000_000;
export const maxTestedSubjects = 4;
export const maxWaitMinutes = 7 * 24 * 60;
const maxSubjectLength = 998;

/** Replaces all options. */
export function parseOptions(requested: RequestedOptions): BroadcastOptions {
  const { throttlePerHour, firstSharePercent, localTime, subjectTest } = requested;
  const options: BroadcastOptions = {
    ...(throttlePerHour == null
      ? {}
      : { throttlePerHour: whole('throttle_per_hour', throttlePerHour, 1, maxThrottlePerHour) }),
    ...(firstSharePercent == null
      ? {}
      : { firstSharePercent: whole('first_share_percent', firstSharePercent, 1, 99) }),
    ...(localTime == null ? {} : { localTime: parseLocalTime(localTime) }),
    ...(subjectTest == null ? {} : { test: parseTest(subjectTest) }),
  };
  const parts = [options.firstSharePercent, options.localTime, options.test].filter((part) => part !== undefined);
  if (parts.length > 1) {
    throw new ValidationError(
      'Only one of `first_share_percent`, `local_time` and `subject_test` can be used in a broadcast.',
    );
  }
  return options;
}

function parseLocalTime(given: unknown): { readonly property: string; readonly timeZone: string } {
  const { property, time_zone } = objectOf('local_time', given);
  if (typeof property !== 'string' || !/^\w{1,50}$/.test(property)) {
    throw new ValidationError('The `local_time.property` must be the key of the contact property with the time zone.');
  }
  return { property, timeZone: timeZoneOf(time_zone ?? 'UTC') };
}

function parseTest(given: unknown): SubjectTest {
  const { subjects, share_percent, wait_minutes, winner } = objectOf('subject_test', given);
  const isList = Array.isArray(subjects) && subjects.length >= 1 && subjects.length <= maxTestedSubjects;
  if (!isList || !subjects.every(isSubject)) {
    throw new ValidationError(
      `The \`subject_test.subjects\` must be 1 to ${maxTestedSubjects} further subjects, of at most ${maxSubjectLength} characters in one line.`,
    );
  }
  if (winner !== 'clicks' && winner !== 'opens') {
    throw new ValidationError('The `subject_test.winner` must be `clicks` or `opens`.');
  }
  return {
    subjects: subjects as string[],
    sharePercent: whole('subject_test.share_percent', share_percent, 1, 99),
    waitMinutes: whole('subject_test.wait_minutes', wait_minutes, 1, maxWaitMinutes),
    winner,
  };
}

function isSubject(subject: unknown): boolean {
  return (
    typeof subject === 'string' &&
    subject !== '' &&
    subject.length <= maxSubjectLength &&
    !/[\r\n\0]/.test(subject) &&
    subject.isWellFormed()
  );
}

function timeZoneOf(name: unknown): string {
  if (typeof name === 'string' && /^[a-z][a-z0-9_+/-]{0,60}$/i.test(name)) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    } catch {
      // Refused below.
    }
  }
  throw new ValidationError('The `local_time.time_zone` must be the name of a time zone, such as `Europe/Berlin`.');
}

function whole(field: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ValidationError(`The \`${field}\` must be a whole number from ${min} to ${max}.`);
}

function objectOf(field: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(`The \`${field}\` must be an object.`);
}
