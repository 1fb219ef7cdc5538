import { beforeEach, describe, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryTemplateRepository } from '../../../../test/support/fakes/in-memory-templates.js';
import { hasUnpublishedVersion, statusOf } from '../domain/template.js';
import { WriteTemplates } from './write-templates.use-case.js';

const teamId = newId();
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
let clock: FakeClock;
let templates: InMemoryTemplateRepository;
let write: WriteTemplates;

beforeEach(() => {
  clock = new FakeClock();
  templates = new InMemoryTemplateRepository();
  write = new WriteTemplates(templates, new InMemoryUnitOfWork(), clock);
});

const create = (fields: object = {}) => write.create(owner, { name: 'Hello', html: '<p>Hi</p>', ...fields });
const read = async (id: string) => {
  const current = await templates.find(teamId, id);
  if (current === undefined) throw new Error('not there');
  return current;
};

describe('a template', () => {
  it('is a draft until it is published', async () => {
    const id = await create({ subject: 'Hi {{{NAME}}}', variables: [{ key: 'NAME', type: 'string' }] });
    expect(statusOf((await read(id)).template)).toBe('draft');
    clock.advance(1_000);
    await write.publish(owner, id);
    const { template, version } = await read(id);
    expect([statusOf(template), hasUnpublishedVersion(template)]).toEqual(['published', false]);
    expect([template.publishedAt, version.publishedAt]).toEqual([clock.now(), clock.now()]);
  });

  it('that is published keeps its version while a draft is written, and until it is published', async () => {
    const id = await create();
    await write.publish(owner, id);
    const first = await read(id);
    await write.change(owner, id, { html: '<p>Two</p>' });
    await write.change(owner, id, { html: '<p>Three</p>' });
    const draft = await read(id);
    expect(draft.version.html).toBe('<p>Three</p>');
    expect(draft.template.publishedVersionId).toBe(first.version.id);
    expect(await templates.version(teamId, id, first.version.id)).toEqual(first.version);
    await write.publish(owner, id);
    expect((await read(id)).template.publishedVersionId).toBe(draft.version.id);
    expect((await templates.versions(teamId, id)).map((version) => version.id)).toEqual([
      draft.version.id,
      first.version.id,
    ]);
  });

  it.each([
    '{{#if not PLAN}}x{{/if}}',
    '{{#if PLAN eq &quot;pro&quot;}}x{{/if}}',
    '{{#unless PLAN exists}}x{{/unless}}',
    '{{#if PLAN exists}}x{{else if NAME is}}y{{/if}}',
    '{{#if PLAN exists}}x{{/if}} {{#each}}x{{/each}}',
  ])('with a section that readers would see is not published: %s', async (html) => {
    const variables = ['PLAN', 'NAME'].map((key) => ({ key, type: 'string' }));
    const id = await create({ html, variables });
    await expect(write.publish(owner, id)).rejects.toThrow('In the `html` field, a condition or a list is not valid');
    await write.change(owner, id, {
      html: '{{#if PLAN exists}}x{{else}}y{{/if}} {{#if',
      text: '{{#if not PLAN}}x{{/if}}',
    });
    await expect(write.publish(owner, id)).rejects.toThrow('`text`');
    await write.change(owner, id, { text: 'Write {{#if x}}.' });
    await write.publish(owner, id);
  });

  it('without a draft stays as it is when it is published again', async () => {
    const id = await create();
    await write.publish(owner, id);
    const before = await read(id);
    clock.advance(1_000);
    await write.publish(owner, id);
    expect(await read(id)).toEqual(before);
  });

  it('gets another name or alias without a new version', async () => {
    const id = await create();
    await write.publish(owner, id);
    await write.change(owner, id, { name: 'Other', alias: 'other' });
    const { template } = await read('other');
    expect(template).toMatchObject({ id, name: 'Other', alias: 'other' });
    expect(hasUnpublishedVersion(template)).toBe(false);
  });

  it('is duplicated as a draft without the alias', async () => {
    const id = await create({ alias: 'hello', variables: [{ key: 'A', type: 'number', fallbackValue: 1 }] });
    await write.publish(owner, id);
    const copy = await read(await write.duplicate(owner, 'hello'));
    expect(copy.template).toMatchObject({ name: 'Hello (Copy)', alias: null, publishedVersionId: null });
    expect(copy.version.variables).toMatchObject([{ key: 'A', fallbackValue: 1 }]);
    expect(copy.version.variables[0]?.id).not.toBe((await read(id)).version.variables[0]?.id);
  });

  it('keeps the ids of the variables that stay', async () => {
    const id = await create({ variables: [{ key: 'A', type: 'string' }] });
    const [before] = (await read(id)).version.variables;
    clock.advance(1_000);
    await write.change(owner, id, {
      variables: [
        { key: 'B', type: 'string' },
        { key: 'A', type: 'string' },
      ],
    });
    expect((await read(id)).version.variables[1]).toEqual(before);
  });

  it('is not there for another team, and once it is removed', async () => {
    const id = await create();
    const other = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
    for (const attempt of [
      () => write.change(other, id, { name: 'x' }),
      () => write.publish(other, id),
      () => write.duplicate(other, id),
      () => write.remove(other, id),
    ])
      await expect(attempt()).rejects.toThrow('Template not found');
    expect(await write.remove(owner, id)).toBe(id);
    await expect(write.remove(owner, id)).rejects.toThrow('Template not found');
  });

  it('is changed by nobody without the permission', async () => {
    const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
    await expect(write.create(viewer, { name: 'x', html: 'y' })).rejects.toThrow('templates:write');
  });
});

describe('refused is', () => {
  it.each([
    ['a missing name', { name: undefined }, 'Missing `name` field.'],
    ['a missing html', { html: undefined }, 'Missing `html` field.'],
    ['an alias like an id', { alias: newId() }, 'must not be a UUID'],
    ['an alias with blanks', { alias: 'a b' }, '`alias` field'],
    ['a tag without a variable', { html: '{{{ORDER}}}' }, "Variable 'ORDER' is used in the template but not defined"],
    ['a tag in the subject without one', { subject: '{{{X|y}}}' }, "Variable 'X' is used"],
    [
      'half of a pair in an object',
      { variables: [{ key: 'A', type: 'object', fallbackValue: { a: '\ud800' } }] },
      'half',
    ],
    ['NUL in a list', { variables: [{ key: 'A', type: 'list', fallbackValue: [{ '\0': 1 }] }] }, 'NUL'],
    ['a reserved key', { variables: [{ key: 'EMAIL', type: 'string' }] }, "'EMAIL' is reserved"],
    ['an odd key', { variables: [{ key: 'a-b', type: 'string' }] }, 'key of a variable'],
    [
      'a key twice',
      {
        variables: [
          { key: 'a', type: 'string' },
          { key: 'A', type: 'string' },
        ],
      },
      'defined twice',
    ],
    ['an unknown type', { variables: [{ key: 'a', type: 'date' }] }, '`type` of variable'],
    [
      'a fallback of another type',
      { variables: [{ key: 'a', type: 'number', fallbackValue: 'x' }] },
      'must be a number',
    ],
    [
      'too long a fallback',
      { variables: [{ key: 'a', type: 'string', fallbackValue: 'x'.repeat(2_001) }] },
      '2000 characters',
    ],
    [
      'too many variables',
      { variables: Array.from({ length: 51 }, (_, n) => ({ key: `k${n}`, type: 'string' })) },
      'at most 50',
    ],
    ['a sender that is none', { from: 'nobody' }, 'Invalid `from` field'],
    ['a line break in the subject', { subject: 'a\nb' }, 'line breaks'],
    ['NUL', { html: 'a\0' }, 'NUL'],
    ['more than a megabyte', { html: 'x'.repeat(1024 * 1024 + 1) }, 'more than'],
  ])('%s', async (_, fields, message) => {
    await expect(create(fields)).rejects.toThrow(message);
    expect((await templates.list(teamId, { limit: 10 })).items).toEqual([]);
  });

  it('an alias that another template of the team has', async () => {
    await create({ alias: 'one' });
    const id = await create({ alias: 'two' });
    await expect(create({ alias: 'one' })).rejects.toThrow('`one` is used by another template');
    await expect(write.change(owner, id, { alias: 'one' })).rejects.toThrow('`one` is used by another template');
    await write.change(owner, id, { alias: 'two' });
  });

  it('nothing of the names that the service fills in, and of what looks like tags of others', async () => {
    const html = '{{{FIRST_NAME|you}}} {{{contact.city}}} {{{RESEND_UNSUBSCRIBE_URL}}} {{other}} {{#if x}}';
    await expect(create({ html })).resolves.toBeDefined();
  });
});

describe('a content that was composed', () => {
  const html =
    '<p>{{{NAME|you}}} {{{contact.town}}}</p>{{#each ITEMS}}{{{this.name}}}{{/each}}{{#if PLAN eq "pro"}}x{{/if}}';
  const content = { document: '{"type":"doc"}', html, text: 'Hi' };

  it('defines the variables that it uses, and keeps those that are there', async () => {
    const id = await create({ variables: [{ key: 'name', type: 'string', fallbackValue: 'friend' }] });
    expect(await write.compose(owner, id, content, 0)).toEqual({ id, revision: 1 });
    const { version } = await read(id);
    expect(version).toMatchObject({ html, text: 'Hi', document: content.document, contentSource: 'editor' });
    expect(version.variables.map(({ key, type, fallbackValue }) => [key, type, fallbackValue])).toEqual([
      ['name', 'string', 'friend'],
      ['ITEMS', 'list', []],
      ['PLAN', 'string', null],
    ]);
  });

  it('begins a draft of a published template, is refused where it is out of date, and stays beside html', async () => {
    const id = await create();
    await write.publish(owner, id);
    await write.compose(owner, id, content, 0);
    await expect(write.compose(owner, id, content, 0)).rejects.toThrow('has been changed since it was read');
    expect(hasUnpublishedVersion((await read(id)).template)).toBe(true);
    await write.change(owner, id, { html: '<p>By hand</p>' });
    expect((await read(id)).version).toMatchObject({
      document: content.document,
      contentSource: 'html',
      contentRevision: 2,
    });
    const copy = await write.duplicate(owner, id);
    expect((await read(copy)).version).toMatchObject({ document: content.document, contentSource: 'html' });
  });
});
