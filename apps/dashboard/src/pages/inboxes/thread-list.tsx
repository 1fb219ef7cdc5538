import { Flex } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Archive, Inbox as InboxIcon, MailCheck, Paperclip, PencilLine, Search, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { BulkAction, Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { bareAddress, nameIn } from '../../logic/mail-addresses';
import section from '../../parts/layout.module.css';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AssigneeChip, LabelChips } from './label-chips';
import styles from './mail.module.css';
import { useMail, type Folder, type Thread } from './mail-queries';

interface ThreadListProps {
  readonly folder: Folder;
  readonly labelId: string | undefined;
  /** Only threads that this member looks after. */
  readonly assignee: string | undefined;
  readonly q: string | undefined;
  /** The address of the inbox. */
  readonly own: string;
  /** The thread that is open, or anything else that is open beside the list. */
  readonly openId: string | undefined;
}

/** A label, an assignee or a search is about everything that was not thrown away. */
const everywhere = 'inbox,archive,sent';

export function ThreadList({ folder, labelId, assignee, q, own, openId }: ThreadListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { inboxId, refresh } = useMail();
  const mayWrite = useMay('emails:write');
  const isWide = labelId !== undefined || assignee !== undefined || (q !== undefined && folder === 'inbox');
  const query = { folders: isWide ? everywhere : folder, labels: labelId, assignee_email: assignee };
  const rows = usePages<Thread>(['mail', inboxId, 'threads', query, q], async ({ limit, after, signal }) => {
    const params = { path: { inbox: inboxId }, query: { ...query, limit, after } };
    if (q !== undefined) {
      return answer(
        api.GET('/inboxes/{inbox}/threads/search', {
          params: { ...params, query: { ...params.query, query: q } },
          signal,
        }),
      );
    }
    const page = await answer(api.GET('/inboxes/{inbox}/threads', { params, signal }));
    return { ...page, data: page.data.map((thread) => ({ ...thread, matched_email_id: null })) };
  });
  const columns = useMemo(
    (): Column<Thread>[] => [
      {
        id: 'people',
        label: t('inboxes:people'),
        width: 'minmax(150px, 220px)',
        cell: (thread) => <People thread={thread} own={own} />,
      },
      {
        id: 'subject',
        label: t('inboxes:subject'),
        width: 'minmax(200px, 1fr)',
        cell: (thread) => (
          <span className={section.line}>
            <Subject thread={thread} />
            <Marks thread={thread} folder={isWide ? undefined : folder} />
          </span>
        ),
      },
      {
        id: 'at',
        label: t('inboxes:at'),
        width: '90px',
        align: 'end',
        cell: ({ received_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t, own, isWide, folder],
  );
  const changed =
    (body: { readonly folder?: 'archive' | 'inbox' | 'trash'; readonly read?: boolean }) =>
    async (threads: readonly Thread[]): Promise<void> => {
      for (const { id } of threads) {
        const path = { inbox: inboxId, thread: id };
        await answer(api.PATCH('/inboxes/{inbox}/threads/{thread}', { params: { path }, body }));
      }
      await refresh();
    };
  const bulk: BulkAction<Thread>[] = [
    {
      id: 'archive',
      label: t('inboxes:to.archive'),
      icon: <Archive size={14} aria-hidden />,
      accepts: (thread) => thread.folder === 'inbox' || thread.folder === 'sent',
      run: changed({ folder: 'archive' }),
    },
    {
      id: 'inbox',
      label: t('inboxes:to.inbox'),
      icon: <InboxIcon size={14} aria-hidden />,
      accepts: (thread) => ['archive', 'spam', 'trash'].includes(thread.folder),
      run: changed({ folder: 'inbox' }),
    },
    {
      id: 'read',
      label: t('inboxes:markRead'),
      icon: <MailCheck size={14} aria-hidden />,
      accepts: ({ read }) => !read,
      run: changed({ read: true }),
    },
    {
      id: 'trash',
      label: t('inboxes:to.trash'),
      icon: <Trash2 size={14} aria-hidden />,
      accepts: (thread) => thread.folder !== 'trash',
      run: changed({ folder: 'trash' }),
    },
  ];
  return (
    <List
      label={t('inboxes:threads')}
      rows={rows}
      columns={columns}
      compact={(thread) => (
        <Flex component="span" direction="column" gap={2} miw={0}>
          <span className={section.line}>
            <People thread={thread} own={own} />
            <span className="quiet">
              <Time at={thread.received_at} form="short" />
            </span>
          </span>
          <span className={section.line}>
            <Subject thread={thread} />
            <Marks thread={thread} folder={isWide ? undefined : folder} />
          </span>
        </Flex>
      )}
      openId={openId}
      hrefOf={({ id }) => `/app/inboxes/${inboxId}/${id}`}
      open={({ id }) => void navigate({ to: `/app/inboxes/${inboxId}/${id}`, search: (known: object) => known })}
      bulk={mayWrite ? bulk : []}
      empty={
        q !== undefined ? (
          <EmptyState icon={Search} title={t('inboxes:nothingFound')} text={t('inboxes:nothingFoundText')} />
        ) : (
          <EmptyState
            icon={InboxIcon}
            title={t('inboxes:noThreads')}
            text={t(
              `inboxes:noThreadsIn.${assignee === undefined ? (labelId === undefined ? folder : 'label') : 'assigned'}`,
            )}
          />
        )
      }
    />
  );
}

/** With whom the thread is: who wrote last, or to whom we wrote last. */
function People({ thread, own }: { readonly thread: Thread; readonly own: string }) {
  const { t } = useTranslation();
  const { from, to, read, email_count: count } = thread;
  const isOurs = from === null || bareAddress(from).toLowerCase() === own.toLowerCase();
  const people = isOurs ? t('inboxes:toPeople', { people: to.map(nameIn).join(', ') }) : nameIn(from);
  return (
    <span className={`cut ${read ? '' : styles.bold}`}>
      {people}
      {count > 1 ? <span className={`tabular ${styles.emails}`}>{count}</span> : null}
    </span>
  );
}

function Subject({ thread }: { readonly thread: Thread }) {
  const { t } = useTranslation();
  const subject = thread.subject || t('inboxes:noSubject');
  if (thread.read) return <span className={`cut ${styles.subject}`}>{subject}</span>;
  return (
    <span className={`cut ${styles.bold}`}>
      <span className="visually-hidden">{t('inboxes:unreadOne')} </span>
      {subject}
    </span>
  );
}

function Marks({ thread, folder }: { readonly thread: Thread; readonly folder: Folder | undefined }) {
  const { t } = useTranslation();
  return (
    <span className={styles.marks}>
      {thread.has_draft ? (
        <span className={styles.draft}>
          <PencilLine size={12} aria-hidden />
          {t('inboxes:draft.one')}
        </span>
      ) : null}
      {folder === undefined && thread.folder !== 'inbox' ? (
        <span className="quiet">{t(`inboxes:folder.${thread.folder}`)}</span>
      ) : null}
      <AssigneeChip email={thread.assignee_email} />
      <LabelChips labels={thread.labels} />
      {thread.has_attachment ? <Paperclip size={13} aria-label={t('inboxes:hasFiles')} /> : null}
    </span>
  );
}
