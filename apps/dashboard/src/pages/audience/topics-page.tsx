import { ActionIcon, Button, Select, TextInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { ShortList } from '../../list/short-list';
import { usePages } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import { FormModal } from '../../parts/form-modal';
import { say } from '../../parts/say';
import { Row } from '../../parts/section';
import { AudiencePage } from './audience-page';
import type { Topic } from './audience-queries';

type Asking = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly topic: Topic };

export function TopicsPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('audience:write');
  const [asking, setAsking] = useState<Asking>();
  const rows = usePages<Topic>(['topics'], ({ limit, after, signal }) =>
    answer(api.GET('/topics', { params: { query: { limit, after } }, signal })),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['topics'] });
  const add = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAsking({ kind: 'add' })}>
      {t('audience:topics.add')}
    </Button>
  );
  return (
    <AudiencePage actions={mayWrite ? add : undefined}>
      <ShortList
        rows={rows}
        icon={Tag}
        empty={t('audience:topics.empty')}
        emptyText={t('audience:topics.emptyText')}
        add={mayWrite ? add : undefined}
        row={(topic) => (
          <Row
            key={topic.id}
            icon={<Tag size={16} aria-hidden />}
            title={topic.name}
            text={[
              topic.description ?? '',
              t(`audience:topics.default.${topic.default_subscription}`),
              t(`audience:topics.visibility.${topic.visibility}`),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          >
            {mayWrite ? (
              <>
                <ActionIcon
                  aria-label={t('audience:topics.editOne', { name: topic.name })}
                  onClick={() => setAsking({ kind: 'edit', topic })}
                >
                  <Pencil size={15} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('audience:topics.deleteOne', { name: topic.name })}
                  onClick={() => setAsking({ kind: 'delete', topic })}
                >
                  <Trash2 size={15} aria-hidden />
                </ActionIcon>
              </>
            ) : null}
          </Row>
        )}
      />
      {asking === undefined || asking.kind === 'delete' ? null : (
        <TopicForm
          known={asking.kind === 'edit' ? asking.topic : undefined}
          close={() => setAsking(undefined)}
          saved={changed}
        />
      )}
      <Confirm
        opened={asking?.kind === 'delete'}
        close={() => setAsking(undefined)}
        title={t('audience:topics.deleteTitle', { name: asking?.kind === 'delete' ? asking.topic.name : '' })}
        action={t('audience:delete')}
        dangerous
        run={async () => {
          if (asking?.kind !== 'delete') return;
          await answer(api.DELETE('/topics/{id}', { params: { path: { id: asking.topic.id } } }));
          say(t('audience:topics.deleted'));
          changed();
        }}
      >
        <p>{t('audience:topics.deleteText')}</p>
      </Confirm>
    </AudiencePage>
  );
}

interface TopicFormProps {
  readonly known: Topic | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

function TopicForm({ known, close, saved }: TopicFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(known?.name ?? '');
  const [description, setDescription] = useState(known?.description ?? '');
  const [subscription, setSubscription] = useState<'opt_in' | 'opt_out'>(known?.default_subscription ?? 'opt_in');
  const [visibility, setVisibility] = useState<'private' | 'public'>(known?.visibility ?? 'public');
  const run = async (): Promise<void> => {
    const body = { name: name.trim(), description: description.trim() || null, visibility };
    if (known === undefined) {
      await answer(api.POST('/topics', { body: { ...body, default_subscription: subscription } }));
    } else {
      await answer(api.PATCH('/topics/{id}', { params: { path: { id: known.id } }, body }));
    }
    saved();
  };
  return (
    <FormModal
      opened
      close={close}
      title={t(known === undefined ? 'audience:topics.addTitle' : 'audience:topics.editTitle')}
      action={t(known === undefined ? 'audience:topics.add' : 'common:save')}
      isReady={name.trim() !== ''}
      run={run}
    >
      <TextInput
        data-autofocus
        label={t('audience:topics.name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('audience:topics.description')}
        description={t('audience:topics.descriptionText')}
        value={description}
        maxLength={2_000}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {known === undefined ? (
        <Select
          label={t('audience:topics.defaultLabel')}
          description={t('audience:topics.defaultText')}
          data={(['opt_in', 'opt_out'] as const).map((value) => ({
            value,
            label: t(`audience:topics.default.${value}`),
          }))}
          value={subscription}
          allowDeselect={false}
          onChange={(value) => setSubscription(value === 'opt_out' ? 'opt_out' : 'opt_in')}
        />
      ) : null}
      <Select
        label={t('audience:topics.visibilityLabel')}
        data={(['public', 'private'] as const).map((value) => ({
          value,
          label: t(`audience:topics.visibility.${value}`),
        }))}
        value={visibility}
        allowDeselect={false}
        onChange={(value) => setVisibility(value === 'private' ? 'private' : 'public')}
      />
    </FormModal>
  );
}
