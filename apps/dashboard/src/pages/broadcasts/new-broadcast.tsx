import { Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { firstDocument } from '../../logic/first-document';
import { FormModal } from '../../parts/form-modal';
import section from '../../parts/layout.module.css';
import type { Segment } from '../audience/audience-queries';

interface NewBroadcastProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly segments: readonly Segment[];
}

/** What a draft cannot be without: everything else is written on its page. */
export function NewBroadcast({ opened, close, segments }: NewBroadcastProps) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [subject, setSubject] = useState('');
  const [from, setFrom] = useState('');
  const [segmentId, setSegmentId] = useState<string | null>(null);
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('broadcasts:addTitle')}
      action={t('broadcasts:add')}
      isReady={subject.trim() !== '' && from.trim() !== '' && segmentId !== null}
      run={async () => {
        const { id } = await answer(
          api.POST('/broadcasts', {
            body: {
              name: subject.trim().slice(0, 256),
              subject: subject.trim(),
              from: from.trim(),
              segment_id: segmentId ?? '',
            },
          }),
        );
        const words = { title: subject.trim(), text: t('editor:first.text'), button: t('editor:first.button') };
        const content = firstDocument(words, i18n.language);
        await answer(
          api.POST('/editor/content', {
            body: { resource_type: 'broadcast', resource_id: id, content: content as never },
          }),
        );
        void client.invalidateQueries({ queryKey: ['broadcasts'] });
        void navigate({ to: `/app/broadcasts/${id}` });
      }}
    >
      <TextInput
        data-autofocus
        label={t('broadcasts:subject')}
        value={subject}
        maxLength={998}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <TextInput
        label={t('broadcasts:from')}
        description={t('broadcasts:fromText')}
        placeholder="Acme <news@acme.com>"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      {segments.length === 0 ? (
        <p className={section.row}>
          <span className="quiet">{t('broadcasts:noSegments')}</span>
          <Link to="/app/segments">{t('broadcasts:toSegments')}</Link>
        </p>
      ) : (
        <Select
          label={t('broadcasts:audience')}
          data={segments.map(({ id, name }) => ({ value: id, label: name }))}
          value={segmentId}
          searchable
          onChange={setSegmentId}
        />
      )}
    </FormModal>
  );
}
