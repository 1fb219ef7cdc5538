import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { writeFirstContent } from '../../editor/first-content';
import type { StartingDocument } from '../../logic/starting-documents/starting-document';
import { FormModal } from '../../parts/form-modal';

const StartFrom = lazy(async () => ({ default: (await import('../../editor/start-from')).StartFrom }));

interface NewTemplateProps {
  readonly opened: boolean;
  readonly close: () => void;
}

/** What it begins with, and its name. */
export function NewTemplate({ opened, close }: NewTemplateProps) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<StartingDocument>();
  const [typed, setTyped] = useState<string>();
  const name = (typed ?? (chosen === undefined ? '' : t(`editor:start.${chosen.id}.name`))).trim();
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('templates:addTitle')}
      action={t('templates:add')}
      size={920}
      isReady={name !== ''}
      run={async () => {
        // The document takes the place of this within the same moment.
        const subject = chosen?.subject ?? name;
        const { variablesIn } = await import('../../logic/starting-documents/starting-documents');
        const body = { name, html: '<p></p>', subject, variables: variablesIn(subject) };
        const { id } = await answer(api.POST('/templates', { body: body as never }));
        await writeFirstContent(client, { type: 'template', id, chosen, title: name, t, lang: i18n.language });
        void client.invalidateQueries({ queryKey: ['templates'] });
        void navigate({ to: `/app/templates/${id}` });
      }}
    >
      <Suspense fallback={null}>
        <StartFrom kind="template" chosen={chosen} choose={setChosen} />
      </Suspense>
      <TextInput
        data-autofocus
        label={t('templates:name')}
        description={t('templates:nameText')}
        value={typed ?? name}
        maxLength={255}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormModal>
  );
}
