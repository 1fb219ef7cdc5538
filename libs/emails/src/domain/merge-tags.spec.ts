import { describe, expect, it } from '@jest/globals';
import { MergeTarget, MergeTemplate, MergeValues, mergeValues } from './merge-tags.js';

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
  ])('in %s', (text, expected) => {
    expect(render(text, { FIRST_NAME: 'Ada' })).toBe(expected);
  });

  it('with an empty value becomes the fallback', () => {
    expect(render('{{{first_name|there}}}', { 'contact.first_name': '' })).toBe('there');
  });

  it.each(['{{FIRST_NAME}}', '{{{ FIRST_NAME }}}', '{{{}}}', '{{{FIRST NAME}}}', '{{{FIRST_NAME', '{{{a|{b}}}}'])(
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

  it('inside a value is plain text', () => {
    expect(render('{{{a}}}', { a: '{{{b}}}', b: 'no' })).toBe('{{{b}}}');
  });

  it('does not read inherited properties of objects', () => {
    expect(render('{{{constructor|a}}}{{{__proto__|b}}}{{{toString|c}}}', {})).toBe('abc');
  });
});

it('the size can be computed without rendering', () => {
  const template = new MergeTemplate('Grüße, {{{name|Sie}}} {{{name}}}', 'html');
  for (const values of [{}, { name: 'Zoë & Söhne' }] as MergeValues[]) {
    expect(template.renderedBytes(values)).toBe(Buffer.byteLength(template.render(values)));
  }
});

it.each(['{{{', '{{{a', '{{{a|', '{{{a|b}}', '{{{a}}}', '{', '}}}'])(
  'a megabyte of %s is parsed in linear time',
  (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const startedAt = performance.now();
    new MergeTemplate(text, 'html').render({ a: 'x' });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  },
);
