import { ActionIcon, Flex, Menu, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EllipsisVertical, Forward, Paperclip, Reply, ReplyAll } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { foldedText } from '../../logic/folded-text';
import { bareAddress, nameIn } from '../../logic/mail-addresses';
import { HtmlFrame } from '../../parts/html-frame';
import { Time } from '../../parts/time';
import { Attachments } from '../emails/attachments';
import type { Answer } from './answer-form';
import type { ThreadEmail } from './mail-queries';
import { foldedHtml } from './quotations';
import styles from './thread.module.css';

interface ThreadEmailsProps {
  /** The newest last. */
  readonly emails: readonly ThreadEmail[];
  /** Undefined: the user may not. */
  readonly answer: ((answering: Answer) => void) | undefined;
}

/** The newest email is open, and those that were not read. The others are one line each until they are wanted. */
export function ThreadEmails({ emails, answer: write }: ThreadEmailsProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const newestId = emails.at(-1)?.id;
  // What was unread stays open once it is read.
  const wereUnread = useRef(new Set<string>());
  for (const { id, read } of emails) if (!read) wereUnread.current.add(id);
  return emails.map((email) => {
    const isOpen = chosen.get(email.id) ?? (email.id === newestId || wereUnread.current.has(email.id));
    return (
      <OneEmail
        key={email.id}
        email={email}
        isOpen={isOpen}
        toggle={() => setChosen(new Map(chosen).set(email.id, !isOpen))}
        answer={write}
      />
    );
  });
}

interface OneEmailProps {
  readonly email: ThreadEmail;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly answer: ((answering: Answer) => void) | undefined;
}

/** More than this makes the page slow. */
const maxShown = 300_000;

function OneEmail({ email, isOpen, toggle, answer: write }: OneEmailProps) {
  const { t } = useTranslation();
  const name = nameIn(email.from);
  const address = bareAddress(email.from);
  const snippet = isOpen ? '' : beginningOf(email);
  const recipients = [...email.to, ...email.cc, ...email.bcc].map(nameIn).join(', ');
  return (
    <article className={styles.email} aria-label={t('inboxes:emailFrom', { name })} data-open={isOpen || undefined}>
      <header className={styles.head}>
        <UnstyledButton className={styles.toggle} aria-expanded={isOpen} onClick={toggle}>
          <Flex component="span" gap={8} align="baseline" miw={0}>
            <span className={`cut ${styles.name}`}>{name}</span>
            {isOpen && name !== address ? <span className={`quiet cut ${styles.rest}`}>{address}</span> : null}
            {isOpen ? null : <span className={`quiet cut ${styles.rest}`}>{snippet}</span>}
          </Flex>
          {isOpen ? <span className="quiet cut">{t('inboxes:toPeople', { people: recipients })}</span> : null}
        </UnstyledButton>
        {email.attachments.length > 0 && !isOpen ? (
          <Paperclip size={13} aria-label={t('inboxes:hasFiles')} className={styles.clip} />
        ) : null}
        <span className={styles.when}>
          <Time at={email.received_at} form={isOpen ? 'relative' : 'short'} />
        </span>
        {isOpen && write !== undefined ? <AnswerMenu email={email} write={write} /> : null}
      </header>
      {isOpen ? (
        <>
          <Body email={email} />
          {email.attachments.length === 0 ? null : <Files email={email} />}
        </>
      ) : null}
    </article>
  );
}

/** In one line. The document is only read: nothing in it runs or is loaded. */
function beginningOf({ text, html }: ThreadEmail): string {
  const whole =
    text ?? new DOMParser().parseFromString((html ?? '').slice(0, 20_000), 'text/html').body.textContent ?? '';
  return whole.slice(0, 400).replaceAll(/\s+/g, ' ').trim();
}

function AnswerMenu({ email, write }: { readonly email: ThreadEmail; readonly write: (answering: Answer) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('inboxes:moreFor', { name: nameIn(email.from) })}>
          <EllipsisVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Reply size={15} aria-hidden />} onClick={() => write({ kind: 'reply', email })}>
          {t('inboxes:reply')}
        </Menu.Item>
        <Menu.Item leftSection={<ReplyAll size={15} aria-hidden />} onClick={() => write({ kind: 'replyAll', email })}>
          {t('inboxes:replyAll')}
        </Menu.Item>
        <Menu.Item leftSection={<Forward size={15} aria-hidden />} onClick={() => write({ kind: 'forward', email })}>
          {t('inboxes:forward')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Body({ email }: { readonly email: ThreadEmail }) {
  const { t } = useTranslation();
  const label = t('inboxes:quotation');
  const html = useMemo(() => foldedHtml(email.html ?? '', label), [email.html, label]);
  if (email.html !== null) {
    return (
      <div className={styles.html}>
        <HtmlFrame title={t('inboxes:content')} html={html} />
      </div>
    );
  }
  const text = email.text ?? '';
  if (text.trim() === '') return <p className={`quiet ${styles.text}`}>{t('inboxes:noText')}</p>;
  const { shown, quoted } = foldedText(text.slice(0, maxShown));
  return (
    <>
      <p className={styles.text}>{shown}</p>
      {quoted === '' ? null : (
        <details className={styles.quoted}>
          <summary aria-label={label}>•••</summary>
          <p className={styles.text}>{quoted}</p>
        </details>
      )}
    </>
  );
}

/** The links to files are valid for an hour. */
const filesStaleMs = 30 * 60_000;

function Files({ email: { id, direction } }: { readonly email: ThreadEmail }) {
  const files = useQuery({
    queryKey: ['mail-files', direction, id],
    queryFn: () =>
      direction === 'inbound'
        ? answer(api.GET('/emails/receiving/{id}/attachments', { params: { path: { id } } }))
        : answer(api.GET('/emails/{id}/attachments', { params: { path: { id } } })),
    staleTime: filesStaleMs,
  });
  return <Attachments attachments={files.data?.data ?? []} />;
}
