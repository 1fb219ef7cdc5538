import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, EllipsisVertical, Send, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { isId } from '../../logic/is-id';
import { useMay } from '../../api/session';
import { Confirm } from '../../parts/confirm';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { useAnswered } from '../../parts/use-answered';
import { usePartChoice } from '../../parts/use-part-choice';
import { Presences } from '../../editor/presences';
import { useDocument } from '../../editor/use-document';
import { TemplateEditor } from './template-editor';
import composer from '../../parts/composer.module.css';
import { TemplatePreview } from './template-preview';
import { TemplateState } from './template-state';
import styles from './templates.module.css';
import { useDraft } from './use-draft';

const ContentEditor = lazy(async () => ({ default: (await import('../../editor/content-editor')).ContentEditor }));
const EnvelopeHead = lazy(async () => ({ default: (await import('../../editor/envelope-head')).EnvelopeHead }));

const parts = ['write', 'preview', 'settings', 'source'] as const;
type Part = (typeof parts)[number];

/** A template that is written: its document, what an email would be, its settings, and its source. */
export function TemplatePage() {
  const { templateId = '' } = usePathValues();
  // A copy that is opened begins with its own document.
  return <Writing key={templateId} templateId={templateId} />;
}

function Writing({ templateId }: { readonly templateId: string }) {
  const [chosen, setPart] = useState<Part>();
  const [byHand, setByHand] = useState<boolean>();
  const [isWarned, setWarned] = useState(false);
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('templates:write');
  const [asking, setAsking] = useState(false);
  const path = { params: { path: { idOrAlias: templateId } } };
  const queryKey = ['template', templateId];
  const template = useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/templates/{idOrAlias}', path)),
    // The document that was written offline comes first: it is merged, or becomes a conflict.
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    staleTime: 0,
  });
  // What is written begins with what the server has now, not with an answer that is kept.
  const data = useAnswered(template, templateId);
  const whenSaved = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey });
    void client.invalidateQueries({ queryKey: ['templates'] });
  };
  const origin = data?.content_source;
  const [knownOrigin, setKnownOrigin] = useState(origin);
  // A version that was restored, or somebody else, has changed the way in which it is written.
  if (origin !== knownOrigin) {
    setKnownOrigin(origin);
    setByHand(undefined);
  }
  const isSource = byHand ?? origin === 'html';
  const part = chosen ?? (isSource ? 'source' : 'write');
  const draft = useDraft(data, whenSaved, isSource);
  // An address may have the alias instead of the id.
  const document = useDocument('template', isId(templateId) ? templateId : data?.id, whenSaved);
  const { learn } = draft;
  const learnedOrigin = useRef(origin);
  useEffect(() => {
    if (data === undefined) return;
    const isOther = learnedOrigin.current !== undefined && learnedOrigin.current !== origin;
    learnedOrigin.current = origin;
    // What is written by hand is not replaced by an answer that is older.
    if (isSource && !isOther) return;
    learn((_, isIdle) => (isIdle || !isSource ? { html: data.html, text: data.text ?? '' } : {}));
  }, [data?.html, data?.text, origin, isSource]);
  const saved = async (): Promise<void> => {
    await Promise.all([draft.saved(), isSource ? undefined : document.saveNow()]);
  };
  const choice = usePartChoice(part, setPart, saved);
  if (template.error !== null && data === undefined) {
    return (
      <Page title={t('templates:one')}>
        <ErrorState error={template.error} retry={() => void template.refetch()} />
      </Page>
    );
  }
  const publish = async (): Promise<void> => {
    await saved();
    await answer(api.POST('/templates/{idOrAlias}/publish', path));
    await client.invalidateQueries({ queryKey });
    void client.invalidateQueries({ queryKey: ['templates'] });
    say(t('templates:published'));
  };
  const duplicate = async (): Promise<void> => {
    await saved();
    const { id } = await answer(api.POST('/templates/{idOrAlias}/duplicate', path));
    void client.invalidateQueries({ queryKey: ['templates'] });
    await navigate({ to: `/app/templates/${id}` });
  };
  const states = [draft.state, ...(isSource ? [] : [document.saving])];
  const saving =
    (['conflict', 'refused', 'offline', 'saving', 'changed', 'saved'] as const).find((state) =>
      states.includes(state as never),
    ) ?? 'clean';
  const isChanged = draft.isChanged || document.saving === 'changed' || document.saving === 'saving';
  const canPublish = data !== undefined && (data.status === 'draft' || data.has_unpublished_versions || isChanged);
  const head =
    draft.values === undefined ? null : (
      <Suspense fallback={null}>
        <EnvelopeHead
          subject={draft.values.subject}
          preview={undefined}
          sender=""
          readOnly={!mayWrite}
          change={({ subject }) => draft.change({ subject: subject ?? '' })}
        />
      </Suspense>
    );
  return (
    <Page
      title={data?.name ?? t('templates:one')}
      back="/app/templates"
      aside={
        <>
          {data === undefined ? null : <TemplateState state={data.status} />}
          <span className={composer.saving} role="status">
            {saving === 'clean' ? '' : t(`editor:saving.${saving}`)}
          </span>
          <Presences people={document.people} />
        </>
      }
      actions={
        <>
          {mayWrite ? (
            <>
              <Button
                leftSection={<Send size={14} aria-hidden />}
                disabled={!canPublish}
                onClick={() => void publish().catch(sayError)}
              >
                {t('templates:publish')}
              </Button>
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon aria-label={t('templates:more')}>
                    <EllipsisVertical size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    leftSection={<Copy size={15} aria-hidden />}
                    onClick={() => void duplicate().catch(sayError)}
                  >
                    {t('templates:duplicate')}
                  </Menu.Item>
                  <Menu.Item color="red" leftSection={<Trash2 size={15} aria-hidden />} onClick={() => setAsking(true)}>
                    {t('templates:delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </>
          ) : null}
        </>
      }
    >
      <div className={styles.partBar}>
        <SegmentedControl
          aria-label={t('editor:part.label')}
          value={choice.chosen}
          onChange={(value) => choice.choose(value)}
          data={parts.map((value) => ({ value, label: t(`editor:part.${value}`) }))}
        />
      </div>
      {data === undefined || draft.values === undefined ? null : part === 'write' ? (
        <Suspense fallback={null}>
          <ContentEditor
            type="template"
            id={data.id}
            document={document}
            mayWrite={mayWrite}
            variables={data.variables}
            label={t('templates:editor')}
            refusal={draft.error}
            isByHand={isSource && (draft.values.html !== '' || draft.values.text !== '')}
            beforeTaken={draft.saved}
            taken={() => setByHand(false)}
            head={head}
          />
        </Suspense>
      ) : part === 'preview' ? (
        <div className={styles.whole}>
          <TemplatePreview
            template={data}
            isCurrent={states.every((state) => state === 'clean' || state === 'saved')}
          />
        </div>
      ) : (
        <div className={part === 'source' ? composer.page : styles.whole}>
          <TemplateEditor
            values={draft.values}
            change={draft.change}
            error={draft.error}
            readOnly={!mayWrite}
            part={part}
            head={head}
            writeByHand={isSource ? undefined : () => setWarned(true)}
          />
          {part === 'source' ? (
            <TemplatePreview
              template={data}
              isCurrent={states.every((state) => state === 'clean' || state === 'saved')}
            />
          ) : null}
        </div>
      )}
      <Confirm
        opened={isWarned}
        close={() => setWarned(false)}
        title={t('editor:source.title')}
        action={t('editor:source.edit')}
        run={async () => {
          await saved();
          const now = await answer(api.GET('/templates/{idOrAlias}', path));
          draft.change({ html: now.html, text: now.text ?? '' });
          setByHand(true);
        }}
      >
        <p>{t('editor:source.warning')}</p>
      </Confirm>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={t('templates:deleteTitle', { name: data?.name ?? '' })}
        action={t('templates:delete')}
        typed={data?.name}
        run={async () => {
          await answer(api.DELETE('/templates/{idOrAlias}', path));
          void client.invalidateQueries({ queryKey: ['templates'] });
          say(t('templates:deleted'));
          await navigate({ to: '/app/templates' });
        }}
      >
        <p>{t('templates:deleteText')}</p>
      </Confirm>
    </Page>
  );
}
