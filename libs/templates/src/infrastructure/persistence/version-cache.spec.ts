import { beforeEach, expect, it } from '@jest/globals';
import { PublishedTemplate, publishedTemplate, templateValues } from '../../domain/published-template.js';
import { TemplateContent } from '../../domain/template.js';
import { VersionCache } from './version-cache.js';

const at = new Date();
const list = Array.from({ length: 660 }, () => []);
const lists: TemplateContent['variables'] = Array.from({ length: 50 }, (_, no) => ({
  id: String(no),
  key: `K${no}`,
  type: 'list',
  fallbackValue: list,
  createdAt: at,
  updatedAt: at,
}));
let cache: VersionCache;
let count = 0;

beforeEach(() => {
  cache = new VersionCache();
});

function version(content: Partial<TemplateContent>, teamId = 'team'): PublishedTemplate {
  const ids = { id: 'template', versionId: String(++count), teamId };
  const empty = { from: null, subject: null, replyTo: null, html: '', text: null, variables: [] };
  return publishedTemplate(ids, { ...empty, ...content });
}

function kept(make: () => PublishedTemplate, of = 2_000): number {
  for (let no = 0; no < of; no++) cache.add(make());
  return cache.size;
}

it('keeps many small versions', () => {
  expect(kept(() => version({ html: '<p>{{{A}}}</p>' }))).toBeGreaterThan(1_000);
});

it('counts what the fallbacks take, which are kept as text', () => {
  expect(version({ variables: lists }).variables[0]?.fallbackValue).toBe(JSON.stringify(list));
  expect(kept(() => version({ variables: lists }))).toBeLessThan(40);
});

it('a fallback that is kept as text is inserted as before', () => {
  const { k7 } = templateValues(version({ variables: lists }), {});
  expect(k7).toEqual({ value: JSON.stringify(list), markup: true, fallback: true });
});

it('counts subjects, and what tags become', () => {
  expect(kept(() => version({ subject: 'x'.repeat(998) }))).toBeLessThan(1_500);
  cache = new VersionCache();
  expect(kept(() => version({ html: '{{{A}}}'.repeat(10_000) }), 3)).toBe(1);
});

it('a version that is too large for its team stays until another one comes', () => {
  const large = version({ html: '{{{A}}}'.repeat(10_000), text: '{{{A}}}'.repeat(10_000) });
  const other = version({ html: 'x' }, 'other');
  const next = version({ html: 'x' });
  for (const each of [other, large]) cache.add(each);
  expect(cache.get(large.versionId)).toBe(large);
  cache.add(next);
  expect([large, other, next].map(({ versionId }) => cache.get(versionId))).toEqual([undefined, other, next]);
});
