import { beforeEach, expect, it, jest } from '@jest/globals';
import { Principal } from '#identity';
import { DomainError, newId } from '#kernel';
import { documentOf, headingOf, paragraphOf } from '../../../../test/support/builders/editor-documents.js';
import { InMemoryEditor } from '../../../../test/support/fakes/in-memory-editor.js';
import type { ContentRef } from '../domain/content.js';
import type { EmailDocument } from '../domain/document/document-node.js';
import { maxSectionBytes, maxSections, referenced, sectionIn } from '../domain/saved-section.js';

let rig: InMemoryEditor;
beforeEach(() => {
  rig = new InMemoryEditor();
});

const save = (...blocks: object[]) => rig.sections.save(rig.principal, ' Call ', documentOf(...blocks));

/** A template whose document has a copy of the section between two paragraphs. */
async function templateWith(id: string, ...inside: object[]): Promise<ContentRef> {
  const ref = await rig.template();
  const copy = { type: 'section', attrs: { savedId: id, space: 40 }, content: inside };
  await rig.editor.write(rig.principal, ref, documentOf(paragraphOf('Before'), copy, paragraphOf('After')));
  rig.savedSections.using.push({ ...ref, name: 'T' });
  return ref;
}

it('blocks become one section, and a section stays what it is, without the names of others', async () => {
  const one = await save(headingOf(2, 'Now'), {
    type: 'section',
    attrs: { savedId: 'x' },
    content: [paragraphOf('In')],
  });
  expect(one.name).toBe('Call');
  expect(JSON.parse(one.document)).toEqual(
    documentOf({
      type: 'section',
      content: [headingOf(2, 'Now'), { type: 'section', content: [paragraphOf('In')] }],
    }),
  );
  const box = { type: 'section', attrs: { background: '#ffeeee' }, content: [paragraphOf('In')] };
  expect(JSON.parse((await save(box)).document)).toEqual(documentOf(box));
});

it('a change reaches drafts with an older copy when it is applied, and what they were is a version', async () => {
  const { id } = await save(paragraphOf('Old'));
  const ref = await templateWith(id, paragraphOf('Old'));
  await templateWith(newId(), paragraphOf('Another'));
  expect(await rig.sections.apply(rig.principal, id)).toEqual({ updated: [], skipped: [], next: null });
  await rig.sections.change(rig.principal, id, { content: documentOf(paragraphOf('New')) });
  const { updated } = await rig.sections.apply(rig.principal, id);
  expect(updated).toEqual([{ ...ref, name: 'T' }]);
  const { document } = await rig.editor.read(rig.principal, ref);
  expect(document.content[1]).toEqual({
    type: 'section',
    attrs: { savedId: id, space: 40 },
    content: [paragraphOf('New')],
  });
  expect(document.content).toHaveLength(3);
  const [, before] = (await rig.kept.list(rig.principal, ref, { limit: 10 })).items;
  const { content } = await rig.editor.version(rig.principal, before?.id as string);
  expect(JSON.stringify(content)).toContain('Old');
  expect(await rig.sections.apply(rig.principal, id)).toMatchObject({ updated: [] });
});

it('a draft that is changed at the same moment keeps its copy, and is named', async () => {
  const { id } = await save(paragraphOf('New'));
  const ref = await templateWith(id, paragraphOf('Old'));
  const read = rig.editor.read.bind(rig.editor);
  rig.editor.read = async (principal, given) => {
    const known = await read(principal, given);
    await rig.editor.write(principal, given, known.document);
    return known;
  };
  expect(await rig.sections.apply(rig.principal, id)).toMatchObject({ updated: [], skipped: [{ id: ref.id }] });
});

it('a draft that cannot have the section, or is gone, is named and stops no other', async () => {
  const { id } = await save(paragraphOf('Old'));
  rig.savedSections.using.push({ type: 'broadcast', id: newId(), name: 'Gone' });
  const full = await templateWith(id, paragraphOf('Old'));
  const breaks = (count: number): object =>
    paragraphOf(...Array.from({ length: count }, () => ({ type: 'hardBreak' })));
  const { document } = await rig.editor.read(rig.principal, full);
  await rig.editor.write(rig.principal, full, documentOf(...document.content, breaks(9_900)));
  const last = await templateWith(id, paragraphOf('Old'));
  await rig.sections.change(rig.principal, id, { content: documentOf(breaks(200)) });
  const { updated, skipped, next } = await rig.sections.apply(rig.principal, id);
  expect(updated.map((use) => use.id)).toEqual([last.id]);
  expect(skipped.map((use) => use.name)).toEqual(['Gone', 'T']);
  expect(next).toBeNull();
});

it('what may pass is no reason to leave a draft out', async () => {
  const { id } = await save(paragraphOf('Old'));
  await templateWith(id, paragraphOf('Old'));
  jest.spyOn(rig.editor, 'read').mockRejectedValue(new DomainError('unavailable', 'service_unavailable', 'Busy.'));
  await expect(rig.sections.apply(rig.principal, id)).rejects.toThrow('Busy.');
});

it('the sections of others, too many, and those that cannot be one are refused', async () => {
  const { id } = await save(paragraphOf('x'));
  const other = Principal.ofUser({ id: newId(), teamId: newId(), role: 'admin' });
  for (const attempt of [
    rig.sections.find(other, id),
    rig.sections.change(other, id, { name: 'x' }),
    rig.sections.remove(other, id),
    rig.sections.uses(other, id, { limit: 1 }),
    rig.sections.apply(other, id),
  ]) {
    await expect(attempt).rejects.toThrow('Section not found');
  }
  await expect(save()).rejects.toThrow('at least one block');
  await expect(save({ type: 'footer' })).rejects.toThrow('ends with its own');
  await expect(save(paragraphOf('x'.repeat(maxSectionBytes)))).rejects.toThrow('at most 102400 bytes');
  await expect(rig.sections.save(rig.principal, ' ', documentOf(paragraphOf('x')))).rejects.toThrow('1 to 120');
  for (let no = 1; no < maxSections; no++) await save(paragraphOf('x'));
  await expect(save(paragraphOf('x'))).rejects.toThrow('at most 200 saved sections');
  await rig.sections.remove(rig.principal, id);
  await expect(rig.sections.find(rig.principal, id)).rejects.toThrow('Section not found');
});

it('a copy names its section', () => {
  const section = sectionIn(documentOf(paragraphOf('x')) as unknown as EmailDocument);
  expect(referenced(section, 'a')).toMatchObject({ type: 'section', attrs: { savedId: 'a' } });
});
