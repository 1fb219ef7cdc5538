import { expect, it } from '@jest/globals';
import { missingIn, openPlaces } from './automation-draft.js';
import { startingAutomations, stepsWith } from './starting-automations.js';
import { htmlOf } from './starting-emails.js';

it.each(startingAutomations.map((each) => [each.name, each] as const))('%s is complete', (_, automation) => {
  const { steps, connections, emails } = automation;
  const keys = new Set(steps.map(({ key }) => key));
  expect(keys.size).toBe(steps.length);
  expect(steps.flatMap((step) => missingIn(step) ?? [])).toEqual([]);
  expect(connections.every(({ from, to }) => keys.has(from) && keys.has(to))).toBe(true);
  expect(openPlaces(automation).length).toBeGreaterThan(0);
  const named = steps.flatMap(({ config }) => (config.template as { id: string } | undefined)?.id ?? []);
  expect([...named].sort()).toEqual(emails.map(({ id }) => id).sort());
  for (const email of emails) {
    const tags = [...`${email.subject}${htmlOf(email)}`.matchAll(/\{\{\{(\w+)\}\}\}/g)].map(([, tag]) => tag);
    const known = [...Object.keys(email.variables ?? {}), 'RESEND_UNSUBSCRIBE_URL'];
    expect(tags.filter((tag) => !known.includes(tag ?? ''))).toEqual([]);
  }
});

it('the steps send the templates that were made of the emails', () => {
  const [welcome] = startingAutomations;
  const steps = stepsWith(welcome?.steps ?? [], new Map([['welcome', 'id of the template']]));
  expect(steps[1]?.config).toEqual({ template: { id: 'id of the template' } });
  expect(steps[0]).toBe(welcome?.steps[0]);
});
