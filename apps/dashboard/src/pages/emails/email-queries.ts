import { queryOptions } from '@tanstack/react-query';
import { answer, api, send, type Schema } from '../../api/client';
import { ApiError } from '../../api/error';

export type Email = Schema<'EmailResponse'>;
export type EmailSummary = Schema<'EmailSummaryResponse'>;
export type Trace = Schema<'TraceResponse'>;
export type TraceRecipient = Schema<'TraceRecipient'>;
export type TraceAttempt = Schema<'TraceAttempt'>;
export type InsightFinding = Schema<'InsightFinding'>;
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

export const insightsQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', id, 'insights'],
    queryFn: ({ signal }) => answer(api.GET('/emails/{id}/insights', { params: path(id), signal })),
    // The message is the same, and the records of a domain are looked up now and then.
    staleTime: 5 * 60_000,
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

/** The message as it is sent, in two parts. Undefined if there is none, as for mail of the service. */
export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', id, 'raw'],
    queryFn: async ({ signal }) => {
      const response = await send(new Request(`/emails/${id}/raw`, { signal }));
      if (!response.ok) throw ApiError.of(response.status, await response.json().catch(() => undefined));
      const source = await response.text();
      const end = source.indexOf('\r\n\r\n');
      return { source, header: end === -1 ? source : source.slice(0, end) };
    },
    staleTime: Infinity,
  });

const underWay = new Set(['queued', 'delayed']);

function isUnderWay({ recipients }: Trace): boolean {
  return recipients.some(({ status }) => underWay.has(status));
}
