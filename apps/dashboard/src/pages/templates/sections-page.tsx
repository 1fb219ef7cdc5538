import { ActionIcon, Menu, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, EllipsisVertical, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { ApplySection } from '../../editor/apply-section';
import { EmailPicture } from '../../editor/email-picture';
import { savedSectionsQuery, updateSection, type SavedSection } from '../../editor/saved-sections';
import { editorStylesQuery } from '../../editor/styles-query';
import { withSamples } from '../../logic/starting-documents/starting-documents';
import { Confirm } from '../../parts/confirm';
import { FormModal } from '../../parts/form-modal';
import { Page } from '../../parts/page';
import { say } from '../../parts/say';
import { EmptyState, ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import styles from './sections.module.css';
import { TemplatesTabs } from './templates-tabs';

type Question = { readonly kind: 'rename' | 'apply' | 'remove'; readonly section: SavedSection };

/** The sections of the team, as they look. They are saved in the editor. */
export function SectionsPage() {
  const { t } = useTranslation();
  const mayWrite = useMay('templates:write');
  const sections = useQuery(savedSectionsQuery);
  const [question, setQuestion] = useState<Question>();
  const close = (): void => setQuestion(undefined);
  return (
    <Page title={t('templates:sections.title')}>
      <TemplatesTabs />
      {sections.error === null ? null : <ErrorState error={sections.error} retry={() => void sections.refetch()} />}
      {sections.data?.length === 0 ? (
        <EmptyState icon={Bookmark} title={t('templates:sections.empty')} text={t('templates:sections.emptyText')} />
      ) : (
        <ul className={styles.sections}>
          {(sections.data ?? []).map((section) => (
            <li key={section.id} className={styles.card}>
              <SectionPicture section={section} />
              <div className={styles.about}>
                <Stack gap={0} flex={1} miw={0} fz={13}>
                  <span className={`cut ${styles.name ?? ''}`}>{section.name}</span>
                  <span className="quiet">
                    <Time at={section.updated_at} form="short" />
                  </span>
                </Stack>
                {mayWrite ? <Actions section={section} ask={setQuestion} /> : null}
              </div>
            </li>
          ))}
        </ul>
      )}
      {question?.kind === 'rename' ? <Rename section={question.section} close={close} /> : null}
      {question?.kind === 'remove' ? <Remove section={question.section} close={close} /> : null}
      {question?.kind === 'apply' ? (
        <ApplySection id={question.section.id} name={question.section.name} close={close} />
      ) : null}
    </Page>
  );
}

function SectionPicture({ section: { id, name, updated_at: changed } }: { readonly section: SavedSection }) {
  const team = useQuery(editorStylesQuery).data;
  const render = async (): Promise<string> => {
    const { content } = await answer(api.GET('/editor/sections/{sectionId}', { params: { path: { sectionId: id } } }));
    const { html } = await answer(api.POST('/editor/render', { body: { content: content as never } }));
    return withSamples(html);
  };
  return <EmailPicture label={name} queryKey={['section', id, changed, team?.styles]} render={render} />;
}

interface ActionsProps {
  readonly section: SavedSection;
  readonly ask: (question: Question) => void;
}

function Actions({ section, ask }: ActionsProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('templates:sections.actions', { name: section.name })}>
          <EllipsisVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<RefreshCw size={15} aria-hidden />} onClick={() => ask({ kind: 'apply', section })}>
          {t('editor:sections.everywhere')}
        </Menu.Item>
        <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => ask({ kind: 'rename', section })}>
          {t('templates:sections.rename')}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<Trash2 size={15} aria-hidden />}
          onClick={() => ask({ kind: 'remove', section })}
        >
          {t('templates:sections.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface DialogProps {
  readonly section: SavedSection;
  readonly close: () => void;
}

function Rename({ section, close }: DialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState(section.name);
  return (
    <FormModal
      opened
      close={close}
      title={t('templates:sections.rename')}
      action={t('common:save')}
      isReady={name.trim() !== ''}
      run={async () => {
        await updateSection(section.id, { name: name.trim() });
        await client.invalidateQueries({ queryKey: savedSectionsQuery.queryKey });
      }}
    >
      <TextInput
        data-autofocus
        label={t('editor:sections.name')}
        value={name}
        maxLength={120}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormModal>
  );
}

function Remove({ section, close }: DialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <Confirm
      opened
      close={close}
      title={t('templates:sections.removeTitle', { name: section.name })}
      action={t('templates:sections.remove')}
      dangerous
      run={async () => {
        await answer(api.DELETE('/editor/sections/{sectionId}', { params: { path: { sectionId: section.id } } }));
        await client.invalidateQueries({ queryKey: savedSectionsQuery.queryKey });
        say(t('templates:sections.removed'));
      }}
    >
      <p>{t('templates:sections.removeText')}</p>
    </Confirm>
  );
}
