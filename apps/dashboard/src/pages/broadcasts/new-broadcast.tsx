import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { writeFirstContent } from '../../editor/first-content';
import type { StartingDocument } from '../../logic/starting-documents/starting-document';
import { FormModal } from '../../parts/form-modal';
import section from '../../parts/layout.module.css';
import { SenderField, useFirstSender } from '../../parts/sender-field';
import type { Segment } from '../audience/audience-queries';

const StartFrom = lazy(async () => ({ default: (await import('../../editor/start-from')).StartFrom }));

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
  const [chosen, setChosen] = useState<StartingDocument>();
  const [typed, setTyped] = useState<string>();
  const firstSender = useFirstSender();
  const [typedFrom, setFrom] = useState<string>();
  const from = typedFrom ?? firstSender;
  const [segmentId, setSegmentId] = useState<string | null>(null);
  const subject = typed ?? chosen?.subject ?? '';
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('broadcasts:addTitle')}
      action={t('broadcasts:add')}
      size={920}
      isReady={subject.trim() !== '' && from.trim() !== '' && segmentId !== null}
      run={async () => {
        const { id } = await answer(
          api.POST('/broadcasts', {
            body: {
              name: subject.trim().slice(0, 256),
              subject: subject.trim(),
              from: from.trim(),
              segment_id: segmentId ?? '',
              preview_text: chosen?.preview,
            },
          }),
        );
        const first = { type: 'broadcast', id, chosen, title: subject.trim(), t, lang: i18n.language } as const;
        await writeFirstContent(client, first);
        void client.invalidateQueries({ queryKey: ['broadcasts'] });
        void navigate({ to: `/app/broadcasts/${id}` });
      }}
    >
      <Suspense fallback={null}>
        <StartFrom kind="broadcast" chosen={chosen} choose={setChosen} />
      </Suspense>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput
          data-autofocus
          label={t('broadcasts:subject')}
          value={subject}
          maxLength={998}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <SenderField label={t('broadcasts:from')} placeholder="Acme <news@acme.com>" value={from} change={setFrom} />
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
      </SimpleGrid>
    </FormModal>
  );
}
