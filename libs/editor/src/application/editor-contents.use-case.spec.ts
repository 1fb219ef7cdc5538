import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { documentOf, paragraphOf } from '../../../../test/support/builders/editor-documents.js';
import { InMemoryEditor } from '../../../../test/support/fakes/in-memory-editor.js';
import { ContentRef } from '../domain/content.js';

let rig: InMemoryEditor;
beforeEach(() => {
  rig = new InMemoryEditor();
});

const write = (ref: ContentRef, text: string, base?: number) =>
  rig.editor.write(rig.principal, ref, documentOf(paragraphOf(text)), base);
const kinds = async (ref: ContentRef): Promise<string[]> =>
  (await rig.kept.list(rig.principal, ref, { limit: 20 })).items.map(({ kind }) => kind);

it('a document is read as it was written, with its revision', async () => {
  const ref = await rig.template();
  expect((await rig.editor.read(rig.principal, ref)).document).toEqual({ type: 'doc', content: [] });
  expect(await write(ref, 'One', 0)).toMatchObject({ ref, revision: 1, notes: [] });
  const { content, document } = await rig.editor.read(rig.principal, ref);
  expect(document).toEqual(documentOf(paragraphOf('One')));
  expect(content.html).toContain('One');
  await expect(write(ref, 'Two', 0)).rejects.toThrow('has been changed');
});

it('html that is replaced is kept, and what one author writes in a while is one version', async () => {
  const ref = await rig.template();
  await write(ref, 'One');
  await write(ref, 'Two');
  expect(await kinds(ref)).toEqual(['editor', 'html']);
  rig.clock.advance(11 * 60_000);
  await write(ref, 'Three');
  expect(await kinds(ref)).toEqual(['editor', 'editor', 'html']);
});

it('a version is restored, and what was there can be restored as well', async () => {
  const ref = await rig.template();
  await write(ref, 'One');
  const [, html] = (await rig.kept.list(rig.principal, ref, { limit: 20 })).items;
  rig.clock.advance(11 * 60_000);
  await rig.editor.restore(rig.principal, html?.id as string);
  const { content } = await rig.editor.read(rig.principal, ref);
  expect(content).toMatchObject({ html: '<p>Old</p>', origin: { contentSource: 'html' } });
  const [newest] = (await rig.kept.list(rig.principal, ref, { limit: 20 })).items;
  await rig.editor.restore(rig.principal, newest?.id as string);
  expect((await rig.editor.read(rig.principal, ref)).content.html).toContain('One');
});

it('what was written is kept as it was before an older document is restored, also where its author goes on', async () => {
  const ref = await rig.template();
  await write(ref, 'Old');
  const id = await rig.kept.keep(rig.principal, ref, 'Mine');
  await write(ref, 'Five minutes of work');
  const documents = async (): Promise<unknown[]> => {
    const { items } = await rig.kept.list(rig.principal, ref, { limit: 20 });
    const versions = await Promise.all(items.map((item) => rig.editor.version(rig.principal, item.id)));
    return versions.flatMap(({ content }) =>
      content.kind === 'editor' ? [JSON.parse(content.document) as unknown] : [],
    );
  };
  await rig.editor.restore(rig.principal, id);
  await write(ref, 'Later');
  expect((await documents()).slice(0, 2)).toEqual(
    ['Later', 'Five minutes of work'].map((words) => documentOf(paragraphOf(words))),
  );
  expect(await documents()).toHaveLength(4);
});

it('html without a text takes the text of the document away as it is restored', async () => {
  const { id: template } = await rig.template();
  const broadcast = await rig.broadcasting.draft();
  await rig.broadcasting.write.change(rig.principal, broadcast, { html: '<p>Old</p>', text: null });
  for (const ref of [
    { type: 'template', id: template },
    { type: 'broadcast', id: broadcast },
  ] as const) {
    const id = await rig.kept.keep(rig.principal, ref, 'Html');
    await write(ref, 'One');
    await rig.editor.restore(rig.principal, id);
    expect((await rig.editor.read(rig.principal, ref)).content).toMatchObject({ html: '<p>Old</p>', text: null });
  }
});

it('html that is written while a document is composed is kept as well', async () => {
  const ref = await rig.template();
  const compose = rig.composer.compose.bind(rig.composer);
  rig.composer.compose = async (...given) => {
    const composed = await compose(...given);
    await rig.writeTemplates.change(rig.principal, ref.id, { html: '<p>Meanwhile</p>' });
    return composed;
  };
  await write(ref, 'One');
  const { items } = await rig.kept.list(rig.principal, ref, { limit: 20 });
  expect(items.map(({ kind }) => kind)).toEqual(['editor', 'html', 'html']);
  expect((await rig.editor.version(rig.principal, items[1]?.id as string)).content).toMatchObject({
    html: '<p>Meanwhile</p>',
  });
});

it('styles of the team, and those of the document on top of them, show in what is rendered', async () => {
  await rig.ofTeams.save(rig.principal, { button: '#00aa00', company: 'Acme' });
  const given = { ...documentOf({ type: 'logo' }, { type: 'button' }), attrs: { styles: { button: '#aa0000' } } };
  const { html, mjml } = await rig.editor.preview(rig.principal.teamId, given, { kind: 'template', hasMjml: true });
  for (const rendered of [html, mjml]) {
    expect(rendered).toContain('Acme');
    expect(rendered).toContain('#aa0000');
  }
});

it('nobody reads or writes what belongs to others, and a viewer only reads', async () => {
  const ref = await rig.template();
  const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  await expect(rig.editor.read(stranger, ref)).rejects.toThrow('Template not found');
  await expect(rig.editor.write(stranger, ref, documentOf())).rejects.toThrow('Template not found');
  const viewer = Principal.ofUser({ id: newId(), teamId: rig.principal.teamId, role: 'viewer' });
  await expect(rig.editor.write(viewer, ref, documentOf())).rejects.toThrow('templates:write');
  expect((await rig.editor.read(viewer, ref)).content.name).toBe('T');
});
