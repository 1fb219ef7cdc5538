import { Checkbox, Flex, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { contentChecksOf, hasOwnAddress, sampleTextsOf } from '../logic/content-checks';
import { checksOf } from '../logic/document-checks';
import { withoutNulls, type JsonNode } from '../logic/document-json';
import type { EmailStyles } from '../logic/email-styles';
import { readContent } from './read-content';
import { editorStylesQuery } from './styles-query';
import type { ContentType } from './use-document';
import styles from './content-editor.module.css';

/** An email that is about to be sent. */
export interface SentEmail {
  readonly type: ContentType;
  readonly id: string;
  /** Variables that get a value when it is sent. */
  readonly given: readonly string[];
}

interface Finding {
  readonly key: string;
  readonly check: string;
  readonly tone: 'bad' | 'wait';
  readonly count: number;
  readonly names: string;
  /** The email that it is about, where there are several. */
  readonly email: string;
}

interface FindingsProps {
  readonly emails: readonly SentEmail[];
  /** Puts what is in the editor on the server first. */
  readonly saved: () => Promise<void>;
  /** Called with true once there is no problem, or somebody has accepted all of them. */
  readonly decide: (mayGo: boolean) => void;
}

/** The problems of these emails in one list. The worst ones ask for a tick before anything is sent. */
export function Findings({ emails, saved, decide }: FindingsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAccepted, setAccepted] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['findings', emails],
    queryFn: async () => {
      // What cannot be saved is said when it is sent.
      await saved().catch(() => undefined);
      const found = await Promise.all(emails.map((email) => findingsOf(client, email, t('editor:first.text'))));
      return found.flat().sort((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
    },
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const hasProblem = data?.some(({ tone }) => tone === 'bad') ?? false;
  // Checks that could not be made keep nobody from sending.
  const mayGo = error !== null || (data !== undefined && (!hasProblem || isAccepted));
  useEffect(() => decide(mayGo), [mayGo]);
  if (error !== null) return <p className="quiet">{t('editor:findings.failed')}</p>;
  if (data === undefined) return <Skeleton height={56} aria-label={t('editor:findings.reading')} />;
  return (
    <Flex component="section" direction="column" gap={8} aria-label={t('editor:findings.title')}>
      {data.length === 0 ? (
        <p className={styles.check} data-tone="good">
          <CircleCheck size={15} aria-hidden />
          {t('editor:findings.none')}
        </p>
      ) : null}
      {data.map(({ key, check, tone, count, names, email }) => (
        <p key={key} className={styles.check} data-tone={tone}>
          {tone === 'bad' ? <CircleX size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
          <span>
            {emails.length > 1 ? <b>{email}: </b> : null}
            {t(`editor:check.${check}`, { count })} {names}
          </span>
        </p>
      ))}
      {hasProblem ? (
        <Checkbox
          label={t('editor:findings.accept')}
          checked={isAccepted}
          onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
        />
      ) : null}
    </Flex>
  );
}

async function findingsOf(client: QueryClient, email: SentEmail, firstText: string): Promise<readonly Finding[]> {
  const { type, id } = email;
  const [sent, content, team, samples] = await Promise.all([
    sentContent(email),
    readContent({ resource_type: type, resource_id: id }),
    client.fetchQuery(editorStylesQuery),
    sampleTexts(client),
  ]);
  const isDocument = content.content_source === 'editor';
  const document = withoutNulls(content.content as unknown as JsonNode);
  const { address } = team.complete as unknown as EmailStyles;
  const html = sent.html ?? '';
  const checks = [
    ...(isDocument
      ? checksOf(document, { type, htmlBytes: new TextEncoder().encode(html).length, now: Date.now() })
      : []),
    ...contentChecksOf({
      type,
      subject: sent.subject ?? '',
      html,
      text: html === '' ? (sent.text ?? '') : wordsOf(html),
      known: sent.known,
      samples: [...samples, firstText],
      hasAddress:
        address !== '' && !isDocument
          ? html.includes(address)
          : address !== '' || (isDocument && hasOwnAddress(document)),
    }),
  ];
  return checks.map((check) => ({
    key: `${id} ${check.id}`,
    check: check.id,
    tone: check.tone,
    count: check.count,
    names: 'names' in check ? check.names : '',
    email: sent.name,
  }));
}

async function sentContent({ type, id, given }: SentEmail) {
  if (type === 'template') {
    const path = { params: { path: { idOrAlias: id } } };
    const { name, subject, html, text, variables } = await answer(api.GET('/templates/{idOrAlias}', path));
    const filled = variables.filter(({ fallback_value: value }) => value !== null && value !== undefined);
    return { name, subject, html, text, known: [...given, ...filled.map(({ key }) => key)] };
  }
  const [{ name, subject, html, text }, properties] = await Promise.all([
    answer(api.GET('/broadcasts/{id}', { params: { path: { id } } })),
    answer(api.GET('/contact-properties', { params: { query: { limit: 100 } } })),
  ]);
  const filled = properties.data.filter(({ fallback_value: value }) => value !== null);
  return { name, subject, html, text, known: [...given, ...filled.map(({ key }) => key)] };
}

async function sampleTexts(client: QueryClient): Promise<readonly string[]> {
  const [{ lookOf }, { documentFrom, startingDocuments }, team] = await Promise.all([
    import('../logic/starting-documents/look'),
    import('../logic/starting-documents/starting-documents'),
    client.fetchQuery(editorStylesQuery),
  ]);
  const look = lookOf(team.complete as unknown as EmailStyles, team.illustrations, Date.now());
  return sampleTextsOf(startingDocuments.map((each) => documentFrom(each, look, 'template')));
}

function wordsOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}
