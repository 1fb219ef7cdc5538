import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client';

export type Email = Schema<'EmailResponse'>;
export type EmailSummary = Schema<'EmailSummaryResponse'>;
export type Trace = Schema<'TraceResponse'>;
export type TraceRecipient = Schema<'TraceRecipient'>;
export type TraceAttempt = Schema<'TraceAttempt'>;
export type Attachment = Schema<'AttachmentSummaryResponse'>;

const path = (id: string) => ({ path: { id } });

export const emailQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', id],
    queryFn: ({ signal }) => answer(api.GET('/emails/{id}', { params: path(id), signal })),
  });

export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', id, 'trace'],
    queryFn: ({ signal }) => answer(api.GET('/emails/{id}/trace', { params: path(id), signal })),
    // The next attempt has a time, and the trace is read again after it.
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? 5_000 : false),
  });

export const attachmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', id, 'attachments'],
    queryFn: ({ signal }) => answer(api.GET('/emails/{id}/attachments', { params: path(id), signal })),
    // The links are valid for an hour.
    staleTime: 30 * 60_000,
  });

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', id, 'preview'],
    queryFn: ({ signal }) => answer(api.GET('/emails/{id}/preview', { params: path(id), signal })),
    staleTime: 5 * 60_000,
  });

const underWay = new Set(['queued', 'delayed']);

function isUnderWay({ recipients }: Trace): boolean {
  return recipients.some(({ status }) => underWay.has(status));
}
