import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '../api/client';
import type { JsonNode } from '../logic/document-json';

export type SavedSection = Schema<'SavedSectionSummaryResponse'>;

/** All sections of the team: there are 200 at most. */
export const savedSectionsQuery = queryOptions({
  queryKey: ['saved-sections'],
  queryFn: async () => {
    const sections: SavedSection[] = [];
    for (;;) {
      const query = { limit: 100, after: sections.at(-1)?.id };
      const { data, has_more: hasMore } = await answer(api.GET('/editor/sections', { params: { query } }));
      sections.push(...data);
      if (!hasMore) return sections;
    }
  },
});

/** The saved section itself, as it stands alone. */
export function savedSectionQuery(id: string) {
  return queryOptions({
    queryKey: ['saved-sections', id],
    queryFn: async () => {
      const { content, name } = await answer(
        api.GET('/editor/sections/{sectionId}', { params: { path: { sectionId: id } } }),
      );
      const node = (content as unknown as JsonNode).content?.[0] ?? { type: 'section' };
      return { name, node };
    },
    retry: false,
  });
}

export async function saveSection(name: string, node: JsonNode): Promise<string> {
  const content = { type: 'doc', content: [node] } as never;
  return (await answer(api.POST('/editor/sections', { body: { name, content } }))).id;
}

export async function updateSection(id: string, changes: { name?: string; node?: JsonNode }): Promise<void> {
  const { name, node } = changes;
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(node === undefined ? {} : { content: { type: 'doc', content: [node] } as never }),
  };
  await answer(api.PATCH('/editor/sections/{sectionId}', { params: { path: { sectionId: id } }, body }));
}

/** Updates all drafts. Returns how many had an older copy. */
export async function applyEverywhere(id: string): Promise<{ updated: number; skipped: number }> {
  const path = { sectionId: id };
  const counts = { updated: 0, skipped: 0 };
  let after: string | undefined;
  do {
    const { updated, skipped, next } = await answer(
      api.POST('/editor/sections/{sectionId}/apply', { params: { path }, body: { after } }),
    );
    counts.updated += updated.length;
    counts.skipped += skipped.length;
    after = next ?? undefined;
  } while (after !== undefined);
  return counts;
}
