import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api, type Schema } from '../../api/client';
import { useLive } from '../../api/live';

export type BroadcastSummary = Schema<'BroadcastSummaryResponse'>;
export type Broadcast = Schema<'BroadcastResponse'>;
export type BroadcastProgress = Schema<'BroadcastProgressResponse'>;
export type BroadcastStatus = BroadcastSummary['state'];

export const statuses = ['draft', 'scheduled', 'queued', 'paused', 'sent', 'canceled'] as const;

export const pathOf = (id: string) => ({ params: { path: { id } } });

export const broadcastQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcast', id],
    queryFn: () => answer(api.GET('/broadcasts/{id}', pathOf(id))),
    // The document that was written offline comes first: it is merged, or becomes a conflict.
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcast', id, 'progress'],
    queryFn: () => answer(api.GET('/broadcasts/{id}/progress', pathOf(id))),
  });

/** Calls `read` when broadcasts have changed: at once, and then at most once a second. */
export function useLiveBroadcasts(read: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive(({ type, data }) => {
    const isOfBroadcasts = ((data.events ?? []) as readonly string[]).some((name) => name.startsWith('broadcast.'));
    if (!isOfBroadcasts && type !== 'ready' && type !== 'reload') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      read();
    }, 400);
  });
}

/** Reads again what is shown of a broadcast, and the list. */
export function useRefresh(id: string): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ['broadcast', id] });
    void client.invalidateQueries({ queryKey: ['broadcasts'] });
  };
}
