import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronDown, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../api/live';
import { useMay, useSession } from '../../api/session';
import { Split } from '../../detail/split';
import { FilterBar, useFilters } from '../../list/filters';
import { useIsNarrow } from '../../list/list';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { ErrorState } from '../../parts/states';
import { DraftList } from './draft-list';
import styles from './mail.module.css';
import { folderOf, inboxQuery, labelsQuery, useMail } from './mail-queries';
import { MailSide } from './mail-side';
import { ThreadList } from './thread-list';

/** One inbox: folders and labels, the threads in one of them, and what is open. On a phone they come one after the other. */
export function MailPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { inboxId, refresh } = useMail();
  const { threadId, draftId } = usePathValues();
  const mayWrite = useMay('emails:write');
  const [values, change] = useFilters(['folder', 'label', 'assigned', 'q']);
  const [isSideOpen, setSideOpen] = useState(false);
  // There, what is open covers the title.
  const isNarrow = useIsNarrow();
  const inbox = useQuery(inboxQuery(inboxId));
  const labels = useQuery(labelsQuery(inboxId));
  useLive(({ type, data }) => {
    const types = (data.events ?? []) as readonly string[];
    if (type === 'ready' || type === 'reload' || types.some((each) => each.startsWith('inbox.'))) void refresh();
  });
  const folder = folderOf(values.folder);
  const label = labels.data?.find(({ id }) => id === values.label);
  const me = useSession()?.user.email;
  const isMine = values.assigned === 'me';
  const place = isMine
    ? t('inboxes:assignee.me')
    : values.label === undefined
      ? t(`inboxes:folder.${folder}`)
      : (label?.name ?? t('inboxes:label.one'));
  const isWriting = useLocation({ select: ({ pathname }) => pathname.endsWith('/new') });
  const isOpen = threadId !== undefined || draftId !== undefined || isWriting;
  const choose = (changes: Readonly<Record<string, string | undefined>>): void => {
    setSideOpen(false);
    void navigate({ to: `/app/inboxes/${inboxId}`, search: changes });
  };
  const { name = '', email_address: address = t('inboxes:one') } = inbox.data ?? {};
  const title = name === '' ? address : name;
  if (inbox.error !== null && inbox.data === undefined) {
    return (
      <Page title={t('inboxes:one')} back="/app/inboxes">
        <ErrorState error={inbox.error} retry={() => void inbox.refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={title}
      back={isOpen && isNarrow ? undefined : '/app/inboxes'}
      aside={name === '' || isNarrow ? undefined : <span className="quiet cut">{address}</span>}
    >
      <div className={styles.page} data-side={isSideOpen || undefined} data-open={isOpen || undefined}>
        <MailSide
          inbox={inbox.data}
          labels={labels.data ?? []}
          folder={values.label === undefined && !isMine ? folder : undefined}
          labelId={values.label}
          isMine={isMine}
          choose={choose}
        />
        <div className={styles.main}>
          <Split detail={isOpen ? <Outlet /> : undefined}>
            <div className={styles.places}>
              <Button
                variant="default"
                rightSection={<ChevronDown size={14} aria-hidden />}
                onClick={() => setSideOpen(true)}
              >
                {place}
              </Button>
              {mayWrite ? (
                <ActionIcon
                  component={Link}
                  to={`/app/inboxes/${inboxId}/new`}
                  variant="filled"
                  color="indigo"
                  size={36}
                  aria-label={t('inboxes:new')}
                >
                  <SquarePen size={16} aria-hidden />
                </ActionIcon>
              ) : null}
            </div>
            {folder === 'drafts' && values.label === undefined && !isMine ? (
              <DraftList isOpen={isOpen} />
            ) : (
              <>
                <FilterBar values={values} change={change} filters={[]} search={t('inboxes:search')} />
                <ThreadList
                  key={`${folder} ${values.label ?? ''} ${values.assigned ?? ''}`}
                  folder={folder}
                  labelId={values.label}
                  assignee={isMine ? me : undefined}
                  q={values.q}
                  own={inbox.data?.email_address ?? ''}
                  openId={threadId ?? (isOpen ? 'new' : undefined)}
                />
              </>
            )}
          </Split>
        </div>
      </div>
    </Page>
  );
}
