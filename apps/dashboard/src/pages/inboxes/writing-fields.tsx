import {
  ActionIcon,
  Box,
  Button,
  Checkbox,
  CloseButton,
  FileButton,
  Textarea,
  TextInput,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { Paperclip, Send, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '../../logic/bytes';
import { Alert } from '../../parts/alert';
import type { Autosave } from '../../parts/use-autosave';
import { localeOf } from '../../words/words';
import type { Inbox } from './mail-queries';
import styles from './writing.module.css';

/** The fields as they are typed. */
export interface Written {
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly text: string;
  /** Whether the email that is answered follows the text. */
  readonly quotes: boolean;
  readonly files: readonly WrittenFile[];
}

export interface WrittenFile {
  /** Of a file that the draft had when it was opened. */
  readonly id?: string;
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** A `data:` address. */
  readonly content?: string;
}

export const nothing: Written = { to: '', cc: '', bcc: '', subject: '', text: '', quotes: false, files: [] };

interface WritingFieldsProps {
  readonly inbox: Inbox;
  readonly values: Written;
  readonly change: (changes: Partial<Written>) => void;
  /** It is written below a thread, whose subject it has. */
  readonly isReply: boolean;
  /** There is an email that can be quoted. */
  readonly quotes?: boolean;
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
  const { inbox, values, change, isReply, quotes, state, isSending, send, discard } = props;
  const { files } = values;
  const [unread, setUnread] = useState<unknown>();
  const error = unread ?? props.error;
  const attach = async (chosen: readonly File[]): Promise<void> => {
    setUnread(undefined);
    try {
      const read = await Promise.all(chosen.map(writtenFile));
      change({ files: [...files, ...read] });
    } catch (failure) {
      setUnread(failure);
    }
  };
  const { t, i18n } = useTranslation();
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
          {files.map((file, index) => (
            <li key={index}>
              <Paperclip size={13} aria-hidden /> <span className="cut">{file.filename}</span>{' '}
              <span className="quiet tabular">{bytesText(file.size, localeOf(i18n.language))}</span>
              <CloseButton
                size="sm"
                aria-label={t('inboxes:write.removeFile', { name: file.filename })}
                onClick={() => change({ files: files.filter((one) => one !== file) })}
              />
            </li>
          ))}
        </ul>
      )}
      {quotes === true ? (
        <Checkbox
          px={16}
          pb={8}
          label={t('inboxes:write.quote')}
          checked={values.quotes}
          onChange={(event) => change({ quotes: event.currentTarget.checked })}
        />
      ) : null}
      {props.children}
      <Alert error={error} />
      <div className={styles.buttons}>
        <Button type="submit" leftSection={<Send size={14} aria-hidden />} disabled={!isReady} loading={isSending}>
          {t('inboxes:write.send')}
        </Button>
        <span className={`quiet cut ${styles.from}`}>{t('inboxes:write.from', { address: inbox.email_address })}</span>
        {state === undefined ? null : (
          <FileButton multiple onChange={(chosen) => void attach(chosen)}>
            {(button) => (
              <Tooltip label={t('inboxes:write.attach')}>
                <ActionIcon {...button} aria-label={t('inboxes:write.attach')}>
                  <Paperclip size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </FileButton>
        )}
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

function writtenFile(file: File): Promise<WrittenFile> {
  return new Promise((found, fail) => {
    const reader = new FileReader();
    reader.onload = () =>
      found({
        filename: file.name,
        content_type: file.type || 'application/octet-stream',
        size: file.size,
        content: reader.result as string,
      });
    reader.onerror = () => fail(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
