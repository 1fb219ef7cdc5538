import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryTemplateRepository } from '../../../../test/support/fakes/in-memory-templates.js';
import { ReadTemplates } from './read-templates.query.js';
import { WriteTemplates } from './write-templates.use-case.js';

const teamId = newId();
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
let write: WriteTemplates;
let read: ReadTemplates;
let id: string;

beforeEach(async () => {
  const templates = new InMemoryTemplateRepository();
  write = new WriteTemplates(templates, new InMemoryUnitOfWork(), new FakeClock());
  read = new ReadTemplates(templates);
  id = await write.create(owner, {
    name: 'Order',
    alias: 'order',
    subject: 'Order {{{ORDER}}}',
    html: '<p>{{{NAME|you}}} {{{CITY}}} {{NAME}}</p>',
    variables: [
      { key: 'ORDER', type: 'number' },
      { key: 'NAME', type: 'string' },
      { key: 'CITY', type: 'string', fallbackValue: 'here' },
    ],
  });
});

it('a template is read by its id and by its alias, by its own team', async () => {
  for (const name of [id, 'order']) expect((await read.find(teamId, name)).template.id).toBe(id);
  await expect(read.find(newId(), id)).rejects.toThrow('Template not found');
  expect((await read.list(teamId, { limit: 5 })).items.map((one) => one.id)).toEqual([id]);
});

it('a preview shows what an email would be, and what is missing', async () => {
  const preview = await read.preview(teamId, 'order', { NAME: '<b>Ada</b>' });
  expect(preview).toMatchObject({
    subject: 'Order ',
    html: '<p><b>Ada</b> here &#60;b&#62;Ada&#60;/b&#62;</p>',
    text: null,
    missing: ['ORDER'],
  });
  expect((await read.preview(teamId, id, { order: 7, name: 'A' })).subject).toBe('Order 7');
  await expect(read.preview(teamId, id, { ORDER: 'seven' })).rejects.toThrow("Variable 'ORDER' must be a number");
});

it('a preview shows a published version while a draft is written', async () => {
  await write.publish(owner, id);
  const { version } = await read.find(teamId, id);
  await write.change(owner, id, { html: 'Draft' });
  expect((await read.preview(teamId, id, {})).html).toBe('Draft');
  expect((await read.preview(teamId, id, {}, version.id)).html).toContain('here');
  await expect(read.preview(teamId, id, {}, newId())).rejects.toThrow('Template version not found');
  expect((await read.versions(teamId, id)).versions.map((one) => one.id)).toEqual([version.id]);
});

it('a preview that would be too large is refused', async () => {
  await write.change(owner, id, { html: '{{{NAME}}}'.repeat(2_000) });
  await expect(read.preview(teamId, id, { NAME: 'x'.repeat(2_000) })).rejects.toThrow('2097152 bytes');
});
