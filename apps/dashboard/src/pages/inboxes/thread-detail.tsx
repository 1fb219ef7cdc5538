import { Button, Flex, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Forward, Reply, ReplyAll } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import { useShortcuts, type Shortcut } from '../../frame/shortcuts';
import { answerRecipients } from '../../logic/mail-addresses';
import { usePathValues } from '../../parts/location';
import { ErrorState } from '../../parts/states';
import { AnswerForm, type Answer } from './answer-form';
import { AssigneeChip, LabelChips } from './label-chips';
import { draftsQuery, inboxQuery, threadQuery, useMail, type ThreadEmail } from './mail-queries';
import { ThreadActions } from './thread-actions';
import { ThreadEmails } from './thread-emails';
import styles from './thread.module.css';

const pageSize = 20;

/** A thread: its emails, the newest last, and the answer that is written to it. */
export function ThreadDetail() {
  const { threadId = '' } = usePathValues();
  return <Detail key={threadId} threadId={threadId} />;
}

function Detail({ threadId }: { readonly threadId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { inboxId, refresh } = useMail();
  const mayWrite = useMay('emails:write');
  const maySend = useMay('emails:send');
  const path = { inbox: inboxId, thread: threadId };
  const inbox = useQuery(inboxQuery(inboxId));
  const thread = useQuery(threadQuery(inboxId, threadId));
  const drafts = useQuery(draftsQuery(inboxId));
  const emails = useInfiniteQuery({
    queryKey: ['mail', inboxId, 'thread', threadId, 'emails'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, after: pageParam };
      return answer(api.GET('/inboxes/{inbox}/threads/{thread}/emails', { params: { path, query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.has_more ? last.data.at(-1)?.id : undefined),
  });
  const read = useMutation({
    mutationFn: () =>
      answer(api.PATCH('/inboxes/{inbox}/threads/{thread}', { params: { path }, body: { read: true } })),
    onSuccess: refresh,
  });
  const isUnread = thread.data?.read === false;
  const { mutate } = read;
  // Who looks at a thread has read it, also what comes in meanwhile.
  useEffect(() => {
    if (isUnread && mayWrite) mutate();
  }, [isUnread, mayWrite, mutate]);

  const [writing, setWriting] = useState<Answer>();
  // A draft that was left is gone on with, once.
  const isDecided = useRef(false);
  const kept = drafts.data?.find((draft) => draft.thread_id === threadId);
  useEffect(() => {
    if (drafts.data === undefined || isDecided.current || drafts.isFetching) return;
    isDecided.current = true;
    if (kept !== undefined) setWriting({ kind: 'draft', draftId: kept.id });
  }, [drafts.data, drafts.isFetching, kept]);
  const write = (answering: Answer): void => {
    isDecided.current = true;
    setWriting(answering);
  };

  const close = (): void => void navigate({ to: `/app/inboxes/${inboxId}`, search: (known: object) => known });
  const shown = emails.data?.pages.flatMap(({ data }) => data).toReversed() ?? [];
  const newest = shown.at(-1);
  const group = t('inboxes:thread');
  const key = (keys: string, kind: 'reply' | 'replyAll' | 'forward'): Shortcut => ({
    keys,
    label: t(`inboxes:${kind}`),
    group,
    run: () => (newest === undefined ? false : write({ kind, email: newest })),
  });
  useShortcuts(mayWrite && maySend ? [key('r', 'reply'), key('a', 'replyAll'), key('f', 'forward')] : []);
  const { data } = thread;
  const error = thread.error ?? emails.error;
  return (
    <DetailPane
      title={data === undefined ? t('inboxes:thread') : data.subject || t('inboxes:noSubject')}
      badge={
        data === undefined || (data.labels.length === 0 && data.assignee_email === null) ? undefined : (
          <span className={styles.labels}>
            <AssigneeChip email={data.assignee_email} />
            <LabelChips labels={data.labels} />
          </span>
        )
      }
      close={close}
      actions={data === undefined || !mayWrite ? undefined : <ThreadActions thread={data} close={close} />}
    >
      {error !== null && (data === undefined || emails.data === undefined) ? (
        <ErrorState error={error} retry={() => void Promise.all([thread.refetch(), emails.refetch()])} />
      ) : (
        <div className={styles.thread} tabIndex={0} role="group" aria-label={t('inboxes:emailsOfThread')}>
          {emails.isPending ? <Skeleton height={160} /> : null}
          {emails.hasNextPage ? (
            <Button
              variant="default"
              className={styles.earlier}
              loading={emails.isFetchingNextPage}
              onClick={() => void emails.fetchNextPage()}
            >
              {t('inboxes:earlier')}
            </Button>
          ) : null}
          <ThreadEmails emails={shown} answer={mayWrite && maySend ? write : undefined} />
          {writing !== undefined && inbox.data !== undefined ? (
            <AnswerForm
              key={writing.kind === 'draft' ? writing.draftId : `${writing.kind} ${writing.email.id}`}
              inbox={inbox.data}
              threadId={threadId}
              answering={writing}
              emails={shown}
              done={() => setWriting(undefined)}
            />
          ) : newest !== undefined && mayWrite && maySend ? (
            <AnswerButtons email={newest} own={inbox.data?.email_address ?? ''} write={write} />
          ) : null}
        </div>
      )}
    </DetailPane>
  );
}

interface AnswerButtonsProps {
  readonly email: ThreadEmail;
  readonly own: string;
  readonly write: (answering: Answer) => void;
}

function AnswerButtons({ email, own, write }: AnswerButtonsProps) {
  const { t } = useTranslation();
  const hasOthers = answerRecipients(email, own, true).cc.length > 0;
  return (
    <Flex gap={8} wrap="wrap" pt={8}>
      <Button
        variant="default"
        leftSection={<Reply size={15} aria-hidden />}
        onClick={() => write({ kind: 'reply', email })}
      >
        {t('inboxes:reply')}
      </Button>
      {hasOthers ? (
        <Button
          variant="default"
          leftSection={<ReplyAll size={15} aria-hidden />}
          onClick={() => write({ kind: 'replyAll', email })}
        >
          {t('inboxes:replyAll')}
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<Forward size={15} aria-hidden />}
        onClick={() => write({ kind: 'forward', email })}
      >
        {t('inboxes:forward')}
      </Button>
    </Flex>
  );
}
