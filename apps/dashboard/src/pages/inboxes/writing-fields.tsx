import { ActionIcon, Box, Button, Textarea, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { Paperclip, Send, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../parts/alert';
import type { Autosave } from '../../parts/use-autosave';
import type { Draft, Inbox } from './mail-queries';
import styles from './writing.module.css';

/** The fields as they are typed. */
export interface Written {
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly text: string;
}

interface WritingFieldsProps {
  readonly inbox: Inbox;
  readonly values: Written;
  readonly change: (changes: Partial<Written>) => void;
  /** It is written below a thread, whose subject it has. */
  readonly isReply: boolean;
  readonly files: Draft['attachments'];
  /** Undefined: it is not kept. */
  readonly state: Autosave<Written>['state'] | undefined;
  readonly error: unknown;
  readonly isSending: boolean;
  readonly send: () => void;
  readonly discard: () => void;
  /** Above the buttons: what goes with it. */
  readonly children?: ReactNode;
}

/** Recipients, subject and plain text. Ctrl and Enter send it. */
export function WritingFields(props: WritingFieldsProps) {
  const { inbox, values, change, isReply, files, state, error, isSending, send, discard } = props;
  const { t } = useTranslation();
  const goesTo = isReply && state !== undefined ? 'text' : 'to';
  const [hasCopies, setCopies] = useState(values.cc !== '' || values.bcc !== '');
  const first = useRef<HTMLInputElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  // After the pane, which takes the focus when it opens.
  useEffect(() => {
    const timer = setTimeout(() => (goesTo === 'text' ? text : first).current?.focus());
    return () => clearTimeout(timer);
  }, [goesTo]);
  const field = (name: 'to' | 'cc' | 'bcc' | 'subject', isFirst = false) => (
    <label className={styles.field}>
      <Box component="span" flex="none" miw={52} c="var(--text-3)" fz={13}>
        {t(`inboxes:write.${name}`)}
      </Box>
      <TextInput
        variant="unstyled"
        className={styles.input}
        value={values[name]}
        spellCheck={name === 'subject'}
        autoComplete="off"
        maxLength={name === 'subject' ? 998 : undefined}
        ref={isFirst ? first : undefined}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  // A reply without recipients goes to those whom the email asks for.
  const goesAnyway = isReply && state !== undefined;
  const isReady = goesAnyway || [values.to, values.cc, values.bcc].some((line) => line.trim() !== '');
  return (
    <form
      className={styles.form}
      aria-label={t(isReply ? 'inboxes:write.answer' : 'inboxes:new')}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isSending) send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      <div className={styles.fields}>
        <div className={styles.first}>
          {field('to', true)}
          {hasCopies ? null : (
            <UnstyledButton className={styles.copies} onClick={() => setCopies(true)}>
              {t('inboxes:write.copies')}
            </UnstyledButton>
          )}
        </div>
        {hasCopies ? field('cc') : null}
        {hasCopies ? field('bcc') : null}
        {isReply ? null : field('subject')}
      </div>
      <Textarea
        variant="unstyled"
        className={styles.text}
        aria-label={t('inboxes:write.text')}
        placeholder={t('inboxes:write.placeholder')}
        autosize
        minRows={isReply ? 5 : 12}
        maxRows={30}
        ref={text}
        value={values.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      {files.length === 0 ? null : (
        <ul className={styles.files}>
          {files.map(({ id, filename }) => (
            <li key={id}>
              <Paperclip size={13} aria-hidden /> {filename}
            </li>
          ))}
        </ul>
      )}
      {props.children}
      <Alert error={error} />
      <div className={styles.buttons}>
        <Button type="submit" leftSection={<Send size={14} aria-hidden />} disabled={!isReady} loading={isSending}>
          {t('inboxes:write.send')}
        </Button>
        <span className={`quiet cut ${styles.from}`}>{t('inboxes:write.from', { address: inbox.email_address })}</span>
        <span className="quiet" role="status">
          {state === 'saving' ? t('inboxes:write.saving') : state === 'saved' ? t('inboxes:write.saved') : ''}
        </span>
        <Tooltip label={t('inboxes:write.discard')}>
          <ActionIcon aria-label={t('inboxes:write.discard')} disabled={isSending} onClick={discard}>
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
    </form>
  );
}
