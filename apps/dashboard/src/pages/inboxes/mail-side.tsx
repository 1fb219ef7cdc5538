import { ActionIcon, Box, Button, Flex, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Archive,
  EllipsisVertical,
  FileText,
  Inbox as InboxIcon,
  OctagonAlert,
  Pencil,
  Plus,
  Send,
  SquarePen,
  Trash2,
  UserRound,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { membersQuery } from '../../api/members-query';
import { Confirm } from '../../parts/confirm';
import { LabelForm } from './label-form';
import { Dot } from './label-chips';
import styles from './mail.module.css';
import { folders, useMail, type Folder, type Inbox, type Label } from './mail-queries';

const icons = {
  inbox: InboxIcon,
  drafts: FileText,
  sent: Send,
  archive: Archive,
  spam: OctagonAlert,
  trash: Trash2,
} as const satisfies Record<Folder, unknown>;

interface MailSideProps {
  readonly inbox: Inbox | undefined;
  readonly labels: readonly Label[];
  readonly folder: Folder | undefined;
  readonly labelId: string | undefined;
  /** Whether the threads of the user are shown. */
  readonly isMine: boolean;
  readonly choose: (values: Readonly<Record<string, string | undefined>>) => void;
}

type Asking = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly label: Label };

/** The folders and labels of an inbox. */
export function MailSide({ inbox, labels, folder, labelId, isMine, choose }: MailSideProps) {
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const mayWrite = useMay('emails:write');
  const isTeam = (useQuery(membersQuery).data ?? []).length > 1;
  const [asking, setAsking] = useState<Asking>();
  const close = (): void => setAsking(undefined);
  const counts: Partial<Record<Folder, number>> = { inbox: inbox?.unread, drafts: inbox?.drafts };
  return (
    <nav className={styles.side} aria-label={t('inboxes:folders')}>
      {mayWrite ? (
        <Button
          component={Link}
          to={`/app/inboxes/${inboxId}/new`}
          leftSection={<SquarePen size={14} aria-hidden />}
          className={styles.new}
        >
          {t('inboxes:new')}
        </Button>
      ) : null}
      <Flex component="ul" direction="column" gap={1}>
        {folders.map((one) => {
          const Icon = icons[one];
          return (
            <li key={one} className={styles.entry} data-current={one === folder || undefined}>
              <button
                type="button"
                className={styles.choice}
                aria-current={one === folder ? 'page' : undefined}
                onClick={() => choose({ folder: one === 'inbox' ? undefined : one })}
              >
                <Icon size={16} aria-hidden />
                <span className="cut">{t(`inboxes:folder.${one}`)}</span>
                {(counts[one] ?? 0) > 0 ? <span className={`tabular ${styles.count}`}>{counts[one]}</span> : null}
              </button>
            </li>
          );
        })}
        {isTeam ? (
          <li className={styles.entry} data-current={isMine || undefined}>
            <button
              type="button"
              className={styles.choice}
              aria-current={isMine ? 'page' : undefined}
              onClick={() => choose({ assigned: 'me' })}
            >
              <UserRound size={16} aria-hidden />
              <span className="cut">{t('inboxes:assignee.me')}</span>
            </button>
          </li>
        ) : null}
      </Flex>
      <div className={styles.labelsHead}>
        <h2>{t('inboxes:labels')}</h2>
        {mayWrite ? (
          <ActionIcon size={24} aria-label={t('inboxes:label.add')} onClick={() => setAsking({ kind: 'add' })}>
            <Plus size={14} aria-hidden />
          </ActionIcon>
        ) : null}
      </div>
      {labels.length === 0 ? (
        <Box component="p" py={0} px={9} c="var(--text-3)" fz={12}>
          {t('inboxes:label.none')}
        </Box>
      ) : (
        <Flex component="ul" direction="column" gap={1}>
          {labels.map((label) => (
            <li key={label.id} className={styles.entry} data-current={label.id === labelId || undefined}>
              <button
                type="button"
                className={styles.choice}
                aria-current={label.id === labelId ? 'page' : undefined}
                onClick={() => choose({ label: label.id })}
              >
                <Dot color={label.color} />
                <span className="cut">{label.name}</span>
              </button>
              {mayWrite ? (
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon
                      size={24}
                      className={styles.entryMore}
                      aria-label={t('inboxes:moreFor', { name: label.name })}
                    >
                      <EllipsisVertical size={14} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item
                      leftSection={<Pencil size={15} aria-hidden />}
                      onClick={() => setAsking({ kind: 'edit', label })}
                    >
                      {t('inboxes:label.edit')}
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      leftSection={<Trash2 size={15} aria-hidden />}
                      onClick={() => setAsking({ kind: 'remove', label })}
                    >
                      {t('inboxes:remove')}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              ) : null}
            </li>
          ))}
        </Flex>
      )}
      {asking?.kind === 'add' || asking?.kind === 'edit' ? (
        <LabelForm known={asking.kind === 'edit' ? asking.label : undefined} close={close} />
      ) : null}
      <Confirm
        opened={asking?.kind === 'remove'}
        close={close}
        title={t('inboxes:label.removeTitle', { name: asking?.kind === 'remove' ? asking.label.name : '' })}
        action={t('inboxes:remove')}
        dangerous
        run={async () => {
          if (asking?.kind !== 'remove') return;
          const path = { inbox: inboxId, id: asking.label.id };
          await answer(api.DELETE('/inboxes/{inbox}/labels/{id}', { params: { path } }));
          if (labelId === asking.label.id) choose({});
          await refresh();
        }}
      >
        <p>{t('inboxes:label.removeText')}</p>
      </Confirm>
    </nav>
  );
}
