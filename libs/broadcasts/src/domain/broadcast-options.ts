import { objectField, ValidationError } from '#kernel';
import { BroadcastOptions, FirstShare, SubjectTest } from './broadcast.js';

/** The options of a request, whose values have not been checked. */
export type RequestedOptions = Readonly<Record<string, unknown>>;

export const maxThrottlePerHour = 100_000_000;
export const maxTestedSubjects = 4;
export const maxWaitMinutes = 7 * 24 * 60;
export const maxFirstContacts = 10_000_000;
export const defaultBouncePercent = 5;
export const defaultComplaintPercent = 0.3;
const maxSubjectLength = 998;

const names = ['throttle_per_hour', 'first_share', 'local_time', 'subject_test'];

/** Replaces all options: an absent one is as usual. */
export function parseOptions(requested: RequestedOptions): BroadcastOptions {
  const unknown = Object.keys(requested).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new ValidationError(`The \`options\` may have ${names.map((name) => `\`${name}\``).join(', ')}.`);
  }
  const { throttle_per_hour: throttle, first_share: share, local_time: local, subject_test: test } = requested;
  if ([share, local, test].filter((option) => option != null).length > 1) {
    throw new ValidationError('Only one of `first_share`, `local_time` and `subject_test` can be used in a broadcast.');
  }
  return {
    ...(throttle == null ? {} : { throttlePerHour: whole('throttle_per_hour', throttle, 1, maxThrottlePerHour) }),
    ...(share == null ? {} : { firstShare: parseShare(share) }),
    ...(local == null ? {} : { localTime: parseLocalTime(local) }),
    ...(test == null ? {} : { test: parseTest(test) }),
  };
}

/** The options in the names of the API. Null if everything is as usual. */
export function shownOptions(options: BroadcastOptions): Readonly<Record<string, unknown>> | null {
  const { throttlePerHour, firstShare, localTime, test } = options;
  const shown = {
    ...(throttlePerHour === undefined ? {} : { throttle_per_hour: throttlePerHour }),
    ...(firstShare === undefined
      ? {}
      : {
          first_share: {
            ...(firstShare.percent === undefined ? {} : { percent: firstShare.percent }),
            ...(firstShare.contacts === undefined ? {} : { contacts: firstShare.contacts }),
            wait_minutes: firstShare.waitMinutes,
            max_bounce_percent: firstShare.maxBouncePercent,
            max_complaint_percent: firstShare.maxComplaintPercent,
          },
        }),
    ...(localTime === undefined ? {} : { local_time: { property: localTime.property, time_zone: localTime.timeZone } }),
    ...(test === undefined
      ? {}
      : {
          subject_test: {
            subjects: test.subjects,
            share_percent: test.sharePercent,
            wait_minutes: test.waitMinutes,
            winner: test.winner,
          },
        }),
  };
  return Object.keys(shown).length === 0 ? null : shown;
}

function parseShare(given: unknown): FirstShare {
  const { percent, contacts, wait_minutes: wait, ...limits } = objectField('first_share', given);
  if ((percent == null) === (contacts == null)) {
    throw new ValidationError('The `first_share` must have either `percent` or `contacts`.');
  }
  const { max_bounce_percent: bounces, max_complaint_percent: complaints } = limits;
  return {
    ...(percent == null ? {} : { percent: whole('first_share.percent', percent, 1, 99) }),
    ...(contacts == null ? {} : { contacts: whole('first_share.contacts', contacts, 1, maxFirstContacts) }),
    waitMinutes: wait == null ? null : whole('first_share.wait_minutes', wait, 1, maxWaitMinutes),
    maxBouncePercent: percentOf('first_share.max_bounce_percent', bounces ?? defaultBouncePercent),
    maxComplaintPercent: percentOf('first_share.max_complaint_percent', complaints ?? defaultComplaintPercent),
  };
}

function parseLocalTime(given: unknown): { readonly property: string; readonly timeZone: string } {
  const { property, time_zone } = objectField('local_time', given);
  if (typeof property !== 'string' || !/^\w{1,50}$/.test(property)) {
    throw new ValidationError('The `local_time.property` must be the key of the contact property with the time zone.');
  }
  return { property, timeZone: timeZoneOf(time_zone ?? 'UTC') };
}

function parseTest(given: unknown): SubjectTest {
  const { subjects, share_percent, wait_minutes, winner } = objectField('subject_test', given);
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

function percentOf(field: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 100) return value;
  throw new ValidationError(`The \`${field}\` must be a number from 0 to 100.`);
}
