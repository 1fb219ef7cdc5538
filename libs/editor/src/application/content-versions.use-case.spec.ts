import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { documentOf, paragraphOf } from '../../../../test/support/builders/editor-documents.js';
import { InMemoryEditor } from '../../../../test/support/fakes/in-memory-editor.js';
import { maxNamedVersions } from '../domain/content.js';

let rig: InMemoryEditor;
beforeEach(() => {
  rig = new InMemoryEditor();
});

it('what is there, or a document beside it, is kept under a name', async () => {
  const ref = await rig.template();
  const html = await rig.kept.keep(rig.principal, ref, ' Before ');
  const aside = await rig.kept.keep(rig.principal, ref, 'Aside', documentOf(paragraphOf('x')));
  expect(await rig.editor.version(rig.principal, html)).toMatchObject({
    name: 'Before',
    content: { kind: 'html', html: '<p>Old</p>' },
  });
  expect(await rig.editor.version(rig.principal, aside)).toMatchObject({ name: 'Aside', content: { kind: 'editor' } });
  await rig.kept.rename(rig.principal, aside, ' ');
  expect((await rig.editor.version(rig.principal, aside)).name).toBeNull();
});

it('names and unknown versions are refused', async () => {
  const ref = await rig.template();
  await expect(rig.kept.keep(rig.principal, ref, ' ')).rejects.toThrow('must have 1 to 120 characters');
  await expect(rig.kept.rename(rig.principal, newId(), 'x')).rejects.toThrow('Version not found');
  for (let no = 0; no < maxNamedVersions; no++) await rig.kept.keep(rig.principal, ref, `No ${no}`);
  await expect(rig.kept.keep(rig.principal, ref, 'One more')).rejects.toThrow('at most 100');
  const [named] = (await rig.kept.list(rig.principal, ref, { limit: 1 })).items;
  await rig.editor.write(rig.principal, ref, documentOf(paragraphOf('x')));
  const [unnamed] = (await rig.kept.list(rig.principal, ref, { limit: 1 })).items;
  await expect(rig.kept.rename(rig.principal, unnamed?.id as string, 'One more')).rejects.toThrow('at most 100');
  await rig.kept.rename(rig.principal, named?.id as string, 'Another name');
  await rig.kept.rename(rig.principal, named?.id as string, '');
  await rig.kept.rename(rig.principal, unnamed?.id as string, 'One more');
});
