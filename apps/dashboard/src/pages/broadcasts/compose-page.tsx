import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Copy, EllipsisVertical, FlaskConical, Send, Trash2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { Confirm } from '../../parts/confirm';
import { Page } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { Countdown, Time } from '../../parts/time';
import composer from '../../parts/composer.module.css';
import { Presences } from '../../editor/presences';
import { useDocument } from '../../editor/use-document';
import { asApiError } from '../../api/error';
import { fieldOfRefusal } from '../../logic/broadcast-draft';
import { errorText } from '../../parts/error-text';
import { AudienceLine } from './audience-line';
import { usePartChoice } from '../../parts/use-part-choice';
import { BroadcastEditor } from './broadcast-editor';
import { BroadcastPreview } from './broadcast-preview';
import { pathOf, useLiveBroadcasts, useRefresh, type Broadcast } from './broadcast-queries';
import { BroadcastState } from './broadcast-state';
import styles from './broadcasts.module.css';
import { SendDialog, TestDialog } from './send-dialogs';
import { useAudience } from './use-audience';
import { useBroadcastDraft } from './use-broadcast-draft';
import { useDuplicate } from './use-duplicate';

const ContentEditor = lazy(async () => ({ default: (await import('../../editor/content-editor')).ContentEditor }));
const EnvelopeHead = lazy(async () => ({ default: (await import('../../editor/envelope-head')).EnvelopeHead }));

const parts = ['write', 'preview', 'settings', 'source'] as const;
type Part = (typeof parts)[number];

/** A broadcast that is written: its document, what a contact gets, how it is sent, and its source. */
export function ComposePage({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id, state } = broadcast;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('broadcasts:write');
  const maySend = useMay('broadcasts:send');
  const [asking, setAsking] = useState<'send' | 'test' | 'delete' | 'source'>();
  const [refusal, setRefusal] = useState<unknown>();
  const [version, setVersion] = useState(0);
  const refresh = useRefresh(id);
  const hasBody = (broadcast.html ?? '') !== '' || (broadcast.text ?? '') !== '';
  const isByHand = broadcast.content_source === 'html' && hasBody;
  const [part, setPart] = useState<Part>(isByHand ? 'source' : 'write');
  const [isSource, setSource] = useState(isByHand);
  const [origin, setOrigin] = useState(broadcast.content_source);
  // A version that was restored, or somebody else, has changed the way in which it is written.
  if (origin !== broadcast.content_source) {
    setOrigin(broadcast.content_source);
    setSource(isByHand);
  }
  const whenSaved = async (): Promise<void> => {
    setVersion((known) => known + 1);
    setRefusal(undefined);
    await refresh();
  };
  const draft = useBroadcastDraft(broadcast, whenSaved, isSource);
  const document = useDocument('broadcast', id, whenSaved);
  const { learn } = draft;
  const learnedOrigin = useRef(origin);
  useEffect(() => {
    const isOther = learnedOrigin.current !== origin;
    learnedOrigin.current = origin;
    // What is written by hand is not replaced by an answer that is older.
    if (isSource && !isOther) return;
    learn((_, isIdle) => (isIdle || !isSource ? { html: broadcast.html ?? '', text: broadcast.text ?? '' } : {}));
  }, [broadcast.html, broadcast.text, origin, isSource]);
  /** Why the document could not be saved: it is said above the document. */
  const unsaved = useRef<unknown>(undefined);
  const saved = async (): Promise<void> => {
    await draft.saved();
    if (isSource) return;
    await document.saveNow().catch((error: unknown) => {
      unsaved.current = error;
      throw error;
    });
  };
  const choice = usePartChoice(part, setPart, saved);
  const duplicate = useDuplicate(id, saved);
  const values = draft.values;
  const audience = useAudience(values?.segmentId ?? broadcast.segment_id, values?.topicId ?? null);
  // It may begin while it is looked at.
  useLiveBroadcasts(() => void refresh());
  const close = (): void => setAsking(undefined);
  const refused = (error: unknown): void => {
    if (error === unsaved.current) setPart('write');
    else setRefusal(error);
  };
  const dialog = { broadcast, close, saved, refused, done: refresh, audience };
  const unschedule = async (): Promise<void> => {
    await answer(api.POST('/broadcasts/{id}/cancel', pathOf(id)));
    say(t('broadcasts:unscheduled'));
    await refresh();
  };
  const states = [draft.state, ...(isSource ? [] : [document.saving])];
  const saving =
    (['conflict', 'refused', 'offline', 'saving', 'changed', 'saved'] as const).find((state) =>
      states.includes(state as never),
    ) ?? 'clean';
  const error = draft.error ?? refusal;
  const field =
    error === undefined || values === undefined
      ? undefined
      : fieldOfRefusal(asApiError(error).status, asApiError(error).message, values);
  const isOfBody = field === 'html' || field === 'text';
  const isOfHead = field === 'subject' || field === 'preview_text';
  const [seen, setSeen] = useState<unknown>();
  // A refusal opens the part that it is about.
  if (error !== seen) {
    setSeen(error);
    if (isOfBody) setPart(isSource ? 'source' : 'write');
    else if (error !== undefined && !(isOfHead && (part === 'write' || part === 'source'))) setPart('settings');
  }
  const editorProps = {
    values: values as NonNullable<typeof values>,
    change: (changes: Partial<NonNullable<typeof values>>) => {
      setRefusal(undefined);
      draft.change(changes);
    },
    error,
    readOnly: !mayWrite,
    audience,
  };
  const head =
    values === undefined ? null : (
      <Suspense fallback={null}>
        <EnvelopeHead
          subject={values.subject}
          preview={values.previewText}
          sender={(values.from.split('<', 1)[0] ?? '').trim()}
          readOnly={!mayWrite}
          error={isOfHead ? { field, text: errorText(error).text } : undefined}
          change={editorProps.change}
        >
          <AudienceLine segmentId={values.segmentId} audience={audience} change={() => setPart('settings')} />
        </EnvelopeHead>
      </Suspense>
    );
  const preview = (
    <BroadcastPreview
      id={id}
      segmentId={values?.segmentId ?? broadcast.segment_id}
      version={version}
      isCurrent={states.every((state) => state === 'clean' || state === 'saved')}
    />
  );
  return (
    <Page
      title={broadcast.name || broadcast.subject}
      back="/app/broadcasts"
      aside={
        <>
          <BroadcastState state={state} />
          <span className={composer.saving} role="status">
            {saving === 'clean' ? '' : t(`editor:saving.${saving}`)}
          </span>
          <Presences people={document.people} />
        </>
      }
      actions={
        <>
          {maySend ? (
            <>
              <Button
                variant="default"
                leftSection={<FlaskConical size={14} aria-hidden />}
                className={styles.wideOnly}
                onClick={() => setAsking('test')}
              >
                {t('broadcasts:test')}
              </Button>
              <Button leftSection={<Send size={14} aria-hidden />} onClick={() => setAsking('send')}>
                {t('broadcasts:send')}
              </Button>
            </>
          ) : null}
          {mayWrite ? (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('broadcasts:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {maySend ? (
                  <Menu.Item
                    leftSection={<FlaskConical size={15} aria-hidden />}
                    className={styles.narrowOnly}
                    onClick={() => setAsking('test')}
                  >
                    {t('broadcasts:test')}
                  </Menu.Item>
                ) : null}
                {state === 'scheduled' ? (
                  <Menu.Item
                    leftSection={<Undo2 size={15} aria-hidden />}
                    onClick={() => void unschedule().catch(sayError)}
                  >
                    {t('broadcasts:unschedule')}
                  </Menu.Item>
                ) : null}
                <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={duplicate}>
                  {t('broadcasts:duplicate')}
                </Menu.Item>
                <Menu.Item
                  color="red"
                  leftSection={<Trash2 size={15} aria-hidden />}
                  onClick={() => setAsking('delete')}
                >
                  {t('broadcasts:delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </>
      }
    >
      {state === 'scheduled' && broadcast.scheduled_at !== null ? (
        <p className={styles.notice}>
          <Countdown to={broadcast.scheduled_at} before={t('broadcasts:startsIn')} ended={t('broadcasts:startsNow')} />
          <span className="quiet">
            <Time at={broadcast.scheduled_at} form="exact" />
          </span>
        </p>
      ) : null}
      <div className={styles.partBar}>
        <SegmentedControl
          aria-label={t('editor:part.label')}
          value={choice.chosen}
          onChange={(value) => choice.choose(value)}
          data={parts.map((value) => ({ value, label: t(`editor:part.${value}`) }))}
        />
      </div>
      {values === undefined ? null : part === 'write' ? (
        <Suspense fallback={null}>
          <ContentEditor
            type="broadcast"
            id={id}
            document={document}
            mayWrite={mayWrite}
            label={t('broadcasts:editor')}
            refusal={isOfBody ? error : undefined}
            isByHand={isSource && (values.html !== '' || values.text !== '')}
            beforeTaken={draft.saved}
            taken={() => setSource(false)}
            head={head}
          />
        </Suspense>
      ) : part === 'preview' ? (
        <div className={styles.whole}>{preview}</div>
      ) : part === 'settings' ? (
        <div className={styles.whole}>
          <BroadcastEditor {...editorProps} part="settings" />
        </div>
      ) : (
        <div className={composer.page}>
          <BroadcastEditor
            {...editorProps}
            change={(changes) => {
              if ('html' in changes || 'text' in changes) setSource(true);
              editorProps.change(changes);
            }}
            part="source"
            head={head}
            writeByHand={isSource || (document.isEmpty && !hasBody) ? undefined : () => setAsking('source')}
          />
          {preview}
        </div>
      )}
      <Confirm
        opened={asking === 'source'}
        close={close}
        title={t('editor:source.title')}
        action={t('editor:source.edit')}
        run={async () => {
          await saved();
          const now = await answer(api.GET('/broadcasts/{id}', pathOf(id)));
          draft.change({ html: now.html ?? '', text: now.text ?? '' });
          setSource(true);
        }}
      >
        <p>{t('editor:source.warning')}</p>
      </Confirm>
      <SendDialog {...dialog} opened={asking === 'send'} />
      <TestDialog {...dialog} opened={asking === 'test'} />
      <Confirm
        opened={asking === 'delete'}
        close={close}
        title={t('broadcasts:deleteTitle')}
        action={t('broadcasts:delete')}
        dangerous
        run={async () => {
          await answer(api.DELETE('/broadcasts/{id}', pathOf(id)));
          say(t('broadcasts:deleted'));
          await navigate({ to: '/app/broadcasts' });
          void refresh();
        }}
      >
        <p>{t('broadcasts:deleteText')}</p>
      </Confirm>
    </Page>
  );
}
