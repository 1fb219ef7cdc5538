import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client';
import { usePathValues } from '../../parts/location';

export type Inbox = Schema<'InboxResponse'>;
export type InboxSummary = Schema<'InboxSummaryResponse'>;
export type Thread = Schema<'FoundThreadResponse'>;
export type ThreadEmail = Schema<'InboxEmailResponse'>;
export type Label = Schema<'ThreadLabelResponse'>;
export type DraftSummary = Schema<'DraftSummaryResponse'>;
export type Draft = Schema<'DraftResponse'>;

/** Those into which a thread can be moved. */
export type Target = NonNullable<Schema<'UpdateThreadRequest'>['folder']>;

export const folders = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'] as const;
export type Folder = (typeof folders)[number];

export function folderOf(value: string | undefined): Folder {
  return folders.find((folder) => folder === value) ?? 'inbox';
}

export const inboxQuery = (inbox: string) =>
  queryOptions({
    queryKey: ['mail', inbox, 'inbox'],
    queryFn: ({ signal }) => answer(api.GET('/inboxes/{inbox}', { params: { path: { inbox } }, signal })),
  });

export const labelsQuery = (inbox: string) =>
  queryOptions({
    queryKey: ['mail', inbox, 'labels'],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/inboxes/{inbox}/labels', { params: { path: { inbox } }, signal }))).data,
  });

/** The newest drafts, to find those of a thread. */
export const draftsQuery = (inbox: string) =>
  queryOptions({
    queryKey: ['mail', inbox, 'drafts', 'newest'],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/inboxes/{inbox}/drafts', { params: { path: { inbox }, query: { limit: 100 } }, signal })))
        .data,
  });

export const threadQuery = (inbox: string, thread: string) =>
  queryOptions({
    queryKey: ['mail', inbox, 'thread', thread],
    queryFn: ({ signal }) =>
      answer(api.GET('/inboxes/{inbox}/threads/{thread}', { params: { path: { inbox, thread } }, signal })),
  });

/** The inbox in the path, and how to read everything about it again. */
export function useMail(): { readonly inboxId: string; readonly refresh: () => Promise<void> } {
  const { inboxId = '' } = usePathValues();
  const client = useQueryClient();
  return {
    inboxId,
    refresh: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['mail', inboxId] }),
        client.invalidateQueries({ queryKey: ['inboxes'] }),
      ]);
    },
  };
}
