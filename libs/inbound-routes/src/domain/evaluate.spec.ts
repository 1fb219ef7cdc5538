import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatPattern, matchesAddress, parsePattern } from './address-pattern.js';
import { evaluate, forecast } from './evaluate.js';
import { HeaderCondition, HeaderValue, holdingAmong } from './header-condition.js';
import { Route, RouteAction } from './route.js';

let count = 0;
const route = (recipient: string, action: RouteAction, fields: Partial<Route> = {}): Route => ({
  id: `r${++count}`,
  teamId: 't',
  position: 1,
  name: '',
  recipient: parsePattern(recipient),
  conditions: [],
  action,
  goesOn: false,
  enabled: true,
  actor: { kind: 'service' },
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...fields,
});
const webhook: RouteAction = { type: 'webhook' };
const drop: RouteAction = { type: 'drop' };
const reject: RouteAction = { type: 'reject', text: 'Gone away' };
const forward: RouteAction = { type: 'forward', to: ['ann@other.test'] };
const when = (header: string, value: string, not = false): HeaderCondition => ({
  header,
  test: 'contains',
  value,
  not,
});

const holding = (routes: readonly Route[], header: readonly HeaderValue[]): ReadonlySet<HeaderCondition> =>
  holdingAmong(
    routes.flatMap(({ conditions }) => conditions),
    header,
  );

describe('a pattern', () => {
  it.each([
    ['support@acme.test', 'support@acme.test', true],
    ['support@acme.test', 'SUPPORT@Acme.Test', true],
    ['support@acme.test', 'support+tag@acme.test', false],
    ['Support+*@acme.test', 'support+tag@acme.test', true],
    ['support+*@acme.test', 'support+a+b@acme.test', true],
    ['support+*@acme.test', 'support@acme.test', false],
    ['*@acme.test', 'anyone@acme.test', true],
    ['*@acme.test', 'anyone@sub.acme.test', false],
    ['*@*.acme.test', 'anyone@sub.acme.test', true],
    ['*@*.acme.test', 'anyone@a.b.acme.test', true],
    ['*@*.acme.test', 'anyone@acme.test', false],
    ['*@*.acme.test', 'anyone@notacme.test', false],
    ['help@*.acme.test', 'help@eu.acme.test', true],
    ['*@acme.test', '"a@b"@acme.test', true],
    ['*@bücher.test', 'a@xn--bcher-kva.test', true],
    ['*@acme.test', 'nothing', false],
  ])('%s for %s: %s', (pattern, address, expected) => {
    expect(matchesAddress(parsePattern(pattern), address)).toBe(expected);
  });

  it.each([
    '',
    '@',
    '*',
    'acme.test',
    'a*@acme.test',
    '*+*@acme.test',
    'a@*',
    'a@*.',
    'a@a.*.test',
    'a b@acme.test',
    '+*@acme',
  ])('is not %p', (text) => {
    expect(() => parsePattern(text)).toThrow('must be of the form');
  });

  it.each(['support@acme.test', 'support+*@acme.test', '*@acme.test', '*@*.acme.test'])(
    '%s is shown as written',
    (text) => {
      expect(formatPattern(parsePattern(text))).toBe(text);
    },
  );
});

it.each<[HeaderCondition['test'], string, boolean, boolean]>([
  ['exists', '', false, true],
  ['equals', 'URGENT: help', false, true],
  ['equals', 'urgent', false, false],
  ['contains', 'HELP', false, true],
  ['starts_with', 'urgent', false, true],
  ['ends_with', 'urgent', false, false],
  ['contains', 'help', true, false],
  ['contains', 'other', true, true],
])('the condition %s %p (not: %s) is %s for a subject', (test, value, not, expected) => {
  const condition = { header: 'subject', test, value, not };
  expect(holdingAmong([condition], [{ name: 'subject', value: 'Urgent: Help' }]).has(condition)).toBe(expected);
});

describe('the routes', () => {
  const header = [{ name: 'subject', value: 'Invoice 7' }];
  const types = (routes: readonly Route[], address = 'a@acme.test'): string => {
    const { actions, rejection } = evaluate(routes, address, holding(routes, header));
    return rejection ?? actions.map(({ action }) => action.type).join(' ');
  };

  it.each<[string, readonly Route[], string]>([
    ['none', [], 'webhook'],
    ['the first that matches', [route('*@acme.test', forward), route('a@acme.test', drop)], 'forward'],
    ['not one that is off', [route('*@acme.test', drop, { enabled: false })], 'webhook'],
    [
      'several, where they go on',
      [route('*@acme.test', forward, { goesOn: true }), route('*@acme.test', webhook)],
      'forward webhook',
    ],
    ['no default behind one that goes on', [route('*@acme.test', forward, { goesOn: true })], 'forward'],
    ['a refusal', [route('a@acme.test', reject)], 'Gone away'],
    [
      'no refusal behind an action',
      [route('*@acme.test', forward, { goesOn: true }), route('*@acme.test', reject)],
      'forward',
    ],
    ['a condition that holds', [route('*@acme.test', drop, { conditions: [when('subject', 'invoice')] })], ''],
    [
      'a condition that does not hold',
      [route('*@acme.test', drop, { conditions: [when('subject', 'offer')] })],
      'webhook',
    ],
    [
      'all conditions',
      [route('*@acme.test', drop, { conditions: [when('subject', 'invoice'), when('from', 'x')] })],
      'webhook',
    ],
  ])('apply: %s', (_, routes, expected) => {
    expect(types(routes)).toBe(expected);
  });

  it.each<[string, readonly Route[], Partial<ReturnType<typeof forecast>>]>([
    ['the default is announced', [], { announces: true, acts: false }],
    ['a refusal is known', [route('*@acme.test', reject)], { rejection: 'Gone away' }],
    ['a drop is known', [route('*@acme.test', drop)], { isDropped: true }],
    ['a forward is done later', [route('*@acme.test', forward)], { announces: false, acts: true, isDropped: false }],
    [
      'nothing is known where a condition decides',
      [route('*@acme.test', drop, { conditions: [when('subject', 'x')] }), route('*@acme.test', reject)],
      { announces: false, acts: true, isDropped: false, rejection: undefined },
    ],
  ])('before the content: %s', (_, routes, expected) => {
    expect(forecast(routes, 'a@acme.test')).toMatchObject(expected);
  });
});

describe('against a slow model', () => {
  const patterns = ['a@x.test', 'a+*@x.test', '*@x.test', '*@*.x.test', 'b@s.x.test', '*@s.x.test'];
  const addresses = ['a@x.test', 'A+1@x.test', 'b@x.test', 'b@s.x.test', 'a+t@s.x.test', 'c@t.s.x.test'];
  const actions: RouteAction[] = [webhook, drop, reject, forward];
  const aRoute = fc
    .record({
      recipient: fc.constantFrom(...patterns),
      action: fc.constantFrom(...actions),
      goesOn: fc.boolean(),
      enabled: fc.boolean(),
      conditions: fc.array(
        fc.record({ header: fc.constantFrom('h', 'k'), value: fc.constantFrom('1', '2'), not: fc.boolean() }),
        {
          maxLength: 2,
        },
      ),
    })
    .map(({ recipient, action, conditions, ...fields }) =>
      route(recipient, action, {
        ...fields,
        conditions: conditions.map(({ header, value, not }) => when(header, value, not)),
      }),
    );
  const aHeader = fc.array(fc.record({ name: fc.constantFrom('h', 'k'), value: fc.constantFrom('1', '2', '12') }), {
    maxLength: 3,
  });

  /** Everything at once, by expressions and filters. */
  const model = (routes: readonly Route[], address: string, header: readonly HeaderValue[]): string => {
    const matching = routes.filter(({ recipient, conditions, enabled }) => {
      const [local = '', domain = ''] = formatPattern(recipient).split('@');
      const source = `^${local.replace('+', '\\+').replace('*', '.*')}@${domain.replace('*.', '(?:[^@]+\\.)').replaceAll('.test', '\\.test')}$`;
      const values = (name: string) => header.filter((field) => field.name === name).map(({ value }) => value);
      return (
        enabled &&
        new RegExp(source, 'i').test(address) &&
        conditions.every(({ header: name, value, not }) => values(name).some((text) => text.includes(value)) !== not)
      );
    });
    const last = matching.findIndex(({ action, goesOn }) => !goesOn || ['drop', 'reject'].includes(action.type));
    const taken = last < 0 ? matching : matching.slice(0, last + 1);
    if (taken.length === 0) return 'webhook';
    if (taken[0]?.action.type === 'reject') return 'Gone away';
    return taken
      .map(({ action }) => action.type)
      .filter((type) => type !== 'drop' && type !== 'reject')
      .join(' ');
  };
  const shown = (routes: readonly Route[], address: string, header: readonly HeaderValue[]): string => {
    const { actions: kept, rejection } = evaluate(routes, address, holding(routes, header));
    return rejection ?? kept.map(({ action }) => action.type).join(' ');
  };

  it('the order of matching is the same', () => {
    fc.assert(
      fc.property(
        fc.array(aRoute, { maxLength: 8 }),
        fc.constantFrom(...addresses),
        aHeader,
        (routes, address, header) => {
          expect(shown(routes, address, header)).toBe(model(routes, address, header));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('what is certain before the content is true with every header', () => {
    fc.assert(
      fc.property(
        fc.array(aRoute, { maxLength: 6 }),
        fc.constantFrom(...addresses),
        aHeader,
        (routes, address, header) => {
          const before = forecast(routes, address);
          const { actions: kept, rejection } = evaluate(routes, address, holding(routes, header));
          const isAnnounced = kept.some(({ action }) => action.type === 'webhook');
          if (before.rejection !== undefined) expect(rejection).toBe(before.rejection);
          if (before.isDropped) expect(kept).toEqual([]);
          if (before.announces) expect(isAnnounced).toBe(true);
          if (!before.acts && before.rejection === undefined && !before.isDropped) {
            expect(new Set(kept.map(({ action }) => action.type))).toEqual(new Set(['webhook']));
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
