import { Flex } from '@mantine/core';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { TestTubeDiagonal } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useLive } from '../../api/live';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';

type Message = Schema<'MessageSummaryResponse'>;

/** Mail that the receiving server inside the program took, instead of a host on the internet. */
export function InboxPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { messageId } = usePathValues();
  const rows = usePages<Message>(['inbox'], ({ limit, after, signal }) =>
    answer(api.GET('/sandbox/messages', { params: { query: { limit, after } }, signal })),
  );
  useLive(({ type }) => {
    if (type === 'emails' || type === 'changed') void rows.refreshHead().catch(() => undefined);
  });
  const columns = useMemo(
    (): Column<Message>[] => [
      {
        id: 'to',
        label: t('inbox:to'),
        width: 'minmax(180px, 2fr)',
        cell: ({ to }) => to.join(', '),
      },
      {
        id: 'subject',
        label: t('inbox:subject'),
        width: 'minmax(200px, 3fr)',
        cell: ({ subject }) => subject || <span className="quiet">{t('inbox:noSubject')}</span>,
      },
      {
        id: 'from',
        label: t('inbox:from'),
        width: 'minmax(150px, 2fr)',
        cell: ({ from }) => <span className="quiet">{from}</span>,
      },
      {
        id: 'at',
        label: t('inbox:at'),
        width: '100px',
        align: 'end',
        cell: ({ received_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t],
  );
  return (
    <Page title={t('inbox:title')}>
      <Split detail={messageId === undefined ? undefined : <Outlet />}>
        <List
          label={t('inbox:title')}
          rows={rows}
          columns={columns}
          compact={({ to, subject, received_at: at }) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className={section.line}>
                <span className="cut">{to.join(', ')}</span>
                <span className="quiet">
                  <Time at={at} form="short" />
                </span>
              </span>
              <span className="quiet cut">{subject || t('inbox:noSubject')}</span>
            </Flex>
          )}
          openId={messageId}
          hrefOf={({ id }) => `/app/inbox/${id}`}
          open={({ id }) => void navigate({ to: `/app/inbox/${id}` })}
          empty={<EmptyState icon={TestTubeDiagonal} title={t('inbox:empty')} text={t('inbox:emptyText')} />}
        />
      </Split>
    </Page>
  );
}
