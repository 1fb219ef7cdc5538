import type { Editor } from '@tiptap/core';
import { Button, Checkbox, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { useSession } from '../api/session';
import { shortPercent } from '../logic/axis';
import { bytesText } from '../logic/bytes';
import { checksOf, largestBlocks } from '../logic/document-checks';
import { withoutNulls, type JsonNode } from '../logic/document-json';
import { errorText } from '../parts/error-text';
import type { ContentType, OpenDocument } from './use-document';
import { useEditorState } from './use-email-editor';
import styles from './content-editor.module.css';

interface DocumentChecksProps {
  readonly editor: Editor;
  readonly type: ContentType;
  readonly id: string;
  readonly document: OpenDocument;
}

/** What is to be mended before it is sent: of the document at once, of the message by the service. */
export function DocumentChecks({ editor, type, id, document }: DocumentChecksProps) {
  const { t, i18n } = useTranslation();
  useEditorState(editor);
  const json = withoutNulls(editor.getJSON() as JsonNode);
  const rendered = useQuery({
    queryKey: ['editor-size', type, id, document.saving === 'saved' || document.saving === 'clean'],
    queryFn: async () => {
      const { html } = await answer(
        api.POST('/editor/render', { body: { content: json as never, resource_type: type } }),
      );
      return new TextEncoder().encode(html).length;
    },
  });
  const checks = checksOf(json, { type, htmlBytes: rendered.data, now: Date.now() });
  return (
    <Stack gap={8}>
      {rendered.data === undefined ? null : (
        <p className="quiet">{t('editor:check.size', { size: bytesText(rendered.data, i18n.language) })}</p>
      )}
      {checks.length === 0 ? (
        <p className={styles.check} data-tone="good">
          <CircleCheck size={15} aria-hidden />
          {t('editor:check.fine')}
        </p>
      ) : (
        checks.map(({ id: check, tone, count }) => (
          <p key={check} className={styles.check} data-tone={tone}>
            {tone === 'bad' ? <CircleX size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
            <span>
              {t(`editor:check.${check}`, { count })}
              {check === 'large'
                ? ` ${largestBlocks(json)
                    .map(
                      ({ type: block, share }) =>
                        `${t(`editor:block.${block}`)} ${shortPercent(share * 100, i18n.language, 0)}`,
                    )
                    .join(', ')}`
                : ''}
            </span>
          </p>
        ))
      )}
      {type === 'broadcast' ? <DeliveryChecks id={id} document={document} /> : null}
    </Stack>
  );
}

/** The checks that speak for and against the delivery, on the email as somebody would get it. */
function DeliveryChecks({ id, document }: Pick<DocumentChecksProps, 'id' | 'document'>) {
  const { t } = useTranslation();
  const to = useSession()?.user.email ?? '';
  const [asksLinks, setAsksLinks] = useState(false);
  const run = useMutation({
    mutationFn: async () => {
      await document.saveNow();
      const path = { params: { path: { id } } };
      const { from } = await answer(api.GET('/broadcasts/{id}', path));
      const { subject, html, text } = await answer(api.POST('/broadcasts/{id}/preview', { ...path, body: {} }));
      const email = { from, to, subject, html: html ?? undefined, text: text ?? undefined };
      const { findings } = await answer(api.POST('/emails/dry-run', { body: { ...email, check_links: asksLinks } }));
      // Broadcasts get their fields for unsubscribing when they are sent.
      return findings.filter(
        ({ id: check, status }) => !/unsubscribe/.test(check) && !['good', 'not_measured'].includes(status),
      );
    },
  });
  return (
    <>
      <Checkbox
        size="xs"
        label={t('editor:check.links')}
        checked={asksLinks}
        onChange={({ currentTarget }) => setAsksLinks(currentTarget.checked)}
      />
      <div>
        <Button variant="default" loading={run.isPending} onClick={() => run.mutate()}>
          {t('editor:check.deliver')}
        </Button>
      </div>
      {run.error === null ? null : <p role="alert">{errorText(run.error).text}</p>}
      {run.data?.length === 0 ? (
        <p className={styles.check} data-tone="good">
          <CircleCheck size={15} aria-hidden />
          {t('editor:check.deliverFine')}
        </p>
      ) : null}
      {run.data?.map(({ id: check, status, evidence, fix }) => (
        <p key={check} className={styles.check} data-tone={status === 'problem' ? 'bad' : 'wait'}>
          {status === 'problem' ? <CircleX size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
          <span>
            <b>{t(`emails:insights.check.${check}`, { defaultValue: check })}.</b> {evidence} {fix}
          </span>
        </p>
      ))}
    </>
  );
}
