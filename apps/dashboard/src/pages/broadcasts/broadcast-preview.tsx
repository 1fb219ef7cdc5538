import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { PreviewPane } from '../../parts/preview-pane';
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
    <PreviewPane
      label={t('broadcasts:preview')}
      email={data}
      error={preview.error}
      retry={() => void preview.refetch()}
      isStale={!isCurrent}
    >
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
    </PreviewPane>
  );
}
