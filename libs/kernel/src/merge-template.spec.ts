import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapedHtml } from './text.js';
import { checkTagCount, MergeTemplate } from './merge-template.js';
import { MergeValues, mergeValues } from './merge-values.js';
import { MergeTarget } from './tagged-text.js';

const render = (text: string, values: MergeValues, target: MergeTarget = 'html') =>
  new MergeTemplate(text, target).render(mergeValues(values));

describe('a merge tag', () => {
  it.each([
    ['Hi {{{FIRST_NAME}}}!', 'Hi Ada!'],
    ['Hi {{{first_name|there}}}!', 'Hi Ada!'],
    ['Hi {{{contact.first_name|there}}}!', 'Hi Ada!'],
    ['{{{LAST_NAME|you}}}', 'you'],
    ['{{{LAST_NAME|}}}{{{LAST_NAME}}}', ''],
    ['{{{{FIRST_NAME}}}}', '{Ada}'],
    ['{{{FIRST_NAME}}}{{{FIRST_NAME}}}', 'AdaAda'],
    ['{{{ FIRST_NAME }}} {{{ LAST_NAME |you}}}', 'Ada you'],
    ['{{FIRST_NAME}} {{first_name|you}}', 'Ada Ada'],
    ['{{{FIRST_NAME}} {{FIRST_NAME}}}', '{Ada Ada}'],
  ])('in %s', (text, expected) => {
    expect(render(text, { FIRST_NAME: 'Ada' })).toBe(expected);
  });

  it('with an empty value becomes the fallback', () => {
    expect(render('{{{first_name|there}}}', { 'contact.first_name': '' })).toBe('there');
  });

  it.each(['{{LAST_NAME}}', '{{{\nFIRST_NAME}}}', '{{{}}}', '{{{FIRST NAME}}}', '{{{FIRST_NAME', '{{{a|{b}}}}'])(
    'is not %s, which stays unchanged',
    (text) => {
      expect(render(text, { FIRST_NAME: 'Ada' })).toBe(text);
    },
  );

  it('escapes a value in html and leaves it in text', () => {
    const values = { name: `"><script>alert('x')</script>&` };
    expect(render('<a title="{{{name}}}">', values)).toBe(
      '<a title="&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;">',
    );
    expect(render('{{{name}}}', values, 'text')).toBe(values.name);
    expect(render('{{{company|<b>you</b>}}}', values)).toBe('<b>you</b>');
  });

  it('inserts markup into html as it is, except in two braces', () => {
    const values: MergeValues = { name: { value: '<b>Ada</b>', markup: true } };
    expect(render('{{{name}}} {{name}}', values)).toBe('<b>Ada</b> &#60;b&#62;Ada&#60;/b&#62;');
    expect(render('{{{name}}}', values, 'text')).toBe('<b>Ada</b>');
  });

  it('prefers its own fallback to one that comes with the values, and a value to both', () => {
    const values: MergeValues = { name: { value: 'friend', fallback: true }, city: { value: '', fallback: true } };
    expect(render('{{{name|you}}} {{{name}}} {{name|you}} {{city|here}}', values)).toBe('you friend you here');
    expect(render('{{{name|you}}}', { name: { value: 'Ada' } })).toBe('Ada');
  });

  it('in a line never breaks it', () => {
    expect(render('Hi {{{name}}}', { name: 'Eve\r\nBcc: all@sink.test' }, 'line')).toBe('Hi Eve Bcc: all@sink.test');
  });

  it('stays unchanged where it is not one of those asked for', () => {
    const template = new MergeTemplate('{{{a}}} {{{b}}}', 'html', new Set(['b']));
    expect(template.render({ a: 'no', b: 'yes' })).toBe('{{{a}}} yes');
    expect(template.tags.map(({ key }) => key)).toEqual(['b']);
  });

  it('inside a value is plain text', () => {
    const values = { a: '{{{b}}}', b: 'no' };
    expect(render('{{{a}}}', values)).toBe('{{{b}}}');
  });

  it('does not read inherited properties of objects', () => {
    expect(render('{{{constructor|a}}}{{{__proto__|b}}}{{{toString|c}}}', {})).toBe('abc');
  });
});

it('the size can be computed without rendering', () => {
  const source = 'Grüße, {{{name|Sie & ü}}} {{{name}}} {{name}} {{name|Du}} {{{other|Ö}}} {{other}} {{{other}}}';
  const known: MergeValues[] = [
    {},
    { name: 'Zoë & "Söhne"' },
    { name: '' },
    ...[{}, { markup: true }, { fallback: true }, { markup: true, fallback: true }].map(
      (marks) => ({ name: { value: '<ö>', ...marks } }) as MergeValues,
    ),
    { name: 'a', other: "b'" },
  ];
  for (const target of ['html', 'text', 'line'] as const) {
    const template = new MergeTemplate(source, target);
    for (const values of known) {
      expect(template.renderedBytes(values)).toBe(Buffer.byteLength(template.render(values)));
    }
  }
});

it('the size of a bomb is known at once, and rendering stops at a limit', () => {
  const template = new MergeTemplate('{{{a}}}'.repeat(10_000), 'html');
  const values = { a: '<'.repeat(100_000) };
  const startedAt = performance.now();
  for (let no = 0; no < 10; no++) {
    expect(template.renderedBytes(values)).toBe(10_000 * 100_000 * 5);
    expect(template.render(values, 998)).toHaveLength(998);
  }
  // Rendered in full, the ten would have 50 GB.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it('a text has at most 10,000 tags and one for a link to unsubscribe, and further ones stay as they are', () => {
  const template = new MergeTemplate('{{{a}}}'.repeat(10_002), 'text');
  expect([template.tags.length, template.hasTooManyTags]).toEqual([10_001, true]);
  expect(template.render({ a: 'x' })).toBe(`${'x'.repeat(10_001)}{{{a}}}`);
  expect(() => checkTagCount('html', '{{{a}}}'.repeat(10_001))).toThrow('at most 10000 tags');
  checkTagCount('html', '{{{a}}}'.repeat(10_000));
  checkTagCount('html', null);
});

/** What people and attackers write: braces, names, markup, line breaks, quotes. */
const piece = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '{{{name}}}',
    '{{name}}',
    '{{{name|x}}}',
    '{',
    '}',
    '"',
    "'",
    '<',
    '>',
    '&',
    '\r\n',
    '\u2028',
    '|',
    'a',
  ),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('whatever a person types as a value', () => {
  it('stays text: in html it can end neither a text nor an attribute', () => {
    fc.assert(
      fc.property(text, (value) => {
        const escaped = escapedHtml(value);
        const source = `<a title="{{{name}}}" b='{{name}}'>{{{name}}}`;
        const rendered = new MergeTemplate(source, 'html').render({ name: value });
        expect(rendered).toBe(`<a title="${escaped}" b='${escaped}'>${escaped}`);
        expect(escaped).not.toMatch(/[<>"']|&(?!#\d+;)/);
      }),
    );
  });

  it('stays in its line of the header', () => {
    fc.assert(
      fc.property(text, (value) => {
        const rendered = new MergeTemplate('Re: {{{name}}}', 'line').render({ name: value });
        expect(rendered).not.toMatch(/[\u0000-\u001f\u007f]/);
      }),
    );
  });

  it('changes nothing beside its tag, and its size is known before', () => {
    fc.assert(
      fc.property(text, text, text, (before, value, after) => {
        const source = `${before.replaceAll('{', '(')}{{{name}}}${after.replaceAll('{', '(')}`;
        const template = new MergeTemplate(source, 'text');
        expect(template.render({ name: value })).toBe(source.replace('{{{name}}}', () => value));
        expect(template.renderedBytes({ name: value })).toBe(Buffer.byteLength(template.render({ name: value })));
      }),
    );
  });
});

it.each(['{{{', '{{{a', '{{ a', '{{a|b}', '{{{a|', '{{{a|b}}', '{{{a}}}', '{', '}}}'])(
  'a megabyte of %s is parsed in linear time',
  (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const startedAt = performance.now();
    new MergeTemplate(text, 'html').render({ a: 'x' });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  },
);
