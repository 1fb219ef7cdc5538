import { describe, expect, it } from '@jest/globals';
import { defaultSettings, keptOutMs, parseSettings, shownSettings, storedSettings } from './settings.js';

const all = {
  entry: 'after',
  entry_after: '90 days',
  quiet_hours: { from: '21:00', to: '08:00' },
  max_emails_per_day: 2,
  time_zone: 'Europe/Berlin',
};

describe('the settings of an automation', () => {
  it('are as usual where they are absent', () => {
    for (const given of [undefined, null, {}, { entry: 'every_time', quiet_hours: null }]) {
      expect(parseSettings(given)).toEqual(defaultSettings);
      expect(storedSettings(parseSettings(given))).toEqual({});
    }
  });

  it('are shown and stored as they were given', () => {
    expect(shownSettings(parseSettings(all))).toEqual(all);
    expect(parseSettings(storedSettings(parseSettings(all)))).toEqual(parseSettings(all));
    expect(storedSettings(parseSettings({ max_emails_per_day: 1 }))).toEqual({ max_emails_per_day: 1 });
  });

  it('say how long a contact is kept out', () => {
    expect([{}, { entry: 'once' }, all].map((given) => keptOutMs(parseSettings(given)))).toEqual([
      ...[0, Infinity, 90 * 86_400_000],
    ]);
  });

  it.each([
    [[], 'must be an object'],
    [{ entries: 'once' }, 'may have `entry`'],
    [{ entry: 'twice' }, '`every_time`, `once` or `after`'],
    [{ entry: 'after' }, 'belongs to'],
    [{ entry: 'once', entry_after: '1 day' }, 'belongs to'],
    [{ entry: 'after', entry_after: '11 years' }, 'must be a duration'],
    [{ entry: 'after', entry_after: '4000 days' }, 'at most 3,650 days'],
    [{ quiet_hours: '21:00' }, '`settings.quiet_hours`'],
    [{ quiet_hours: { from: '21:00' } }, '`settings.quiet_hours.to`'],
    [{ quiet_hours: { from: '24:00', to: '08:00' } }, '`settings.quiet_hours.from`'],
    [{ quiet_hours: { from: '08:00', to: '08:00' } }, 'another time'],
    [{ max_emails_per_day: 0 }, 'between 1 and 100'],
    [{ max_emails_per_day: '2' }, 'between 1 and 100'],
    [{ time_zone: 'Middle/Earth' }, '`settings.time_zone`'],
    [{ time_zone: `Europe/${'x'.repeat(100_000)}` }, '`settings.time_zone`'],
  ])('%j are refused', (given, message) => {
    expect(() => parseSettings(given)).toThrow(message);
  });
});
