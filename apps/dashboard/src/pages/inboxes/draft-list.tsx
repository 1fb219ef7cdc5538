import { Box, Flex } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FileText, Paperclip } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { nameIn } from '../../logic/mail-addresses';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { useMail, type DraftSummary } from './mail-queries';

/** What was written and not sent. A reply opens in its thread. */
export function DraftList({ isOpen }: { readonly isOpen: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { inboxId } = useMail();
  const { draftId, threadId } = usePathValues();
  const rows = usePages<DraftSummary>(['mail', inboxId, 'drafts', 'list'], ({ limit, after, signal }) =>
    answer(
      api.GET('/inboxes/{inbox}/drafts', { params: { path: { inbox: inboxId }, query: { limit, after } }, signal }),
    ),
  );
  const hrefOf = ({ id, thread_id: thread }: DraftSummary): string =>
    `/app/inboxes/${inboxId}/${thread === null ? `drafts/${id}` : thread}`;
  const open = rows.rows.find(
    ({ id, thread_id: thread }) => id === draftId || (thread !== null && thread === threadId),
  );
  const columns = useMemo(
    (): Column<DraftSummary>[] => [
      {
        id: 'people',
        label: t('inboxes:write.to'),
        width: 'minmax(150px, 220px)',
        cell: (draft) => <People draft={draft} />,
      },
      {
        id: 'subject',
        label: t('inboxes:subject'),
        width: 'minmax(200px, 1fr)',
        cell: (draft) => <Subject draft={draft} />,
      },
      {
        id: 'at',
        label: t('inboxes:changedAt'),
        width: '90px',
        align: 'end',
        cell: ({ updated_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t],
  );
  return (
    <List
      label={t('inboxes:folder.drafts')}
      rows={rows}
      columns={columns}
      compact={(draft) => (
        <Flex component="span" direction="column" gap={2} miw={0}>
          <span className={section.line}>
            <People draft={draft} />
            <span className="quiet">
              <Time at={draft.updated_at} form="short" />
            </span>
          </span>
          <Subject draft={draft} />
        </Flex>
      )}
      openId={isOpen ? (open?.id ?? 'new') : undefined}
      hrefOf={hrefOf}
      open={(draft) => void navigate({ to: hrefOf(draft), search: (known: object) => known })}
      empty={<EmptyState icon={FileText} title={t('inboxes:draft.none')} text={t('inboxes:draft.noneText')} />}
    />
  );
}

function People({ draft }: { readonly draft: DraftSummary }) {
  const { t } = useTranslation();
  const people = [...(draft.to ?? []), ...draft.cc, ...draft.bcc].map(nameIn).join(', ');
  return (
    <span className="cut">{people === '' ? <span className="quiet">{t('inboxes:draft.nobody')}</span> : people}</span>
  );
}

function Subject({ draft }: { readonly draft: DraftSummary }) {
  const { t } = useTranslation();
  const { subject, snippet, attachments, type } = draft;
  const title = subject || t(type === 'reply' ? 'inboxes:draft.reply' : 'inboxes:noSubject');
  return (
    <span className={section.line}>
      <span className="cut">
        {title}
        {snippet === null || snippet === '' ? null : (
          <Box component="span" ml={8} c="var(--text-3)">
            {snippet}
          </Box>
        )}
      </span>
      {attachments.length === 0 ? null : <Paperclip size={13} aria-label={t('inboxes:hasFiles')} />}
    </span>
  );
}
