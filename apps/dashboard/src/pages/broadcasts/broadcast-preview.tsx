import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { previewHtml, type PreviewMode } from '../../logic/preview-html';
import { HtmlFrame } from '../../parts/html-frame';
import { PreviewModes } from '../../parts/preview-modes';
import { ErrorState } from '../../parts/states';
import composer from '../../parts/composer.module.css';
import { pathOf } from './broadcast-queries';
import styles from './broadcasts.module.css';

interface BroadcastPreviewProps {
  readonly id: string;
  readonly segmentId: string;
  /** Changes with each saved content. */
  readonly version: string | number;
  /** Whether the server has what is in the editor. */
  readonly isCurrent: boolean;
}

/** The email as one contact of the segment gets it. */
export function BroadcastPreview({ id, segmentId, version, isCurrent }: BroadcastPreviewProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<PreviewMode>('desktop');
  const [contactId, setContactId] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [searched] = useDebouncedValue(search, 250);
  const contacts = useQuery({
    queryKey: ['segment', segmentId, 'contacts', searched],
    queryFn: () =>
      answer(
        api.GET('/segments/{id}/contacts', {
          params: { path: { id: segmentId }, query: { limit: 20, search: searched === '' ? undefined : searched } },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const preview = useQuery({
    queryKey: ['broadcast', id, 'preview', version, contactId],
    queryFn: () =>
      answer(
        api.POST('/broadcasts/{id}/preview', {
          ...pathOf(id),
          body: contactId === null ? {} : { contact_id: contactId },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const { data } = preview;
  const people = new Map((contacts.data?.data ?? []).map(({ id: value, email }) => [value, email]));
  if (data?.contact_id != null && data.email !== null) people.set(data.contact_id, data.email);
  return (
    <section className={composer.preview} aria-label={t('broadcasts:preview')} data-stale={!isCurrent || undefined}>
      <div className={composer.previewHead}>
        <span className={composer.previewSubject}>{data?.subject ?? ''}</span>
        <PreviewModes mode={view} setMode={setView} />
      </div>
      <div className={styles.as}>
        <Select
          label={t('broadcasts:previewAs')}
          placeholder={t('broadcasts:previewAnyone')}
          data={[...people].map(([value, label]) => ({ value, label }))}
          value={contactId ?? data?.contact_id ?? null}
          searchable
          filter={({ options }) => options}
          onSearchChange={(text) => setSearch([...people.values()].includes(text) ? '' : text)}
          nothingFoundMessage={t('broadcasts:nobodyFound')}
          onChange={setContactId}
        />
      </div>
      {preview.error !== null ? (
        <ErrorState error={preview.error} retry={() => void preview.refetch()} />
      ) : data === undefined ? null : view === 'text' ? (
        <pre className={composer.plain} tabIndex={0} aria-label={t('templates:views.text')}>
          {data.text ?? t('broadcasts:textFromHtml')}
        </pre>
      ) : data.html === null ? (
        <pre className={composer.plain} tabIndex={0} aria-label={t('templates:views.text')}>
          {data.text}
        </pre>
      ) : (
        <div className={composer.stage}>
          <HtmlFrame
            title={t('broadcasts:preview')}
            html={previewHtml(data.html, view)}
            phone={view === 'phone'}
            dark={view === 'dark'}
          />
        </div>
      )}
    </section>
  );
}
