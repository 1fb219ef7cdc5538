import { Button, FileInput, Group, SegmentedControl, Stack, Tabs, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useMay, useTeam } from '../../api/session';
import {
  bodyOfWritten,
  emptyEmail,
  isComplete,
  keptEmails,
  readWritten,
  RepeatKey,
  type WrittenEmail,
} from '../../logic/written-email';
import { Alert } from '../../parts/alert';
import composer from '../../parts/composer.module.css';
import { useSearchValues } from '../../parts/location';
import { Page } from '../../parts/page';
import tabs from '../../parts/part-tabs.module.css';
import { say } from '../../parts/say';
import { SenderField, useFirstSender } from '../../parts/sender-field';
import { now, scheduledAt, WhenFields } from '../../parts/when-fields';
import { TemplateChoice, templateQuery } from '../templates/template-choice';
import { variablesOf } from '../templates/template-preview';
import { DryRun, WrittenPreview } from './dry-run';
import { attachmentOf } from './resend';

const kinds = ['text', 'html', 'template'] as const;

/** One email, written here: now or later, with what a dry run says of it beside. */
export function WriteEmailPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const maySend = useMay('emails:send');
  const firstSender = useFirstSender();
  const [typed, setTyped, forget] = useKeptEmail();
  const [files, setFiles] = useState<File[]>([]);
  const [when, setWhen] = useState(now);
  const [hasCopies, setCopies] = useState(typed.cc !== '' || typed.bcc !== '' || typed.replyTo !== '');
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const keys = useRef(new RepeatKey());
  const isTemplate = typed.kind === 'template';
  const template = useQuery({
    ...templateQuery(typed.templateId),
    enabled: isTemplate && typed.templateId !== undefined,
  }).data;
  const email = { ...typed, from: typed.from ?? (isTemplate && template?.from != null ? '' : firstSender) };
  const at = scheduledAt(when);
  const body = {
    ...bodyOfWritten(email, template === undefined ? {} : variablesOf(template, email.variables)),
    scheduled_at: at,
  };
  const isReady = isComplete(email) && at !== '';

  const send = async (): Promise<void> => {
    if (!isReady || running) return;
    setRunning(true);
    setError(undefined);
    try {
      const sent = {
        ...body,
        attachments: files.length === 0 ? undefined : await Promise.all(files.map(attachmentOf)),
      };
      const header = { 'idempotency-key': keys.current.of(JSON.stringify(sent)) };
      const { id } = await answer(api.POST('/emails', { body: sent as never, params: { header } }));
      forget();
      say(t(at === undefined ? 'emails:write.sent' : 'emails:write.scheduled'));
      await queryClient.invalidateQueries({ queryKey: ['emails'] });
      await navigate({ to: `/app/${at === undefined ? 'emails' : 'scheduled'}/${id}` });
    } catch (failure) {
      setError(failure);
      setRunning(false);
    }
  };
  const change = (changes: Partial<WrittenEmail>): void => {
    setError(undefined);
    setTyped({ ...typed, ...changes });
  };
  const line = (name: 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject') => (
    <TextInput
      label={t(`emails:write.${name}`)}
      value={typed[name]}
      placeholder={name === 'subject' ? (template?.subject ?? undefined) : undefined}
      maxLength={name === 'subject' ? 998 : 20_000}
      spellCheck={name === 'subject'}
      autoComplete="off"
      data-autofocus={name === 'to' || undefined}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  const isEmpty = JSON.stringify(typed) === JSON.stringify(emptyEmail) && files.length === 0;
  return (
    <Page
      title={t('emails:write.title')}
      back="/app/emails"
      actions={
        maySend ? (
          <>
            {isEmpty ? null : (
              <Button
                variant="default"
                onClick={() => {
                  forget();
                  setFiles([]);
                }}
              >
                {t('emails:write.discard')}
              </Button>
            )}
            <Button
              leftSection={at === undefined ? <Send size={14} aria-hidden /> : <CalendarClock size={14} aria-hidden />}
              disabled={!isReady}
              loading={running}
              onClick={() => void send()}
            >
              {t(at === undefined ? 'emails:write.send' : 'emails:write.schedule')}
            </Button>
          </>
        ) : null
      }
    >
      <div className={composer.page}>
        <Stack
          component="section"
          aria-label={t('emails:write.email')}
          className={`${composer.editor} ${composer.whole}`}
        >
          <Alert error={error} />
          <SenderField
            label={t('emails:write.from')}
            placeholder={template?.from ?? 'Acme <hello@acme.com>'}
            value={email.from}
            change={(from) => change({ from })}
          />
          {line('to')}
          {hasCopies ? (
            <>
              {line('cc')}
              {line('bcc')}
              {line('replyTo')}
            </>
          ) : (
            <Group>
              <Button variant="subtle" color="gray" onClick={() => setCopies(true)}>
                {t('emails:write.more')}
              </Button>
            </Group>
          )}
          {line('subject')}
          <SegmentedControl
            aria-label={t('emails:write.kind')}
            value={typed.kind}
            onChange={(kind) => change({ kind })}
            data={kinds.map((kind) => ({ value: kind, label: t(`emails:write.kinds.${kind}`) }))}
          />
          {typed.kind === 'template' ? (
            <TemplateChoice
              label={t('emails:write.kinds.template')}
              value={typed.templateId}
              choose={(templateId) => change({ templateId, variables: {} })}
              valueOf={(key) => typed.variables[key] ?? ''}
              put={(key, value) => change({ variables: { ...typed.variables, [key]: value } })}
            />
          ) : (
            <Textarea
              label={t(`emails:write.kinds.${typed.kind}`)}
              autosize
              minRows={10}
              maxRows={30}
              spellCheck={typed.kind === 'text'}
              ff={typed.kind === 'html' ? 'monospace' : undefined}
              value={typed[typed.kind]}
              onChange={(event) => change({ [typed.kind]: event.currentTarget.value })}
            />
          )}
          <FileInput
            label={t('emails:write.attachments')}
            placeholder={t('emails:write.attach')}
            multiple
            clearable
            clearButtonProps={{ 'aria-label': t('emails:write.detach') }}
            value={files}
            onChange={setFiles}
          />
          <WhenFields value={when} change={setWhen} />
        </Stack>
        <Tabs defaultValue="checks" keepMounted={false} className={tabs.tabs} bd={0} variant="none">
          <Tabs.List className={tabs.list} aria-label={t('emails:write.beside')}>
            {(['checks', 'preview'] as const).map((part) => (
              <Tabs.Tab key={part} value={part} className={tabs.tab}>
                {t(`emails:write.${part}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="checks" className={tabs.panel}>
            <DryRun body={body} files={files} isReady={isReady} />
          </Tabs.Panel>
          <Tabs.Panel value="preview" className={tabs.panel}>
            <WrittenPreview email={email} template={template} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </Page>
  );
}

/** What is written stays in this browser until it is sent or discarded. A link may name a recipient and a template. */
function useKeptEmail(): [WrittenEmail, (email: WrittenEmail) => void, () => void] {
  const { to = '', template = '' } = useSearchValues();
  const storageKey = [keptEmails, useTeam()?.id, to, template].join(' ');
  const [email, setEmail] = useState((): WrittenEmail => {
    const kept = localStorage.getItem(storageKey);
    if (kept !== null) return readWritten(kept);
    return { ...emptyEmail, to, ...(template === '' ? {} : { kind: 'template', templateId: template }) };
  });
  const keep = (changed: WrittenEmail): void => {
    setEmail(changed);
    try {
      localStorage.setItem(storageKey, JSON.stringify(changed));
    } catch {
      // There is no room for it in this browser.
    }
  };
  const forget = (): void => {
    localStorage.removeItem(storageKey);
    setEmail(emptyEmail);
  };
  return [email, keep, forget];
}
