import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesOfText } from './large-text.js';
import { parsedCondition, writtenCondition } from './merge-conditions.js';
import { MergeTemplate } from './merge-template.js';
import { MergeValues } from './merge-values.js';
import { maxMergeItems } from './sectioned-text.js';
import { ruleOperators } from './rule.js';

const render = (text: string, values: MergeValues): string => new MergeTemplate(text, 'html').render(values);
const list = (items: unknown): MergeValues => ({ items: JSON.stringify(items) });

describe('a condition in a text', () => {
  it.each([
    ['{{#if plan eq "pro"}}yes{{/if}}', { plan: 'Pro' }, 'yes'],
    ['{{#if contact.plan eq "pro"}}yes{{else}}no{{/if}}', { plan: 'free' }, 'no'],
    ['{{#if contact.properties.plan eq "pro"}}yes{{/if}}', { plan: 'pro' }, 'yes'],
    ['{{#if age gte 18 and plan exists}}a{{{plan}}}{{/if}}', { age: '20', plan: 'x' }, 'ax'],
    ['{{#if age gte 18}}adult{{/if}}', { age: 'old' }, ''],
    ['{{#if active eq true}}on{{/if}}', { active: 'true' }, 'on'],
    ['{{#if plan exists}}own{{else}}none{{/if}}', { plan: { value: 'x', fallback: true } }, 'none'],
    ['{{#if a eq "1" or (b eq "2" and c is_empty)}}x{{/if}}', { b: '2' }, 'x'],
    ['{{#if a exists}}{{#if b exists}}both{{else}}a{{/if}}{{/if}}', { a: '1' }, 'a'],
    ['{{#if items is_empty}}none{{/if}}', list([]), 'none'],
    ['{{#if plan eq \'it is "pro"\'}}yes{{/if}}', { plan: 'it is "pro"' }, 'yes'],
    ['{{ #if plan exists }}yes{{ else }}no{{ /if }}', {}, 'no'],
    ['{{ #each items }}x{{ /each }}', list([1, 2]), 'xx'],
    ['{{#if plan}}yes{{else}}no{{/if}}', { plan: 'pro' }, 'yes'],
    ['{{#if plan and age gte 18}}yes{{/if}}', { plan: 'pro', age: '20' }, 'yes'],
    ...['', 'false', '0', '[]'].map((plan) => ['{{#if plan}}yes{{else}}no{{/if}}', { plan }, 'no'] as const),
    ...(['a', 'b', 'c'] as const).map(
      (plan) =>
        [
          '{{#if plan eq "a"}}1{{else if plan eq "b"}}2{{else}}3{{/if}}.',
          { plan },
          `${' abc'.indexOf(plan)}.`,
        ] as const,
    ),
    ['{{#each items}}{{#if this gt 1}}a{{else if this eq 1}}b{{/if}}{{/each}}', list([0, 1, 2]), 'ba'],
  ])('%s', (text, values: object, expected) => {
    expect(render(text, values as MergeValues)).toBe(expected);
  });

  it.each([
    '{{#if not plan}}x{{/if}}',
    '{{#if (eq plan "pro")}}x{{/if}}',
    '{{#if plan eq pro}}x{{/if}}',
    '{{#if plan eq "a" and b exists or c exists}}x{{/if}}',
    '{{#if plan exists}}x',
    '{{#if plan exists}}x{{/each}}',
    'x{{/if}}{{#if plan exists}}',
    '{{#if plan exists}}{{else}}{{else}}{{/if}}',
    '{{#if plan exists}}{{else}}{{else if age exists}}{{/if}}',
    '{{#if plan exists}}{{else if age eq old}}{{/if}}',
    '{{#if a exists}}' + '{{else if b exists}}'.repeat(6) + '{{/if}}',
    '{{#each a}}{{#each b}}x{{/each}}{{/each}}',
    '{{#if a exists}}'.repeat(7) + '{{/if}}'.repeat(7),
  ])('that is not valid leaves the text as it is: %s', (text) => {
    expect(render(text, { plan: 'pro' })).toBe(text);
  });

  it('is written so that it can be read again, and fits into html', () => {
    const leaf = fc.oneof(
      fc.record({
        type: fc.constant('rule' as const),
        field: fc.constantFrom('contact.plan', 'this.price', 'TOWN'),
        operator: fc.constantFrom('eq' as const, 'neq' as const),
        value: fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)),
      }),
      fc.record({
        type: fc.constant('rule' as const),
        field: fc.constant('a'),
        operator: fc.constantFrom(...(['exists', 'is_empty'] as const)),
      }),
    );
    const group = fc.record({
      type: fc.constantFrom('and' as const, 'or' as const),
      rules: fc.array(leaf, { minLength: 2, maxLength: 4 }),
    });
    const rule = fc.oneof(
      leaf,
      group,
      fc.record({ type: fc.constantFrom('and' as const, 'or' as const), rules: fc.tuple(leaf, group) }),
    );
    fc.assert(
      fc.property(rule, (given) => {
        const text = writtenCondition(given);
        expect(parsedCondition(text)).toEqual(given);
        expect(text).not.toMatch(/[<>&{}]/);
      }),
    );
    expect(ruleOperators).toHaveLength(11);
  });
});

describe('a list in a text', () => {
  it('shows its text once for each item', () => {
    const values = list([{ Name: 'Tea <1>', price: 4 }, { name: 'Cup' }]);
    expect(render('{{#each ITEMS}}[{{{this.name}}} {{{this.price|-}}}]{{/each}}', values)).toBe(
      '[Tea &#60;1&#62; 4][Cup -]',
    );
    expect(render('{{#each items}}{{{this}}}, {{/each}}', list(['a', 2, null]))).toBe('a, 2, , ');
    expect(render('{{#each items}}{{#if this.hot eq true}}!{{/if}}{{/each}}', list([{ hot: true }, {}]))).toBe('!');
  });

  it('takes markup as it is where the list may have it', () => {
    const values: MergeValues = { items: { value: '["<b>a</b>"]', markup: true } };
    expect(render('{{#each items}}{{{this}}}{{{{this}}}}{{/each}}', values)).toContain('<b>a</b>');
  });

  it.each(['no list', '{"a":1}', '[1', '"[]"'])('shows nothing for %s', (value) => {
    expect(render('{{#each items}}x{{/each}}', { items: value })).toBe('');
  });

  it('shows a bounded number of items', () => {
    expect(render('{{#each items}}x{{/each}}', list(Array(5_000).fill(1)))).toHaveLength(maxMergeItems);
  });
});

it('names the fields of conditions and the lists among the tags', () => {
  const text = '{{#if contact.PLAN eq "x"}}{{{a}}}{{/if}}{{#each ITEMS}}{{{this.name}}}{{{b|c}}}{{/each}}';
  const tags = new MergeTemplate(text, 'html').tags;
  expect(tags.map(({ name, fallback }) => [name, fallback])).toEqual([
    ['plan', ''],
    ['a', undefined],
    ['items', undefined],
    ['b', 'c'],
  ]);
});

it('leaves sections alone where only some tags are asked for', () => {
  const text = '{{#if a exists}}{{{b}}}{{/if}}';
  expect(new MergeTemplate(text, 'html', new Set(['b'])).render({ a: 'x', b: 'y' })).toBe('{{#if a exists}}y{{/if}}');
});

it('the size of a text with sections can be computed without rendering', () => {
  const text = 'ä{{#if a exists}}{{{a}}}{{else}}nö {{{b|ü}}}{{/if}}{{#each items}}{{this.x}}{{{b}}}{{/each}}';
  for (const values of [{}, { a: 'ß<' }, { b: 'é' }, list([{ x: '<' }, { x: 1 }]), { a: '1', b: '2', ...list([3]) }]) {
    const template = new MergeTemplate(text, 'html');
    expect(template.renderedBytes(values)).toBe(bytesOfText(template.render(values)));
  }
});
