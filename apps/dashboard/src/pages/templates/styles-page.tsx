import { Button, SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { editorStylesQuery } from '../../editor/styles-query';
import type { EmailStyles } from '../../logic/email-styles';
import { previewHtml } from '../../logic/preview-html';
import { lookOf } from '../../logic/starting-documents/look';
import { documentFrom, startingDocuments, withSamples } from '../../logic/starting-documents/starting-documents';
import { Alert } from '../../parts/alert';
import { HtmlFrame } from '../../parts/html-frame';
import { Page } from '../../parts/page';
import { say } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { StyleFields, type DraftStyles } from './style-fields';
import styles from './styles.module.css';
import { TemplatesTabs } from './templates-tabs';

/** How the emails of the team look: what can be set, and an email that shows it at once. */
export function StylesPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('templates:write');
  const known = useQuery(editorStylesQuery);
  const [draft, setDraft] = useState<DraftStyles>();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const saved = known.data?.styles;
  const shown = draft ?? saved;
  const save = async (): Promise<void> => {
    if (draft === undefined) return;
    setRunning(true);
    setError(undefined);
    try {
      const answered = await answer(api.PUT('/editor/styles', { body: { styles: draft as never } }));
      client.setQueryData(editorStylesQuery.queryKey, answered);
      setDraft(undefined);
      say(t('templates:styles.saved'));
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Page
      title={t('templates:styles.title')}
      actions={
        mayWrite ? (
          <>
            {draft === undefined ? null : (
              <Button variant="default" onClick={() => setDraft(undefined)}>
                {t('templates:styles.discard')}
              </Button>
            )}
            <Button loading={running} disabled={draft === undefined} onClick={() => void save()}>
              {t('common:save')}
            </Button>
          </>
        ) : undefined
      }
    >
      <TemplatesTabs />
      {known.error === null ? null : <ErrorState error={known.error} retry={() => void known.refetch()} />}
      {shown === undefined || known.data === undefined ? null : (
        <div className={styles.page}>
          <div className={styles.fields}>
            <p className="quiet">{t('templates:styles.text')}</p>
            <Alert error={error} />
            <StyleFields
              given={shown}
              complete={known.data.complete as unknown as EmailStyles}
              readOnly={!mayWrite}
              change={(changes) => setDraft(withChanges(shown, changes))}
            />
          </div>
          <StylesPreview
            given={shown}
            complete={known.data.complete as unknown as EmailStyles}
            illustrations={known.data.illustrations}
          />
        </div>
      )}
    </Page>
  );
}

/** Undefined and empty values take a style away: it is as usual then. */
function withChanges(given: DraftStyles, changes: DraftStyles): DraftStyles {
  return Object.fromEntries(
    Object.entries({ ...given, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
  );
}

const modes = ['desktop', 'phone', 'dark'] as const;

interface StylesPreviewProps {
  readonly given: DraftStyles;
  readonly complete: EmailStyles;
  readonly illustrations: string;
}

function StylesPreview({ given, complete, illustrations }: StylesPreviewProps) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<(typeof modes)[number]>('desktop');
  const [calm] = useDebouncedValue(given, 200);
  const rendered = useQuery({
    queryKey: ['styles-preview', calm],
    queryFn: async ({ signal }) => {
      const starting = startingDocuments.find(({ id }) => id === 'launch');
      if (starting === undefined) return '';
      const look = lookOf(
        { ...complete, ...calm, dark: { ...complete.dark, ...calm.dark } },
        illustrations,
        Date.now(),
      );
      const content = documentFrom(starting, look, 'broadcast') as never;
      const body = { content, resource_type: 'broadcast', styles: calm as never } as const;
      const { html } = await answer(api.POST('/editor/render', { body, signal }));
      return withSamples(html);
    },
    placeholderData: keepPreviousData,
  });
  return (
    <section className={styles.preview} aria-label={t('templates:styles.preview')}>
      <div className={styles.modes}>
        <SegmentedControl
          aria-label={t('templates:view')}
          value={mode}
          onChange={(value) => setMode(value)}
          data={modes.map((value) => ({ value, label: t(`templates:views.${value}`) }))}
        />
      </div>
      <Alert error={rendered.error ?? undefined} />
      <HtmlFrame
        title={t('templates:styles.preview')}
        html={previewHtml(rendered.data ?? '', mode)}
        phone={mode === 'phone'}
        dark={mode === 'dark'}
      />
    </section>
  );
}
