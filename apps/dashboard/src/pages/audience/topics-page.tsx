import { Select, TextInput, Textarea } from '@mantine/core';
import { Tag } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import type { Topic } from './audience-queries';
import { KeptList } from './kept-list';

export function TopicsPage() {
  const { t } = useTranslation();
  return (
    <KeptList<Topic>
      kind="topics"
      icon={Tag}
      read={({ limit, after, signal }) => answer(api.GET('/topics', { params: { query: { limit, after } }, signal }))}
      remove={(id) => answer(api.DELETE('/topics/{id}', { params: { path: { id } } }))}
      nameOf={({ name }) => name}
      textOf={({ description, default_subscription: subscription, visibility }) =>
        [description ?? '', t(`audience:topics.default.${subscription}`), t(`audience:topics.visibility.${visibility}`)]
          .filter((part) => part !== '')
          .join(' · ')
      }
      form={(known, close, saved) => <TopicForm known={known} close={close} saved={saved} />}
    />
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
